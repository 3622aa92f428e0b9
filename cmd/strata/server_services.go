package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"

	"strata/server"
	"strata/server/admin"
	"strata/server/metrics"
)

// serverServices are what listens beside the game.
type serverServices []io.Closer

func (s serverServices) close() {
	for _, c := range s {
		_ = c.Close() // listeners; nothing is lost
	}
}

// serve starts what the settings ask for. What it returns is to be closed, after an
// error as well.
func (s *serverSettings) serve(ctx context.Context, of *server.Server, log *slog.Logger) (serverServices, error) {
	var all serverServices
	if s.config.EnableRCON {
		rcon, err := s.rcon(of)
		if err != nil {
			return all, fmt.Errorf("rcon: %w", err)
		}
		log.Info("RCON running on " + rcon.Addr().String())
		all = append(all, rcon)
	}
	for _, e := range []struct {
		name, address, path string
		handler             func() http.Handler
	}{
		{"metrics", s.tuning.Metrics, "/metrics", func() http.Handler { return metrics.Handler(of) }},
		{"pprof", s.tuning.PProf, "/debug/pprof/", metrics.Profiles},
	} {
		if e.address == "" {
			continue
		}
		endpoint, err := metrics.Listen(ctx, e.address, e.handler())
		if err != nil {
			return all, fmt.Errorf("%s: %w", e.name, err)
		}
		log.Info("Serving " + e.name + " at http://" + endpoint.Addr().String() + e.path)
		all = append(all, endpoint)
	}
	return all, nil
}

// rcon answers remote consoles.
func (s *serverSettings) rcon(of *server.Server) (*admin.RCON, error) {
	address := net.JoinHostPort(s.config.ServerIP, strconv.Itoa(s.config.RCONPort))
	return admin.NewRCON(address, s.config.RCONPassword, func(ctx context.Context, line string) string {
		said, err := of.Remote(ctx, line, s.config.BroadcastRCONToOps)
		if err != nil {
			return err.Error()
		}
		return said
	})
}
