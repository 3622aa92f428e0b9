package text

import (
	"encoding/binary"
	"errors"

	"strata/nbt"
	"strata/server/protocol"
)

// ErrForm says that a document is not a text.
var ErrForm = errors.New("not a text component")

// NBT returns the text as it stands in packets.
func (c Component) NBT() protocol.NBT {
	data, err := nbt.MarshalNetwork(c.value(0))
	if err != nil {
		// A text longer than NBT holds: the one thing that cannot be sent.
		data, _ = nbt.MarshalNetwork("")
	}
	return data
}

// value returns the generic NBT value of a component: a bare string where that
// is all there is.
func (c Component) value(depth int) any {
	if depth >= MaxDepth {
		return ""
	}
	if c.raw != nil && len(c.Extra) == 0 {
		return *c.raw
	}
	if c.raw != nil {
		return Component{Extra: append([]Component{{raw: c.raw}}, c.Extra...)}.value(depth)
	}
	if c.Key == "" && len(c.Extra) == 0 && c.Style == (Style{}) {
		return c.Text
	}
	var m nbt.Compound
	if c.Key == "" {
		m.Set("text", c.Text)
	} else {
		m.Set("translate", c.Key)
		if c.Fallback != "" {
			m.Set("fallback", c.Fallback)
		}
	}
	if c.Key != "" && len(c.With) > 0 {
		m.Set("with", list(c.With, depth))
	}
	if len(c.Extra) > 0 {
		m.Set("extra", list(c.Extra, depth))
	}
	c.Style.members(&m, depth)
	return m
}

func list(parts []Component, depth int) nbt.List {
	l := nbt.List{Elem: nbt.TypeCompound}
	for _, p := range parts {
		v := p.value(depth + 1)
		// Strings beside compounds are a list of several types, which only
		// newer readers take: a compound is understood by all.
		if s, ok := v.(string); ok {
			v = nbt.Compound{{Name: "text", Value: s}}
		}
		l.Items = append(l.Items, v)
	}
	return l
}

func (s Style) members(m *nbt.Compound, depth int) {
	if s.Color != "" {
		m.Set("color", s.Color)
	}
	for _, f := range [...]struct {
		name string
		v    Switch
	}{{"bold", s.Bold}, {"italic", s.Italic}, {"underlined", s.Underlined}} {
		if f.v != Inherit {
			m.Set(f.name, boolByte(f.v == On))
		}
	}
	if s.Insertion != "" {
		m.Set("insertion", s.Insertion)
	}
	if s.Click != nil {
		m.Set("click_event", s.Click.value())
	}
	if s.Hover != nil {
		m.Set("hover_event", s.Hover.value(depth))
	}
}

func (c *Click) value() nbt.Compound {
	name := "value"
	switch c.Action {
	case "suggest_command", "run_command":
		name = "command"
	case "open_url":
		name = "url"
	}
	return nbt.Compound{{Name: "action", Value: c.Action}, {Name: name, Value: c.Value}}
}

func (h *Hover) value(depth int) nbt.Compound {
	if h.Entity == "" {
		var c Component
		if h.Text != nil {
			c = *h.Text
		}
		return nbt.Compound{{Name: "action", Value: "show_text"}, {Name: "value", Value: c.value(depth + 1)}}
	}
	m := nbt.Compound{
		{Name: "action", Value: "show_entity"},
		{Name: "id", Value: h.Entity},
		{Name: "uuid", Value: uuidInts(h.UUID)},
	}
	if h.Name != nil {
		m.Set("name", h.Name.value(depth+1))
	}
	return m
}

func uuidInts(u [16]byte) []int32 {
	ints := make([]int32, 4)
	for i := range ints {
		ints[i] = int32(binary.BigEndian.Uint32(u[4*i:]))
	}
	return ints
}

func boolByte(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

// Parse takes a document of someone else as a text: a string, a list of texts
// that is not empty, or a compound with content. raw stays referenced.
func Parse(raw nbt.Raw) (Component, error) {
	var v any
	if err := raw.Decode(&v); err != nil {
		return Component{}, err
	}
	if err := check(v, 0); err != nil {
		return Component{}, err
	}
	if s, ok := v.(string); ok {
		return Plain(s), nil
	}
	return Component{raw: &raw}, nil
}

// contents are the members of which a compound has at least one.
var contents = [...]string{"text", "translate", "keybind", "score", "selector", "nbt", "sprite", "player", "object", "type"}

func check(v any, depth int) error {
	if depth >= MaxDepth {
		return ErrForm
	}
	switch v := v.(type) {
	case string:
		return nil
	case nbt.List:
		if len(v.Items) == 0 {
			return ErrForm
		}
		for _, e := range v.Items {
			if err := check(e, depth+1); err != nil {
				return err
			}
		}
		return nil
	case nbt.Compound:
		return checkCompound(v, depth)
	}
	return ErrForm
}

func checkCompound(c nbt.Compound, depth int) error {
	found := false
	for _, name := range contents {
		if _, ok := c.Get(name); ok {
			found = true
		}
	}
	if !found {
		return ErrForm
	}
	for _, name := range [...]string{"text", "translate", "keybind"} {
		if v, ok := c.Get(name); ok {
			if _, ok := v.(string); !ok {
				return ErrForm
			}
		}
	}
	if v, ok := c.Get("extra"); ok {
		if _, ok := v.(nbt.List); !ok {
			return ErrForm
		}
		return check(v, depth+1)
	}
	return nil
}
