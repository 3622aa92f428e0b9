package text

import (
	"strata/nbt"
)

// Limits of a component.
const (
	MaxDepth = 64       // components within components
	MaxPlain = 64 << 10 // bytes of English
)

// Component is a text. The zero value is the empty text.
type Component struct {
	// Text is shown as it is, unless Key is there.
	Text string
	// Key is a translation key, With its arguments, Fallback what clients that
	// do not know it show.
	Key      string
	With     []Component
	Fallback string
	// Extra follows, with this component's style unless it has its own.
	Extra []Component
	Style Style
	// raw is a foreign document, to which the rest but Extra does not apply.
	raw *nbt.Raw
}

// Style is how a text looks and what it does. Zero values are inherited.
type Style struct {
	Color      string // a name such as "red", or "#rrggbb"
	Bold       Switch
	Italic     Switch
	Underlined Switch
	Insertion  string // typed when the text is clicked with shift held
	Click      *Click
	Hover      *Hover
}

// Switch is on, off, or as inherited.
type Switch int8

// What a Switch may be.
const (
	Inherit Switch = iota
	On
	Off
)

// Click is what a click on a text does: "suggest_command", "run_command",
// "copy_to_clipboard" or "open_url" with that value.
type Click struct{ Action, Value string }

// Hover is what shows over a text: another text, or an entity.
type Hover struct {
	Text *Component
	// Entity is the type of an entity, with its UUID and name.
	Entity string
	UUID   [16]byte
	Name   *Component
}

// Plain is text as it is.
func Plain(s string) Component { return Component{Text: s} }

// Key is a translated text with arguments.
func Key(key string, with ...Component) Component { return Component{Key: key, With: with} }

// Join puts components one after another with a separator between them.
func Join(separator Component, parts ...Component) Component {
	var c Component
	for i, p := range parts {
		if i > 0 {
			c.Extra = append(c.Extra, separator)
		}
		c.Extra = append(c.Extra, p)
	}
	return c
}

// Brackets puts a component in square brackets, as the game shows names of
// items and clickable coordinates.
func Brackets(c Component) Component { return Key("chat.square_brackets", c) }

// WithColor returns the text in a color.
func (c Component) WithColor(color string) Component {
	c = c.styled()
	c.Style.Color = color
	return c
}

// WithItalic returns the text in italics.
func (c Component) WithItalic() Component {
	c = c.styled()
	c.Style.Italic = On
	return c
}

// WithUnderline returns the text underlined.
func (c Component) WithUnderline() Component {
	c = c.styled()
	c.Style.Underlined = On
	return c
}

// WithClick returns the text with something that a click on it does.
func (c Component) WithClick(action, value string) Component {
	c = c.styled()
	c.Style.Click = &Click{action, value}
	return c
}

// WithHover returns the text with another that shows over it.
func (c Component) WithHover(h Hover) Component {
	c = c.styled()
	c.Style.Hover = &h
	return c
}

// WithInsertion returns the text with what a click with shift types.
func (c Component) WithInsertion(s string) Component {
	c = c.styled()
	c.Style.Insertion = s
	return c
}

// Append returns the text with others behind it.
func (c Component) Append(more ...Component) Component {
	c.Extra = append(c.Extra[:len(c.Extra):len(c.Extra)], more...)
	return c
}

// IsEmpty reports whether there is nothing to show.
func (c Component) IsEmpty() bool {
	return c.Text == "" && c.Key == "" && c.raw == nil && len(c.Extra) == 0
}

// styled returns a component that may be given a style: a foreign document is
// put into one of ours.
func (c Component) styled() Component {
	if c.raw != nil {
		return Component{Extra: []Component{c}}
	}
	return c
}
