package command

import (
	"slices"
	"strings"

	"strata/anvil/registry"
	"strata/server/text"
)

// optionReader reads the value of one option.
type optionReader struct {
	*reader
	sel  *selector
	name string
	at   int // where the option's name begins
	// seen has the options so far; true is one that was not inverted.
	seen map[string]bool
}

// options are what may stand in the brackets of a selector.
var options = map[string]func(*optionReader) error{
	"name": (*optionReader).byName, "distance": (*optionReader).byDistance, "level": (*optionReader).byLevel,
	"x": axis(0), "y": axis(1), "z": axis(2), "dx": extent(0), "dy": extent(1), "dz": extent(2),
	"x_rotation": angle(func(r Rotation) float32 { return r.Pitch }),
	"y_rotation": angle(func(r Rotation) float32 { return r.Yaw }),
	"limit":      (*optionReader).limit, "sort": (*optionReader).sort, "gamemode": (*optionReader).byGameMode,
	"type": (*optionReader).byType, "tag": (*optionReader).byTag,
}

// refusedOptions are the game's, but cannot be answered here.
var refusedOptions = []string{"advancements", "nbt", "predicate", "scores", "team"}

// options reads name=value,...] to its end.
func (r *reader) options(sel *selector) error {
	seen := map[string]bool{}
	for r.spaces(); r.more() && r.peek() != ']'; {
		at := r.cursor
		name, err := r.phrase()
		if err != nil {
			return err
		}
		read, ok := options[name]
		switch {
		case slices.Contains(refusedOptions, name):
			return r.failAt(at, "argument.entity.options.inapplicable", quoted(name))
		case !ok:
			return r.failAt(at, "argument.entity.options.unknown", quoted(name))
		}
		if r.spaces(); !r.skip('=') {
			return r.fail("argument.entity.options.valueless", quoted(name))
		}
		r.spaces()
		if err := read(&optionReader{r, sel, name, at, seen}); err != nil {
			return err
		}
		if r.spaces(); !r.skip(',') {
			break
		}
		r.spaces()
	}
	if !r.skip(']') {
		return r.fail("argument.entity.options.unterminated")
	}
	return nil
}

// once refuses an option that is there already.
func (o *optionReader) once() error {
	if _, ok := o.seen[o.name]; ok {
		return o.failAt(o.at, "argument.entity.options.inapplicable", text.Plain(o.name))
	}
	o.seen[o.name] = true
	return nil
}

// invertible reads ! and refuses an option after one that was not inverted, or
// that is not inverted after another.
func (o *optionReader) invertible() (inverted bool, err error) {
	positive, seen := o.seen[o.name]
	inverted = o.skip('!')
	o.spaces()
	if seen && (positive || !inverted) {
		return inverted, o.failAt(o.at, "argument.entity.options.inapplicable", text.Plain(o.name))
	}
	o.seen[o.name] = !inverted
	return inverted, nil
}

func (o *optionReader) test(t func(Entity) bool) { o.sel.tests = append(o.sel.tests, t) }

func (o *optionReader) byName() error {
	not, err := o.invertible()
	if err != nil {
		return err
	}
	name, err := o.phrase()
	o.test(func(e Entity) bool { return (e.Name() == name) != not })
	return err
}

func (o *optionReader) byDistance() error {
	if err := o.once(); err != nil {
		return err
	}
	start := o.cursor
	b, err := o.bounds(false)
	if err != nil {
		return err
	}
	if b.high < 0 || b.low < 0 && b.low > -maxCoordinate {
		return o.failAt(start, "argument.entity.options.distance.negative")
	}
	o.sel.distance, o.sel.here = &b, true
	return nil
}

// maxCoordinate is beyond every coordinate.
const maxCoordinate = 1e18

func (o *optionReader) byLevel() error {
	if err := o.once(); err != nil {
		return err
	}
	start := o.cursor
	b, err := o.bounds(true)
	if err != nil {
		return err
	}
	if b.high < 0 || b.low < 0 && b.low > -maxCoordinate {
		return o.failAt(start, "argument.entity.options.level.negative")
	}
	o.sel.players = true
	o.test(func(e Entity) bool {
		p, ok := e.(Player)
		if !ok {
			return false
		}
		level, _ := p.Experience()
		return b.has(float64(level))
	})
	return nil
}

func axis(i int) func(*optionReader) error {
	return func(o *optionReader) error {
		if err := o.once(); err != nil {
			return err
		}
		f, err := o.double()
		o.sel.pos[i], o.sel.here = coordinate{value: f}, true
		return err
	}
}

func extent(i int) func(*optionReader) error {
	return func(o *optionReader) error {
		if err := o.once(); err != nil {
			return err
		}
		f, err := o.double()
		o.sel.size[i], o.sel.box, o.sel.here = f, true, true
		return err
	}
}

