package path

import (
	"strconv"

	"strata/nbt"
	"strata/nbt/snbt"
)

// The largest paths.
const (
	MaxBytes = 1 << 16
	MaxNodes = 1 << 10
)

// Path is a parsed path. The zero Path is the empty one: it selects the root.
type Path struct{ nodes []node }

type node struct {
	step   step
	index  int
	name   string  // in Go's form, see nbt.AppendUTF8
	filter nbt.Tag // root of a tape of its own; does not exist where there is none
}

// step is the kind of a node.
type step uint8

const (
	stepMember step = iota // name, name{...}
	stepIndex              // [3]
	stepItems              // []
	stepMatch              // [{...}]
	stepRoot               // {...}
)

// String returns the path with as few quotes and dots as its nodes need:
// [Parse] makes the same path of it.
func (p Path) String() string {
	var dst []byte
	for i := range p.nodes {
		n := &p.nodes[i]
		switch n.step {
		case stepMember:
			if i > 0 {
				dst = append(dst, '.')
			}
			dst = nbt.AppendPathKey(dst, nbt.AppendModifiedUTF8(nil, n.name))
			dst = n.appendFilter(dst)
		case stepIndex:
			dst = append(dst, '[')
			dst = strconv.AppendInt(dst, int64(n.index), 10)
			dst = append(dst, ']')
		case stepItems:
			dst = append(dst, "[]"...)
		case stepMatch:
			dst = append(n.appendFilter(append(dst, '[')), ']')
		case stepRoot:
			dst = n.appendFilter(dst)
		}
	}
	return string(dst)
}

func (n *node) appendFilter(dst []byte) []byte {
	return snbt.Append(dst, n.filter, snbt.Compact)
}

// matches reports whether a tag passes the node's filter, if it has one.
func (n *node) matches(tag nbt.Tag) bool {
	return !n.filter.Exists() || Matches(tag, n.filter)
}
