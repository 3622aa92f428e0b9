package server

import (
	"context"
	"errors"
	"strings"

	"strata/server/command"
	"strata/server/play"
	"strata/server/protocol"
	"strata/server/text"
)

// ErrStopped says that a server has stopped before it ran a command.
var ErrStopped = errors.New("the server has stopped")

// waitingJobs is how many functions may wait for the tick goroutine.
const waitingJobs = 256

// later has the tick goroutine call f. It is dropped if the server stops before.
func (s *Server) later(f func()) {
	select {
	case s.jobs <- f:
	case <-s.stopped:
	}
}

// runJobs calls what waits. It belongs to the tick goroutine.
func (s *Server) runJobs() {
	for range len(s.jobs) {
		(<-s.jobs)()
	}
}

// lines gathers answers as lines of English.
type lines struct{ all []string }

func (l *lines) Send(c text.Component) { l.all = append(l.all, c.String()) }

// Console runs a line of the console; what it says goes to the log. It may be
// called from any goroutine, and does not wait.
func (s *Server) Console(line string) {
	if line = strings.TrimSpace(line); line == "" {
		return
	}
	s.later(func() {
		source := command.ConsoleSource(logOutput{s}, s.spawnPlace())
		source.Announce = !s.options.QuietConsole
		_, _ = s.commands.Run(source, line) // an error was told as an answer
	})
}

type logOutput struct{ s *Server }

func (o logOutput) Send(c text.Component) { o.s.options.Log.Info(c.String()) }

// Remote runs a line of a remote console and returns what it said. It may be
// called from any goroutine.
func (s *Server) Remote(ctx context.Context, line string, announce bool) (string, error) {
	said := make(chan string, 1)
	s.later(func() {
		var out lines
		_, _ = s.commands.Run(command.RCONSource(&out, s.spawnPlace(), announce), line) // an error was told as an answer
		said <- strings.Join(out.all, "\n")
	})
	select {
	case text := <-said:
		return text, nil
	case <-ctx.Done():
		return "", ctx.Err()
	case <-s.stopped:
		return "", ErrStopped
	}
}

func (s *Server) spawnPlace() command.Place {
	dimension, p := s.game.WorldSpawn()
	return command.Place{
		Dimension: dimension, Pos: command.Vec3{X: float64(p.X) + 0.5, Y: float64(p.Y), Z: float64(p.Z) + 0.5},
	}
}

// opLevel is a player's permission level.
func (s *Server) opLevel(p *play.Player) int {
	if s.options.Access == nil {
		return 0
	}
	level, _ := s.options.Access.Level(p.UUID())
	return level
}

// playerCommands are what players type.
type playerCommands struct {
	s *Server
	h *host
}

func (c playerCommands) source(p *play.Player) *command.Source {
	return command.PlayerSource(hostPlayer{c.h, p})
}

func (c playerCommands) Run(p *play.Player, line string) {
	_, _ = c.s.commands.Run(c.source(p), line) // an error was told as an answer
}

func (c playerCommands) Complete(p *play.Player, q *protocol.CommandSuggestion) *protocol.CommandSuggestions {
	return c.s.commands.Suggest(c.source(p), q)
}

func (c playerCommands) Tree(p *play.Player) *protocol.Commands {
	return c.s.commands.Tree(c.s.opLevel(p), p.Version())
}

func (c playerCommands) Level(p *play.Player) int { return c.s.opLevel(p) }