func angle(of func(Rotation) float32) func(*optionReader) error {
	return func(o *optionReader) error {
		if err := o.once(); err != nil {
			return err
		}
		b, err := o.bounds(false)
		if err != nil {
			return err
		}
		low, high := float32(0), float32(359)
		if b.low > -maxCoordinate {
			low = float32(b.low)
		}
		if b.high < maxCoordinate {
			high = float32(b.high)
		}
		low, high = wrapDegrees(low), wrapDegrees(high)
		o.test(func(e Entity) bool {
			d := wrapDegrees(of(e.Place().Rotation))
			if low > high {
				return d >= low || d <= high
			}
			return d >= low && d <= high
		})
		return nil
	}
}

func (o *optionReader) limit() error {
	if o.sel.self {
		return o.failAt(o.at, "argument.entity.options.inapplicable", text.Plain(o.name))
	}
	if err := o.once(); err != nil {
		return err
	}
	start := o.cursor
	n, err := o.integer()
	if err != nil {
		return err
	}
	if n < 1 {
		return o.failAt(start, "argument.entity.options.limit.toosmall")
	}
	o.sel.limit = int(n)
	return nil
}

var sortNames = []string{"arbitrary", "nearest", "furthest", "random"}

func (o *optionReader) sort() error {
	if o.sel.self {
		return o.failAt(o.at, "argument.entity.options.inapplicable", text.Plain(o.name))
	}
	if err := o.once(); err != nil {
		return err
	}
	start := o.cursor
	name := o.word()
	i := slices.Index(sortNames, name)
	if i < 0 {
		return o.failAt(start, "argument.entity.options.sort.irreversible", quoted(name))
	}
	o.sel.order = order(i)
	return nil
}

func (o *optionReader) byGameMode() error {
	not, err := o.invertible()
	if err != nil {
		return err
	}
	start := o.cursor
	name := o.word()
	mode := slices.Index(gameModeNames, name)
	if mode < 0 {
		return o.failAt(start, "argument.entity.options.mode.invalid", quoted(name))
	}
	o.sel.players = true
	o.test(func(e Entity) bool {
		p, ok := e.(Player)
		return ok && (p.GameMode() == GameMode(mode)) != not
	})
	return nil
}

func (o *optionReader) byType() error {
	not, err := o.invertible()
	if err != nil {
		return err
	}
	start := o.cursor
	kinds := registry.Of("minecraft:entity_type", native)
	if o.skip('#') {
		name, err := o.id()
		if err != nil {
			return err
		}
		tag := registry.TagsOf("minecraft:entity_type", native).Tag(name)
		// An unknown tag is empty. Tags may be combined with one another.
		delete(o.seen, o.name)
		o.test(func(e Entity) bool {
			id, ok := kinds.ID(e.Type())
			return (ok && tag.Has(id)) != not
		})
		return nil
	}
	name, err := o.id()
	if err != nil {
		return err
	}
	if _, ok := kinds.ID(name); !ok {
		return o.failAt(start, "argument.entity.options.type.invalid", text.Plain(name))
	}
	if name == "minecraft:player" && !not {
		o.sel.players = true
	}
	o.test(func(e Entity) bool { return (e.Type() == name) != not })
	return nil
}

// byTag tests tags; an empty one is whether there are none at all.
func (o *optionReader) byTag() error {
	not := o.skip('!')
	tag := o.word()
	o.test(func(e Entity) bool {
		if tag == "" {
			return (len(e.Tags()) == 0) != not
		}
		return slices.Contains(e.Tags(), tag) != not
	})
	return nil
}

// suggestOptions completes what stands in the brackets of a selector.
func suggestOptions(b *builder) {
	typed := b.rest()
	inside := typed[strings.IndexByte(typed, '[')+1:]
	last := inside[strings.LastIndexByte(inside, ',')+1:]
	key, value, hasValue := strings.Cut(last, "=")
	if !hasValue {
		b.at(len(b.input)-len(last), func(b *builder) {
			for name := range options {
				tip, _ := text.English("argument.entity.options." + name + ".description")
				b.addTip(name+"=", text.Component{Key: "argument.entity.options." + name + ".description", Fallback: tip})
			}
		})
		return
	}
	value = strings.TrimPrefix(value, "!")
	b.at(len(b.input)-len(value), func(b *builder) {
		switch key {
		case "type":
			suggestEntries(b, "minecraft:entity_type")
		case "sort":
			for _, s := range sortNames {
				b.add(s)
			}
		case "gamemode":
			for _, s := range gameModeNames {
				b.add(s)
			}
		case "name":
			suggestPlayers(b)
		}
	})
}
