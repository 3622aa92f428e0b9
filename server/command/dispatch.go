package command

import (
	"errors"
	"strings"

	"strata/anvil/registry"
	"strata/server/protocol"
	"strata/server/text"
)

// Dispatcher is the tree of commands over a host.
type Dispatcher struct {
	host  *Host
	root  *node
	trees treeCache
}

// New returns the commands that a host can do. The host must not change
// afterwards.
func New(h *Host) *Dispatcher {
	d := &Dispatcher{host: h, root: &node{}}
	d.register()
	return d
}

// Context is a command that runs: its source and arguments.
type Context struct {
	d    *Dispatcher
	h    *Host
	src  *Source
	args []value
}

// get returns an argument by name. That it is there, with that type, is sure:
// the tree says so.
func get[T any](c *Context, name string) T {
	for _, v := range c.args {
		if v.name == name {
			return v.v.(T)
		}
	}
	panic("command: no argument " + name)
}

// given returns an argument that may be absent.
func given[T any](c *Context, name string, otherwise T) T {
	for _, v := range c.args {
		if v.name == name {
			return v.v.(T)
		}
	}
	return otherwise
}

// ok answers with a success that operators are told, and returns result.
func (c *Context) ok(result int, key string, with ...text.Component) (int, error) {
	c.h.success(c.src, true, text.Key(key, with...))
	return result, nil
}

// tell answers the source alone.
func (c *Context) tell(result int, key string, with ...text.Component) (int, error) {
	c.h.success(c.src, false, text.Key(key, with...))
	return result, nil
}

// Result is what a command gave.
type Result struct {
	// Successes is how many sources ran it without an error, Value the sum of
	// what it returned for them.
	Successes int
	Value     int
}

// Run runs a command, with or without the slash before it, and tells the
// source what came of it. The error, if the command was not understood or
// failed, is an *Error that the source has been told.
func (d *Dispatcher) Run(s *Source, input string) (Result, error) {
	input = strings.ToValidUTF8(strings.TrimPrefix(input, "/"), "\uFFFD")
	if len(input) > 4*MaxCommand || len([]rune(input)) > MaxCommand {
		e := failed("argument.message.too_long", number(len(input)), number(MaxCommand))
		s.report(e)
		return Result{}, e
	}
	p := d.parse(input, s)
	if e := p.problem(); e != nil {
		s.report(e)
		return Result{}, e
	}
	return d.execute(p.stage, s)
}

// workPerSequence is how much a command may do for each unit of the game rule
// max_command_sequence_length: a redirect or a run for one source is one.
// Without it chains of execute multiply what the number of sources allows.
const workPerSequence = 4

// execute runs what was understood: stage by stage the sources become others.
func (d *Dispatcher) execute(st *stage, s *Source) (Result, error) {
	sources, forked := []*Source{s}, false
	limit := workPerSequence * int(d.host.rule("max_command_sequence_length"))
	work := 0
	for ; st.next != nil; st = st.next {
		n := st.last()
		forked = forked || n.fork
		if n.modify == nil {
			continue
		}
		if work += len(sources); work > limit {
			return tooMuch(s, limit)
		}
		var err *Error
		if sources, err = d.fork(n, st, sources, forked); err != nil {
			s.report(err)
			return Result{}, err
		}
	}
	if work+len(sources) > max(limit, 1) {
		return tooMuch(s, limit)
	}
	var res Result
	var failure error
	for _, src := range sources {
		c := &Context{d: d, h: d.host, src: src, args: st.values}
		value, err := st.last().run(c)
		if err != nil {
			// Of several sources each may fail for itself, silently.
			if failure = err; !forked {
				src.report(asFailure(err))
			}
			continue
		}
		res.Successes++
		res.Value += value
	}
	if forked {
		failure = nil
	}
	return res, failure
}

func tooMuch(s *Source, limit int) (Result, error) {
	e := failed("command.forkLimit", number(limit))
	s.report(e)
	return Result{}, e
}

// fork applies a redirect to all sources.
func (d *Dispatcher) fork(n *node, st *stage, from []*Source, forked bool) ([]*Source, *Error) {
	limit := int(d.host.rule("max_command_forks"))
	var to []*Source
	for _, src := range from {
		more, err := n.modify(&Context{d: d, h: d.host, src: src, args: st.values})
		if err != nil {
			if forked {
				continue
			}
			return nil, asFailure(err)
		}
		if len(to)+len(more) > limit {
			return nil, failed("command.forkLimit", number(limit))
		}
		to = append(to, more...)
	}
	return to, nil
}

func asFailure(err error) *Error {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e
	}
	return &Error{Message: text.Plain(err.Error()), Cursor: -1}
}

// Tree returns the packet with the commands that a permission level has. It is
// shared and must not be changed. Any goroutine may call it.
func (d *Dispatcher) Tree(level int, v registry.Version) *protocol.Commands {
	return d.trees.get(d.root, level, v)
}
