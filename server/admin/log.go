package admin

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"time"
)

// NewLog returns a handler that writes lines as the game's server does, with what
// else there is to say behind the message:
//
//	[13:04:05] [Server thread/INFO]: Steve joined the game
//	[13:04:06] [Server thread/WARN]: store event="save-failed" error="no space left"
//
// Programs that watch a server's console know that form.
func NewLog(w io.Writer, least slog.Leveler) slog.Handler {
	return &logHandler{out: &logOut{w: w}, least: least, now: time.Now}
}

type logOut struct {
	mu sync.Mutex
	w  io.Writer // guarded by mu
}

type logHandler struct {
	out   *logOut
	least slog.Leveler
	now   func() time.Time
	attrs string // of With, formatted
	group string // with a dot at its end
}

func (h *logHandler) Enabled(_ context.Context, l slog.Level) bool { return l >= h.least.Level() }

func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	at := r.Time
	if at.IsZero() {
		at = h.now()
	}
	var b strings.Builder
	b.WriteString(at.Format("[15:04:05] [Server thread/"))
	switch {
	case r.Level >= slog.LevelError:
		b.WriteString("ERROR")
	case r.Level >= slog.LevelWarn:
		b.WriteString("WARN")
	case r.Level >= slog.LevelInfo:
		b.WriteString("INFO")
	default:
		b.WriteString("DEBUG")
	}
	b.WriteString("]: ")
	b.WriteString(oneLine(r.Message))
	b.WriteString(h.attrs)
	r.Attrs(func(a slog.Attr) bool {
		appendAttr(&b, h.group, a)
		return true
	})
	b.WriteByte('\n')
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	_, err := io.WriteString(h.out.w, b.String())
	return err
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	var b strings.Builder
	for _, a := range attrs {
		appendAttr(&b, h.group, a)
	}
	next := *h
	next.attrs += b.String()
	return &next
}

func (h *logHandler) WithGroup(name string) slog.Handler {
	next := *h
	if name != "" {
		next.group += name + "."
	}
	return &next
}

func appendAttr(b *strings.Builder, group string, a slog.Attr) {
	v := a.Value.Resolve()
	if v.Kind() == slog.KindGroup {
		if a.Key != "" {
			group += a.Key + "."
		}
		for _, member := range v.Group() {
			appendAttr(b, group, member)
		}
		return
	}
	if a.Key == "" || v.Any() == nil {
		return
	}
	b.WriteByte(' ')
	b.WriteString(group)
	b.WriteString(a.Key)
	b.WriteByte('=')
	switch v.Kind() {
	case slog.KindString, slog.KindAny:
		b.WriteString(strconv.Quote(v.String()))
	default:
		b.WriteString(v.String())
	}
}

// oneLine keeps what players write from looking like lines of ours, and from
// reaching a terminal as commands.
func oneLine(s string) string {
	if !strings.ContainsFunc(s, isControl) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isControl(r) {
			return ' '
		}
		return r
	}, s)
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f || 0x80 <= r && r < 0xa0 }
