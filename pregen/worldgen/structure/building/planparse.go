package building

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"strata/anvil/block"
)

// The plans' texts. A line is empty, a comment that begins with #, or one of
//
//	let NAME STATE                       a name for a block state
//	plan NAME                            begins a plan
//	area X Z X Z                         see plan.area
//	box X Y Z X Y Z EDGE [INSIDE]        steps: see opKind
//	solid X Y Z X Y Z STATE
//	set X Y Z STATE
//	water X Y Z X Y Z
//	flood X Y Z X Y Z STATE
//	down X Y Z X Y Z STATE
//	wall X Y Z X Y Z
//	mark NAME X Y Z
//	use NAME [at X Y Z]
//
// Steps may go on with "xN" and as many numbers as the step has coordinates: it
// is done N times, moved on by the numbers each time; then with "if" and
// "unless" and facts, of which all or none must hold.
//
//go:embed plans/*.txt
var planTexts embed.FS

// plans are the plans of a file, by name.
type plans map[string]*plan

// loadPlans returns a function that reads a file of plans once. The texts are
// our own: what is wrong in them is a bug.
func loadPlans(name string) func() plans {
	return sync.OnceValue(func() plans {
		text, err := planTexts.ReadFile("plans/" + name + ".txt")
		if err != nil {
			panic(err)
		}
		read, err := parsePlans(string(text))
		if err != nil {
			panic(fmt.Sprintf("plans/%s.txt: %v", name, err))
		}
		return read
	})
}

type planParser struct {
	names map[string]block.State
	plans plans
	plan  *plan
	words []string
}

func parsePlans(text string) (plans, error) {
	r := &planParser{names: map[string]block.State{"air": air}, plans: make(plans)}
	for n, line := range strings.Split(text, "\n") {
		r.words = strings.Fields(line)
		if len(r.words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if err := r.line(); err != nil {
			return nil, fmt.Errorf("line %d: %w", n+1, err)
		}
	}
	for name, l := range r.plans {
		if len(l.ops) == 0 {
			return nil, fmt.Errorf("plan %s is missing or empty", name)
		}
	}
	return r.plans, nil
}

// get returns a plan, which may still have to come.
func (r *planParser) get(name string) *plan {
	if r.plans[name] == nil {
		r.plans[name] = &plan{name: name}
	}
	return r.plans[name]
}

func (r *planParser) word() string {
	if len(r.words) == 0 {
		return ""
	}
	w := r.words[0]
	r.words = r.words[1:]
	return w
}

func (r *planParser) line() (err error) {
	switch verb := r.word(); verb {
	case "let":
		name := r.word()
		r.names[name], err = block.Parse("minecraft:" + r.word())
	case "plan":
		if r.plan = r.get(r.word()); len(r.plan.ops) > 0 {
			return fmt.Errorf("second plan %s", r.plan.name)
		}
	case "area":
		r.plan.hasArea = true
		err = r.numbers(r.plan.area[:])
	default:
		var o op
		if o, err = r.step(verb); err == nil {
			r.plan.ops = append(r.plan.ops, o)
		}
	}
	if err == nil && len(r.words) > 0 {
		err = fmt.Errorf("%q is too much", r.words[0])
	}
	return err
}

func (r *planParser) numbers(to []int32) error {
	for i := range to {
		n, err := strconv.ParseInt(r.word(), 10, 32)
		if err != nil {
			return err
		}
		to[i] = int32(n)
	}
	return nil
}

func (r *planParser) state(to *block.State) error {
	name := r.word()
	s, ok := r.names[name]
	if !ok {
		return fmt.Errorf("no state %q", name)
	}
	*to = s
	return nil
}

var stepKinds = map[string]struct {
	kind    opKind
	numbers int
	states  int
}{
	"box": {opBox, 6, 1}, "set": {opBox, 3, 1}, "water": {opWater, 6, 0}, "flood": {opFlood, 6, 1},
	"down": {opDown, 6, 1}, "solid": {opSolid, 6, 1}, "wall": {opWall, 6, 0}, "mark": {opMark, 3, 0}, "use": {opUse, 0, 0},
}

func (r *planParser) step(verb string) (o op, err error) {
	form, ok := stepKinds[verb]
	if !ok {
		return o, fmt.Errorf("no step %q", verb)
	}
	o.kind, o.count = form.kind, 1
	n := form.numbers
	switch o.kind {
	case opMark:
		o.mark = r.word()
	case opUse:
		o.use = r.get(r.word())
		if len(r.words) > 0 && r.words[0] == "at" {
			r.word()
			n = 3
		}
	}
	if err = r.numbers(o.at[:n]); err != nil {
		return o, err
	}
	if form.states > 0 {
		if err = r.state(&o.edge); err != nil {
			return o, err
		}
	}
	o.inside = o.edge
	if verb == "box" && len(r.words) > 0 {
		if s, ok := r.names[r.words[0]]; ok {
			o.inside = s
			r.word()
		}
	}
	err = r.tail(&o, n)
	if n == 3 {
		copy(o.at[3:], o.at[:3])
		copy(o.step[3:], o.step[:3])
	}
	return o, err
}

// tail reads repetition and conditions.
func (r *planParser) tail(o *op, n int) error {
	if len(r.words) > 0 && r.words[0][0] == 'x' {
		count, err := strconv.Atoi(r.word()[1:])
		if err != nil {
			return err
		}
		o.count = int32(count)
		if err := r.numbers(o.step[:n]); err != nil {
			return err
		}
	}
	into := &o.if_
	for len(r.words) > 0 {
		switch name := r.word(); name {
		case "if":
			into = &o.if_
		case "unless":
			into = &o.unless
		default:
			fact, ok := factNames()[name]
			if !ok {
				return fmt.Errorf("no fact %q", name)
			}
			*into |= fact
		}
	}
	return nil
}

var factNames = sync.OnceValue(func() map[string]facts {
	names := map[string]facts{"left": factLeft, "upper": factUpper}
	for room, letter := range []string{"a", "b", "c", "d"} {
		for d := block.Down; d <= block.East; d++ {
			names[letter+"."+d.String()] = roomFact(room, int(d))
		}
		names[letter+".roof"] = roomFact(room, roofless)
	}
	return names
})
