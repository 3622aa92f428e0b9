// Package lineedit lets lines be typed on a terminal while other lines are printed
// there: what is printed goes above the line that is being typed, which stays
// whole.
//
// A [Terminal] has the keys that golang.org/x/term has: the arrows, Home and End, the
// control keys of Emacs for moving and deleting, a history of 100 lines, and
// completion with Tab.
//
// # Concurrency
//
// One goroutine calls ReadLine; any may call Write and Close.
//
// # Not here
//
// The history is not kept in a file, and Ctrl-Z does not suspend.
package lineedit
