// Package ui is where the commands of strata meet a person or a script: what
// goes to which stream, in which form, and with which exit code a command
// ends.
//
// Its nouns:
//
//   - a Console is one run's view of its streams. Standard output carries the
//     result and nothing else; standard error carries progress, logs,
//     questions and the closing error;
//   - a result is one value that a command hands over with its text form.
//     --json prints the value, with sizes in bytes, times in RFC 3339 and
//     durations in integer nanoseconds, which is what encoding/json makes of
//     int64, time.Time and time.Duration;
//   - a Progress is one piece of long work: a bar with rate and time left on
//     a terminal, a plain line every ten seconds elsewhere, JSON lines with
//     --progress=json;
//   - a Code is an exit code. Error carries one; CodeOf finds the code of any
//     error.
//
// Colour is used only on a terminal, and never when NO_COLOR is set or TERM
// is dumb.
//
// A Console may be used by many goroutines, and so may a Progress. Lines
// written while a bar is shown appear above it. Tables and flag values belong
// to the goroutine that runs the command.
package ui
