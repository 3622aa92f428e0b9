package edit

import (
	"fmt"
	"strconv"
	"strings"
)

// ranges are heights of sections.
type ranges []struct{ low, high int64 }

func (s ranges) has(y int64) bool {
	for _, x := range s {
		if x.low <= y && y <= x.high {
			return true
		}
	}
	return false
}

// parseSections reads all, true, or numbers and ranges LOW:HIGH of which either
// end may be left out.
func parseSections(value string) (change, error) {
	var wanted ranges
	for part := range strings.SplitSeq(value, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), ":")
		if low == "all" || low == "true" {
			low, high, isRange = "", "", true
		}
		if !isRange {
			high = low
		}
		one := struct{ low, high int64 }{-128, 127}
		for text, to := range map[*string]*int64{&low: &one.low, &high: &one.high} {
			if *text == "" && isRange {
				continue
			}
			n, err := strconv.ParseInt(*text, 10, 8)
			if err != nil {
				return nil, fmt.Errorf("%w: want heights of sections such as -4, 0:3, :-1, all", ErrValue)
			}
			*to = n
		}
		wanted = append(wanted, one)
	}
	return func(r *record) error { return deleteSections(r, wanted) }, nil
}

func deleteSections(r *record, wanted ranges) error {
	list := sectionList(r)
	for i, s := range list.Elements() {
		if y, ok := s.Get("Y").Int(); ok && wanted.has(y) {
			r.e().RemoveElement(list, i)
			r.blocks = true
		}
	}
	if r.blocks {
		removeBlockEntities(r, func(_, y, _ int) bool { return wanted.has(int64(y >> 4)) })
	}
	return nil
}
