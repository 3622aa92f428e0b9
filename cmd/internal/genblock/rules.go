package main

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

// rule gives a value to the blocks whose names match one of its patterns.
type rule[V any] struct {
	names string // patterns of path.Match, separated by spaces
	value V
}

// rules is a hand table by class: the first rule that matches counts.
type rules[V any] []rule[V]

// apply gives each name its value. Every pattern must match a name that no
// rule before it has taken, so that no line of a table is dead; and if total,
// every name must be matched.
func (list rules[V]) apply(table string, names []string, total bool) (map[string]V, error) {
	values := make(map[string]V, len(names))
	var errs []error
	for _, r := range list {
		for pattern := range strings.FieldsSeq(r.names) {
			hits := 0
			for _, name := range names {
				match, err := path.Match(pattern, name)
				if err != nil {
					return nil, fmt.Errorf("%s: pattern %q: %w", table, pattern, err)
				}
				if _, taken := values[name]; match && !taken {
					values[name] = r.value
					hits++
				}
			}
			if hits == 0 {
				errs = append(errs, fmt.Errorf("%s: pattern %q matches no block that is left", table, pattern))
			}
		}
	}
	for _, name := range names {
		if _, ok := values[name]; total && !ok {
			errs = append(errs, fmt.Errorf("%s: no rule for %s", table, name))
		}
	}
	return values, errors.Join(errs...)
}
