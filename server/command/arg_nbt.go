package command

import (
	"strings"
	"unicode/utf16"

	"strata/nbt"
	"strata/nbt/snbt"
	"strata/server/protocol"
	"strata/server/text"
)

// nbt reads a value in the text form of NBT.
func (r *reader) nbt() (nbt.Raw, error) {
	raw, rest, err := snbt.ParsePrefix(r.rest(), argumentLimits)
	if err != nil {
		if !r.more() {
			return raw, r.fail("argument.nbt.expected.value")
		}
		return raw, &Error{Message: text.Plain(err.Error()), Input: r.input, Cursor: r.cursor}
	}
	r.cursor = len(r.input) - len(rest)
	// White space behind the value belongs to what follows.
	for r.cursor > 0 && r.cursor < len(r.input)+1 && strings.HasSuffix(r.input[:r.cursor], " ") {
		r.cursor--
	}
	return raw, nil
}

// compoundArg is a compound.
type compoundArg struct{}

func (compoundArg) parse(r *reader, _ *Source) (any, error) { return r.compound() }

func (r *reader) compound() (nbt.Raw, error) {
	if r.peek() != '{' {
		return nbt.Raw{}, r.fail("argument.nbt.expected.compound")
	}
	return r.nbt()
}

func (compoundArg) suggest(*builder) {}

func (compoundArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserNBTCompoundTag }

// within reports whether want is part of have, as block predicates and item
// predicates compare: members and elements that are not in want do not count.
func within(want, have any) bool {
	switch w := want.(type) {
	case nbt.Compound:
		h, ok := have.(nbt.Compound)
		if !ok {
			return false
		}
		for _, m := range w {
			v, ok := h.Get(m.Name)
			if !ok || !within(m.Value, v) {
				return false
			}
		}
		return true
	case nbt.List:
		h, ok := have.(nbt.List)
		return ok && listWithin(w, h)
	}
	return nbt.Equal(want, have)
}

func listWithin(want, have nbt.List) bool {
	if len(want.Items) == 0 || len(have.Items) == 0 {
		return len(want.Items) == len(have.Items)
	}
	for _, w := range want.Items {
		found := false
		for _, h := range have.Items {
			if found = within(w, h); found {
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

func rawWithin(want, have nbt.Raw) bool {
	var w, h any
	if want.Decode(&w) != nil || have.Decode(&h) != nil {
		return false
	}
	return within(w, h)
}

// componentArg is a text as NBT.
type componentArg struct{}

func (componentArg) parse(r *reader, _ *Source) (any, error) {
	start := r.cursor
	raw, err := r.nbt()
	if err != nil {
		return nil, err
	}
	c, err := text.Parse(raw)
	if err != nil {
		return nil, r.failAt(start, "argument.component.invalid", text.Plain(err.Error()))
	}
	return c, nil
}

func (componentArg) suggest(*builder) {}

func (componentArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserComponent }

// maxMessage is how long the game lets messages be, in UTF-16 units.
const maxMessage = 256

// messageArg is all that is left, with selectors in it for those who may use
// them.
type messageArg struct{}

// message is text and selectors by turns.
type message struct{ parts []messagePart }

type messagePart struct {
	text     string
	selector *selector
}

func (messageArg) parse(r *reader, s *Source) (any, error) {
	whole := r.rest()
	if n := len(utf16.Encode([]rune(whole))); n > maxMessage {
		return nil, r.fail("argument.message.too_long", number(n), number(maxMessage))
	}
	var m message
	if s.Level < LevelGamemasters {
		r.cursor = len(r.input)
		m.parts = []messagePart{{text: whole}}
		return m, nil
	}
	from := r.cursor
	for r.more() {
		at := r.cursor
		if r.peek() != '@' || at+1 >= len(r.input) || !strings.ContainsRune("parsen", rune(r.input[at+1])) {
			r.cursor++
			continue
		}
		sel, err := r.selector(s)
		if err != nil {
			return nil, err
		}
		m.parts = append(m.parts, messagePart{text: r.input[from:at]}, messagePart{selector: sel})
		from = r.cursor
	}
	m.parts = append(m.parts, messagePart{text: r.input[from:]})
	return m, nil
}

func (messageArg) suggest(*builder) {}

func (messageArg) describe(n *protocol.CommandNode) { n.Parser = protocol.ParserMessage }

// message returns an argument as a text, with the names of who is selected.
func (c *Context) message(name string) text.Component {
	m := get[message](c, name)
	var parts []text.Component
	for _, p := range m.parts {
		switch {
		case p.selector != nil:
			parts = append(parts, names(p.selector.find(c.h, c.src)))
		case p.text != "":
			parts = append(parts, text.Plain(p.text))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return text.Component{Extra: parts}
}

// names lists entities.
func names[E Entity](list []E) text.Component {
	parts := make([]text.Component, len(list))
	for i, e := range list {
		parts[i] = e.Display()
	}
	return text.Join(text.Plain(", "), parts...)
}
