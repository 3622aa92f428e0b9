package ui

import (
	"io"
	"log/slog"
)

var logFormats = []string{"text", "json"}

// newLogger returns a logger that writes entries of at least level to w, one
// line each.
func newLogger(w io.Writer, format string, level slog.Level) *slog.Logger {
	opts := &slog.HandlerOptions{Level: level}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
