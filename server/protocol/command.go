package protocol

import "fmt"

// CommandNodeKind is what a node of the command tree is.
type CommandNodeKind uint8

// The kinds of nodes.
const (
	RootNode CommandNodeKind = iota
	LiteralNode
	ArgumentNode
)

// Flags of a node, beside the two bits of its kind.
const (
	nodeKindMask    = 0x03
	nodeExecutable  = 0x04
	nodeRedirects   = 0x08
	nodeSuggestions = 0x10
	nodeRestricted  = 0x20
)

// CommandNode is a node of the command tree. Nodes name one another by their
// index in the list of all.
type CommandNode struct {
	Kind       CommandNodeKind
	Executable bool // the command may end here
	Restricted bool // needs a permission
	Children   []int32
	Redirect   Optional[int32]
	Name       string           // of literals and arguments
	Parser     CommandParser    // of arguments
	Properties ParserProperties // of arguments
	// Suggestions names what completes an argument, such as
	// "minecraft:ask_server"; "" is the parser itself.
	Suggestions string
}

// ParserProperties is what some parsers need to know. Which, each field says.
type ParserProperties struct {
	// Min and Max bound numbers: float, double, integer, long.
	Min, Max Optional[float64]
	// MinLong and MaxLong bound long, whose range a double does not have.
	MinLong, MaxLong Optional[int64]
	Text             StringKind // string
	Single           bool       // entity: one, not several
	PlayersOnly      bool       // entity
	Multiple         bool       // score_holder
	MinTicks         int32      // time
	Registry         string     // resource and its relatives
}

// StringKind is how much of a command a text argument takes.
type StringKind int32

// The kinds of text arguments.
const (
	SingleWord StringKind = iota
	QuotablePhrase
	GreedyPhrase
)

func (v *CommandNode) wire(c *coder, name string) {
	c.push(name)
	defer c.pop()
	flags := v.flags()
	if c.r != nil {
		c.r.want(kindByteNumber, 0x3f, "flags")
		if b := c.r.take("flags", 1); b != nil {
			flags = b[0]
		}
		v.Kind = CommandNodeKind(flags & nodeKindMask)
		v.Executable, v.Restricted = flags&nodeExecutable != 0, flags&nodeRestricted != 0
	} else {
		c.w.Byte(flags)
	}
	if v.Kind > ArgumentNode || flags&^0x3f != 0 || v.Kind != ArgumentNode && flags&nodeSuggestions != 0 {
		c.fail("flags", fmt.Errorf("%#02x: %w", flags, ErrRange))
		return
	}
	list(&v.Children, c, "children", varint)
	if flags&nodeRedirects != 0 {
		if c.r != nil {
			v.Redirect.Present = true
		}
		varint(&v.Redirect.Value, c, "redirect")
	}
	if v.Kind != RootNode {
		text(&v.Name, c, "name")
	}
	if v.Kind == ArgumentNode {
		v.Parser.wire(c, "parser")
		v.Properties.wire(c, v.Parser)
	}
	if flags&nodeSuggestions != 0 {
		text(&v.Suggestions, c, "suggestions")
		if v.Suggestions == "" {
			c.fail("suggestions", fmt.Errorf("empty name: %w", ErrRange))
		}
	}
}

func (v *CommandNode) flags() uint8 {
	flags := uint8(v.Kind)
	for _, f := range [...]struct {
		set bool
		bit uint8
	}{
		{v.Executable, nodeExecutable},
		{v.Redirect.Present, nodeRedirects},
		{v.Suggestions != "", nodeSuggestions},
		{v.Restricted, nodeRestricted},
	} {
		if f.set {
			flags |= f.bit
		}
	}
	return flags
}

func (v *ParserProperties) wire(c *coder, parser CommandParser) {
	c.push("properties")
	defer c.pop()
	switch parser {
	case ParserFloat:
		bounds(c, &v.Min, &v.Max, func(x *float64, c *coder, name string) {
			y := float32(*x)
			if f32(&y, c, name); c.r != nil {
				*x = float64(y)
			}
		})
	case ParserDouble:
		bounds(c, &v.Min, &v.Max, f64)
	case ParserInteger:
		bounds(c, &v.Min, &v.Max, func(x *float64, c *coder, name string) {
			y := int32(*x)
			if i32(&y, c, name); c.r != nil {
				*x = float64(y)
			}
		})
	case ParserLong:
		bounds(c, &v.MinLong, &v.MaxLong, i64)
	case ParserString:
		enum(&v.Text, c, "text", int(GreedyPhrase)+1)
	case ParserEntity:
		bits(c, &v.Single, &v.PlayersOnly)
	case ParserScoreHolder:
		bits(c, &v.Multiple, nil)
	case ParserTime:
		i32(&v.MinTicks, c, "min_ticks")
	case ParserResource, ParserResourceKey, ParserResourceOrTag, ParserResourceOrTagKey, ParserResourceSelector:
		text(&v.Registry, c, "registry")
	}
}

// bits is a byte with two flags.
func bits(c *coder, first, second *bool) {
	var b, allowed uint8 = 0, 1
	if *first {
		b |= 1
	}
	if second != nil {
		allowed = 3
		if *second {
			b |= 2
		}
	}
	v := int32(b)
	enumByte(&v, c, "flags", int(allowed)+1)
	if c.r != nil {
		*first = v&1 != 0
		if second != nil {
			*second = v&2 != 0
		}
	}
}

// bounds are a byte that says which are there, and those.
func bounds[T any](c *coder, low, high *Optional[T], value func(*T, *coder, string)) {
	bits(c, &low.Present, &high.Present)
	if low.Present {
		value(&low.Value, c, "min")
	}
	if high.Present {
		value(&high.Value, c, "max")
	}
}
