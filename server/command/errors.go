package command

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"strata/server/text"
)

// Error is why a command was not understood or could not be done.
type Error struct {
	Message text.Component
	// Input is the command without its slash, Cursor the byte before which it
	// went wrong. Cursor is -1 for what went wrong while it ran.
	Input  string
	Cursor int
}

// Error returns the message in English.
func (e *Error) Error() string {
	if e.Cursor < 0 {
		return e.Message.String()
	}
	return text.Key("command.context.parse_error", e.Message, text.Plain(strconv.Itoa(e.Cursor)),
		text.Plain(before(e.Input, e.Cursor)+"<--[HERE]")).String()
}

// failed is the error of a command that could not be done.
func failed(key string, with ...text.Component) *Error {
	return &Error{Message: text.Key(key, with...), Cursor: -1}
}

// before is the input up to the cursor, or the last ten characters of it.
func before(input string, cursor int) string {
	start, n := cursor, 0
	for ; start > 0 && n < 10; n++ {
		_, size := utf8.DecodeLastRuneInString(input[:start])
		start -= size
	}
	if start > 0 {
		return "..." + input[start:cursor]
	}
	return input[:cursor]
}

// report tells a source what was wrong and where.
func (s *Source) report(e *Error) {
	s.fail(e.Message)
	if e.Cursor < 0 {
		return
	}
	// Arguments look at bytes: what they stopped in is shown whole.
	at := e.Cursor
	for at > 0 && at < len(e.Input) && !utf8.RuneStart(e.Input[at]) {
		at--
	}
	context := text.Plain("").WithColor("gray").WithClick("suggest_command", "/"+e.Input).
		Append(text.Plain(before(e.Input, at)))
	if rest := e.Input[at:]; rest != "" {
		context = context.Append(text.Plain(rest).WithColor("red").WithUnderline())
	}
	s.fail(context.Append(text.Key("command.context.here").WithColor("red").WithItalic()))
}

// number is an argument of a text.
func number[T ~int | ~int32 | ~int64](n T) text.Component {
	return text.Plain(strconv.FormatInt(int64(n), 10))
}

// quoted shortens what was typed, for a text.
func quoted(s string) text.Component {
	if len(s) > 256 {
		s = strings.ToValidUTF8(s[:256], "") + "..."
	}
	return text.Plain(s)
}
