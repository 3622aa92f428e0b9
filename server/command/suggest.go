package command

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf16"

	"strata/server/protocol"
	"strata/server/text"
)

// suggestion is text that could stand from start to the end of the input.
type suggestion struct {
	start   int
	text    string
	tooltip text.Component
}

// builder collects suggestions for what follows start.
type builder struct {
	h     *Host
	src   *Source
	input string // up to the cursor
	start int
	found []suggestion
}

// rest is what has been typed of what is to be completed.
func (b *builder) rest() string { return b.input[b.start:] }

// add adds a text if it begins with what was typed, whatever its case.
func (b *builder) add(s string) { b.addTip(s, text.Component{}) }

func (b *builder) addTip(s string, tip text.Component) {
	typed := b.rest()
	if len(b.found) < MaxMatches && len(s) >= len(typed) && strings.EqualFold(s[:len(typed)], typed) && s != typed {
		b.found = append(b.found, suggestion{b.start, s, tip})
	}
}

// addID adds a name with namespace if it, or what follows the namespace or an
// underscore, begins with what was typed.
func (b *builder) addID(id string) {
	typed := strings.ToLower(b.rest())
	if len(b.found) >= MaxMatches || id == typed {
		return
	}
	space, path, _ := strings.Cut(strings.TrimPrefix(id, "#"), ":")
	if strings.HasPrefix(id, typed) || space == "minecraft" && matchesPart(path, typed) {
		b.found = append(b.found, suggestion{b.start, id, text.Component{}})
	}
}

func matchesPart(path, typed string) bool {
	for {
		if strings.HasPrefix(path, typed) {
			return true
		}
		i := strings.IndexAny(path, "_./")
		if i < 0 {
			return false
		}
		path = path[i+1:]
	}
}

// at is a builder for what follows a later place.
func (b *builder) at(start int, suggest func(*builder)) {
	c := *b
	c.start, c.found = start, nil
	suggest(&c)
	b.found = append(b.found, c.found...)
}

// Suggest answers the packet command_suggestion. Of a text longer than
// MaxSuggest nothing is known.
func (d *Dispatcher) Suggest(s *Source, q *protocol.CommandSuggestion) *protocol.CommandSuggestions {
	answer := &protocol.CommandSuggestions{TransactionID: q.TransactionID}
	if len(q.Text) > MaxSuggest {
		return answer
	}
	input, slash := strings.CutPrefix(q.Text, "/")
	start, found := d.complete(s, input)
	answer.Start = int32(units(input[:start]))
	answer.Length = int32(units(input[start:]))
	if slash {
		answer.Start++
	}
	for _, f := range found {
		m := protocol.CommandSuggestionMatch{Match: f.text}
		if !f.tooltip.IsEmpty() {
			m.Tooltip = protocol.Optional[protocol.NBT]{Present: true, Value: f.tooltip.NBT()}
		}
		answer.Matches = append(answer.Matches, m)
	}
	return answer
}

// Complete lists the texts that could replace input from start on, for a
// console.
func (d *Dispatcher) Complete(s *Source, input string) (start int, matches []string) {
	if len(input) > MaxSuggest {
		return len(input), nil
	}
	typed, slash := strings.CutPrefix(input, "/")
	start, found := d.complete(s, typed)
	for _, f := range found {
		matches = append(matches, f.text)
	}
	if slash {
		start++
	}
	return start, matches
}

// units counts as Java does: UTF-16.
func units(s string) int {
	n := 0
	for _, r := range s {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}

// complete finds what could stand at the end of input. All of it begins at
// start.
func (d *Dispatcher) complete(s *Source, input string) (start int, found []suggestion) {
	p := d.parse(input, s)
	parent, at := p.stage.suggestFrom(len(input))
	at = min(at, len(input))
	b := &builder{h: d.host, src: s, input: input, start: at}
	for _, c := range parent.children {
		switch {
		case c.level > s.Level:
		case c.arg == nil:
			b.add(c.name)
		case c.complete != nil:
			c.complete(b)
		default:
			c.arg.suggest(b)
		}
	}
	return mergeSuggestions(input, b.found)
}

// suggestFrom finds the node whose children could stand at the cursor, and
// from where.
func (s *stage) suggestFrom(cursor int) (*node, int) {
	if s.next != nil && cursor > s.end() {
		return s.next.suggestFrom(cursor)
	}
	if cursor > s.end() || len(s.steps) == 0 {
		if len(s.steps) == 0 {
			return s.root, s.start
		}
		return s.last(), s.end() + 1
	}
	parent := s.root
	for _, st := range s.steps {
		if cursor >= st.start && cursor <= st.end {
			return parent, st.start
		}
		parent = st.n
	}
	return parent, s.end()
}

// mergeSuggestions brings suggestions to one start, sorts them and takes out
// repetitions.
func mergeSuggestions(input string, found []suggestion) (int, []suggestion) {
	start := len(input)
	for _, f := range found {
		start = min(start, f.start)
	}
	for i, f := range found {
		found[i].text = input[start:f.start] + f.text
		found[i].start = start
	}
	slices.SortStableFunc(found, func(a, b suggestion) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.text), strings.ToLower(b.text)), cmp.Compare(a.text, b.text))
	})
	found = slices.CompactFunc(found, func(a, b suggestion) bool { return a.text == b.text })
	return start, found[:min(len(found), MaxMatches)]
}
