package command

import (
	"strings"

	"strata/server/protocol"
)

// argument is a kind of argument.
type argument interface {
	// parse reads a value. Errors are *Error. The source says what it may use.
	parse(r *reader, s *Source) (any, error)
	// suggest adds what could stand from b.start on.
	suggest(b *builder)
	// describe sets parser and properties of a node in the packet.
	describe(n *protocol.CommandNode)
}

// node is a node of the tree. Nodes do not change once the tree is built.
type node struct {
	name     string
	arg      argument // nil for a literal
	level    int
	children []*node
	literals map[string]*node
	run      func(*Context) (int, error)
	// redirect is the node whose children follow instead of this one's.
	// modify turns a source into others; fork says that it may become none or
	// several, and that errors are theirs alone.
	redirect *node
	modify   func(*Context) ([]*Source, error)
	fork     bool
	// complete replaces what the argument suggests; clients then ask.
	complete func(b *builder)
	// suggests names completions that clients have built in.
	suggests string
}

func literal(name string, children ...*node) *node {
	return (&node{name: name}).then(children...)
}

func arg(name string, a argument, children ...*node) *node {
	return (&node{name: name, arg: a}).then(children...)
}

// then adds children.
func (n *node) then(children ...*node) *node {
	for _, c := range children {
		n.children = append(n.children, c)
		if c.arg == nil {
			if n.literals == nil {
				n.literals = make(map[string]*node)
			}
			n.literals[c.name] = c
		}
	}
	return n
}

// does makes the node one that a command may end with.
func (n *node) does(run func(*Context) (int, error)) *node {
	n.run = run
	return n
}

func (n *node) needs(level int) *node {
	n.level = level
	return n
}

func (n *node) completes(complete func(*builder)) *node {
	n.complete = complete
	return n
}

// to redirects, with one source for one.
func (n *node) to(target *node, modify func(*Context) (*Source, error)) *node {
	n.redirect = target
	if modify != nil {
		n.modify = func(c *Context) ([]*Source, error) {
			s, err := modify(c)
			return []*Source{s}, err
		}
	}
	return n
}

// forks redirects, with any number of sources for one.
func (n *node) forks(target *node, modify func(*Context) ([]*Source, error)) *node {
	n.redirect, n.modify, n.fork = target, modify, true
	return n
}

// candidates are the children that can be next: a literal that is there as a
// whole word excludes all others.
func (n *node) candidates(r *reader) []*node {
	if len(n.literals) > 0 {
		word, _, _ := strings.Cut(r.rest(), " ")
		if l := n.literals[word]; l != nil {
			return []*node{l}
		}
	}
	var args []*node
	for _, c := range n.children {
		if c.arg != nil {
			args = append(args, c)
		}
	}
	return args
}
