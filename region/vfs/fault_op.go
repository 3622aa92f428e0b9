package vfs

import (
	"fmt"
	"math/bits"
	"strings"
)

// Op is a set of kinds of operation; one that is carried out is of one kind.
type Op uint32

// The kinds of operation.
const (
	OpOpen   Op = 1 << iota // OpenFile without O_CREATE and O_TRUNC
	OpCreate                // OpenFile with one of them
	OpClose
	OpRead
	OpWrite
	OpSync
	OpTruncate
	OpPreallocate
	OpPunch
	OpLock // Lock and Unlock
	OpStat // Stat and Lstat of either kind, FreeBytes
	OpReadDir
	OpMkdir
	OpRemove
	OpRename
	OpLink
	OpClone
	OpSyncDir
	opEnd

	// OpAny is every operation.
	OpAny = opEnd - 1
	// OpMutating is what changes the disk, flushes included.
	OpMutating = OpCreate | OpWrite | OpSync | OpTruncate | OpPreallocate | OpPunch |
		OpMkdir | OpRemove | OpRename | OpLink | OpClone | OpSyncDir
)

// opNames is in the order of the bits.
var opNames = [...]string{"open", "create", "close", "read", "write", "sync", "truncate", "preallocate",
	"punch", "lock", "stat", "readdir", "mkdir", "remove", "rename", "link", "clone", "syncdir"}

// String lists the kinds in the set, as in "write|sync".
func (op Op) String() string {
	switch op {
	case OpAny:
		return "any"
	case OpMutating:
		return "mutating"
	}
	var names []string
	for rest := op & OpAny; rest != 0; rest &= rest - 1 {
		names = append(names, opNames[bits.TrailingZeros32(uint32(rest))])
	}
	return strings.Join(names, "|")
}

// OpInfo is one operation.
type OpInfo struct {
	Op      Op
	Name    string // the file's name when it was opened, for operations on one
	NewName string // of a rename, link or clone
	// Off and Len are a range in bytes; Off is the size of a truncate.
	Off, Len int64
	// Index counts the operations of the wrapper from 0.
	Index int
}

// String is one line of a trace.
func (in OpInfo) String() string {
	s := fmt.Sprintf("%d %v %s", in.Index, in.Op, in.Name)
	switch in.Op {
	case OpRead, OpWrite, OpPreallocate, OpPunch:
		s += fmt.Sprintf(" [%d,+%d)", in.Off, in.Len)
	case OpTruncate:
		s += fmt.Sprintf(" to %d", in.Off)
	case OpRename, OpLink, OpClone:
		s += " -> " + in.NewName
	}
	return s
}
