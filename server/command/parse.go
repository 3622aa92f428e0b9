package command

import "strata/server/text"

// value is an argument that was read.
type value struct {
	name string
	v    any
}

// step is a node that was read, and where.
type step struct {
	n          *node
	start, end int
}

// stage is what was read between two redirects.
type stage struct {
	root   *node
	start  int
	steps  []step
	values []value
	next   *stage
}

func (s *stage) end() int {
	if len(s.steps) == 0 {
		return s.start
	}
	return s.steps[len(s.steps)-1].end
}

// last is the node that was read last, the root if there is none.
func (s *stage) last() *node {
	if len(s.steps) == 0 {
		return s.root
	}
	return s.steps[len(s.steps)-1].n
}

// copy is a stage that can grow without changing s.
func (s *stage) copy() *stage {
	c := *s
	c.steps = s.steps[:len(s.steps):len(s.steps)]
	c.values = s.values[:len(s.values):len(s.values)]
	return &c
}

// parsing is how far a command was understood.
type parsing struct {
	r     reader
	stage *stage // the first one
	errs  []*Error
}

func (d *Dispatcher) parse(input string, s *Source) parsing {
	return d.parseFrom(d.root, reader{input: input}, &stage{root: d.root}, s, 0)
}

// parseFrom reads what may follow node. Of several ways the one is returned
// that read all, or had no errors, the first if there are more.
func (d *Dispatcher) parseFrom(n *node, r reader, st *stage, s *Source, redirects int) parsing {
	var best *parsing
	var errs []*Error
	for _, c := range n.candidates(&r) {
		if c.level > s.Level {
			continue
		}
		p, err := d.parseChild(c, r, st, s, redirects)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if best == nil || better(&p, best) {
			best = &p
		}
	}
	if best != nil {
		return *best
	}
	return parsing{r: r, stage: st, errs: errs}
}

func better(p, q *parsing) bool {
	if p.r.more() != q.r.more() {
		return !p.r.more()
	}
	return len(p.errs) == 0 && len(q.errs) > 0
}

func (d *Dispatcher) parseChild(c *node, r reader, st *stage, s *Source, redirects int) (parsing, *Error) {
	start := r.cursor
	grown := st.copy()
	if c.arg == nil {
		r.cursor += len(c.name)
	} else {
		v, err := c.arg.parse(&r, s)
		if err != nil {
			return parsing{}, asError(err, &r)
		}
		grown.values = append(grown.values, value{c.name, v})
	}
	if r.more() && r.peek() != ' ' {
		return parsing{}, r.fail("command.expected.separator")
	}
	grown.steps = append(grown.steps, step{c, start, r.cursor})
	if c.redirect != nil && r.more() {
		if redirects >= MaxRedirects {
			return parsing{}, r.fail("command.forkLimit", number(MaxRedirects))
		}
		r.cursor++
		p := d.parseFrom(c.redirect, r, &stage{root: c.redirect, start: r.cursor}, s, redirects+1)
		grown.next, p.stage = p.stage, grown
		return p, nil
	}
	if c.redirect == nil && len(r.rest()) >= 2 {
		r.cursor++
		return d.parseFrom(c, r, grown, s, redirects), nil
	}
	return parsing{r: r, stage: grown}, nil
}

// asError gives errors that arguments return their form.
func asError(err error, r *reader) *Error {
	if e, ok := err.(*Error); ok { //nolint:errorlint // arguments do not wrap
		return e
	}
	return &Error{Message: text.Plain(err.Error()), Input: r.input, Cursor: r.cursor}
}

// problem returns why a parsing is no command to run, or nil.
func (p *parsing) problem() *Error {
	last := p.stage
	for last.next != nil {
		last = last.next
	}
	switch {
	case !p.r.more() && (last.last().run != nil):
		return nil
	case !p.r.more():
		return p.r.fail("command.unknown.command")
	case len(p.errs) == 1:
		return p.errs[0]
	case len(p.stage.steps) == 0:
		return p.r.fail("command.unknown.command")
	}
	return p.r.fail("command.unknown.argument")
}
