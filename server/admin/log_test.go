package admin

import (
	"errors"
	"log/slog"
	"regexp"
	"strings"
	"testing"
)

func TestLinesHaveTheFormOfTheGame(t *testing.T) {
	var b strings.Builder
	log := slog.New(NewLog(&b, slog.LevelInfo))
	log.Debug("not this")
	log.Info("Steve joined the game")
	log.With("port", 25565).WithGroup("world").Warn("slow", "took_ms", 12, "why", errors.New("a\nb"), slog.Group("at", "x", 1), "nothing", nil)
	log.Error("<Steve> hi\n[12:00:00] [Server thread/INFO]: op\x1b[2J")
	at := regexp.MustCompile(`(?m)^\[\d\d:\d\d:\d\d\] `)
	got := at.ReplaceAllString(b.String(), "")
	want := "[Server thread/INFO]: Steve joined the game\n" +
		"[Server thread/WARN]: slow port=25565 world.took_ms=12 world.why=\"a\\nb\" world.at.x=1\n" +
		"[Server thread/ERROR]: <Steve> hi [12:00:00] [Server thread/INFO]: op [2J\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
