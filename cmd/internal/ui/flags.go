package ui

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// Flags are the flags that every command has.
type Flags struct {
	json      bool
	progress  string
	logLevel  string
	logFormat string
}

// Register adds the flags to set.
func (f *Flags) Register(set *pflag.FlagSet) {
	set.BoolVar(&f.json, "json", false, "print the result as JSON: sizes in bytes, times RFC 3339, durations in ns")
	set.StringVar(&f.progress, "progress", string(progressAuto), "progress on standard error as `MODE`: "+list(progressModes))
	set.StringVar(&f.logLevel, "log-level", "info", "least severe `LEVEL` of log entries shown: debug, info, warn or error")
	set.StringVar(&f.logFormat, "log-format", logFormats[0], "`FORM` of log entries: "+list(logFormats))
}

// Open checks the values of the flags and returns the console that they ask
// for. A wrong value is an *Error of code Usage that names the choices.
func (f *Flags) Open(s Streams) (*Console, error) {
	mode := progressMode(f.progress)
	if !slices.Contains(progressModes, mode) {
		return nil, wrongChoice("progress", f.progress, list(progressModes))
	}
	if !slices.Contains(logFormats, f.logFormat) {
		return nil, wrongChoice("log-format", f.logFormat, list(logFormats))
	}
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return nil, wrongChoice("log-level", f.logLevel, "debug, info, warn or error")
	}
	c := &Console{streams: s, err: &errWriter{w: s.Err}, json: f.json, progress: mode.resolve(s)}
	c.log = newLogger(c.err, f.logFormat, level)
	return c, nil
}

func wrongChoice(flag, value, choices string) error {
	return Errorf(Usage, "--%s %q is not one of %s", flag, value, choices)
}

// list joins choices as a sentence does: "a, b or c".
func list[S ~string](choices []S) string {
	var text strings.Builder
	for i, choice := range choices {
		switch {
		case i == 0:
		case i == len(choices)-1:
			text.WriteString(" or ")
		default:
			text.WriteString(", ")
		}
		text.WriteString(string(choice))
	}
	return text.String()
}
