package main

import (
	"fmt"
	"slices"
	"strings"

	"strata/nbt"
)

// schema says how the fields of synced registries stand on the network. It
// is learned from entries known both as datapack JSON and as typed NBT.
//
// A path is the registry and the names of members below it, with [] for the
// elements of a list: "damage_type/exhaustion".
type schema struct {
	types   map[string]shape // by path and kind of JSON
	dropped map[string]bool  // fields the network has not
	// attributes are the environment attributes by name, true for those that
	// are sent: which ones are is a property of the attribute, not of where
	// it stands.
	attributes map[string]bool
	// doubles are paths where some number has more digits than a float.
	doubles map[string]bool
	// before is which of two members of one bucket of a hash map comes first,
	// in an entry and (with an empty name) in any.
	before map[[3]string]bool
	// suffixes are the types of the last two and more names of a path without
	// namespaces, for fields that moved.
	suffixes map[string]shape
}

type shape struct {
	kind, elem nbt.Type
}

// unsure marks a suffix that stands for several types.
var unsure = shape{kind: 255}

func newSchema() *schema {
	return &schema{
		types: map[string]shape{}, dropped: map[string]bool{}, attributes: map[string]bool{},
		doubles: map[string]bool{}, before: map[[3]string]bool{}, suffixes: map[string]shape{},
	}
}

// learn takes in one entry in both forms.
func (s *schema) learn(path string, n *node, t *typed) error {
	found, key := shape{t.kind, t.elem}, kindPath(path, n)
	if old, ok := s.types[key]; ok && old != found && len(t.items) > 0 {
		return fmt.Errorf("%s is %v and %v", path, old, found)
	}
	if _, ok := s.types[key]; !ok || len(t.items) > 0 {
		s.types[key] = found
	}
	for _, m := range n.members {
		p := path + "/" + m.name
		i := slices.IndexFunc(t.members, func(x typedMember) bool { return x.name == m.name })
		if err := s.learnPresence(p, m, i >= 0); err != nil {
			return err
		}
		if i >= 0 {
			if err := s.learn(p, m.value, &t.members[i].value); err != nil {
				return err
			}
		}
	}
	for i, item := range n.items {
		if i < len(t.items) {
			if err := s.learn(path+"[]", item, &t.items[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// kindPath is a path with the kind of JSON that stands there: fields such as
// the game's number providers are a number or an object.
func kindPath(path string, n *node) string { return path + "=" + kindNames[n.kind] }

var kindNames = [...]string{"null", "bool", "number", "string", "array", "object"}

// learnOrder notes the order of members that share a bucket.
func (s *schema) learnOrder(entry string, t *typed) {
	mask := hashBuckets(len(t.members)) - 1
	for i := range t.members {
		for j := range t.members[:i] {
			a, b := t.members[j].name, t.members[i].name
			if javaHash(a)&mask == javaHash(b)&mask {
				s.before[[3]string{entry, a, b}] = true
				s.before[[3]string{"", a, b}] = true
			}
		}
		s.learnOrder(entry, &t.members[i].value)
	}
	for i := range t.items {
		s.learnOrder(entry, &t.items[i])
	}
}

// noteOrders adds what is known of registries that 26.1 does not have.
func (s *schema) noteOrders() {
	for registry, pairs := range observedOrders {
		for _, p := range pairs {
			s.before[[3]string{registry, p[0], p[1]}] = true
		}
	}
}

// observedOrders are members in the order in which a server of 26.2 was seen
// to send them (packet captures published by the lodestone project), where
// that of 26.1 tells nothing or another.
var observedOrders = map[string][][2]string{
	"sulfur_cube_archetype": {
		{"attribute", "id"}, {"power", "causes_fire"}, {"push_sound_impulse_threshold", "push_sound_cooldown"},
	},
}

// order returns the comparison that [typed.sortMembers] asks for: as in the
// same entry of 26.1, else as observed in its registry, else as in the other
// entries. Pairs never seen, or in both orders, stay as they are in the JSON.
func (s *schema) order(registry, entry string) func(a, b string) int {
	return func(a, b string) int {
		for _, scope := range []string{entry, registry, ""} {
			first, second := s.before[[3]string{scope, a, b}], s.before[[3]string{scope, b, a}]
			switch {
			case first == second:
			case first:
				return -1
			default:
				return 1
			}
		}
		return 0
	}
}

// learnPresence notes whether the network has a field.
func (s *schema) learnPresence(path string, m member, sent bool) error {
	switch {
	case isAttribute(path):
		if old, known := s.attributes[m.name]; known && old != sent {
			return fmt.Errorf("%s is sent in some places alone", m.name)
		}
		s.attributes[m.name] = sent
	case sent:
		s.dropped[path] = false
	case len(m.value.members) > 0 && isAttribute(path+"/"+m.value.members[0].name):
		// All its attributes are left out, and so is what holds them.
		for _, x := range m.value.members {
			if err := s.learnPresence(path+"/"+x.name, x, false); err != nil {
				return err
			}
		}
	default:
		if _, known := s.dropped[path]; !known {
			s.dropped[path] = true
		}
	}
	return nil
}

// isAttribute reports whether a path ends in the name of an environment
// attribute: a member of attributes, or of the tracks of a timeline.
func isAttribute(path string) bool {
	return strings.Contains(path, "/attributes/minecraft:") && strings.Count(path[strings.Index(path, "/attributes/"):], "/") == 3 ||
		strings.HasPrefix(path, "timeline/tracks/minecraft:") && strings.Count(path, "/") == 3
}

// finish works out the suffixes once all is learned.
func (s *schema) finish() {
	s.noteOrders()
	for path, t := range s.types {
		for _, suffix := range suffixes(path) {
			if old, ok := s.suffixes[suffix]; ok && old != t {
				t = unsure
			}
			s.suffixes[suffix] = t
		}
	}
}

// suffixes returns the last names of a path, longest first, two at least.
func suffixes(path string) []string {
	names := strings.Split(strings.ReplaceAll(path, "minecraft:", ""), "/")
	var list []string
	for i := 0; i+1 < len(names); i++ {
		list = append(list, strings.Join(names[i:], "/"))
	}
	return list
}
