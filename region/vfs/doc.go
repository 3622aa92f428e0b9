// Package vfs is the file system as Strata uses it: an interface (FS, File),
// the machine's own (OS) and one in memory (Mem).
//
// All of them are safe for concurrent use.
package vfs
