package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"strata/anvil/store"
	"strata/server/command"
	"strata/server/conn"
	"strata/server/entity"
	"strata/server/play"
	"strata/server/saved"
	"strata/server/source"
	"strata/server/stream"
	"strata/server/tick"
	"strata/server/world"
)

// Server is a game server.
type Server struct {
	options    Options
	generators *source.Generators
	store      *store.Store
	worlds     []*world.Dimension // the overworld first
	sources    map[string]*source.Source
	limit      *source.Limit // of what generates
	ids        entity.IDs
	chunks     *stream.Cache
	game       *play.Game
	conns      *conn.Server
	listener   net.Listener
	online     atomic.Int32
	sample     atomic.Pointer[[]conn.SamplePlayer] // of the status
	sampled    int64                               // the tick of it
	ticks      int64                               // since the start
	loaded     []atomic.Int32                      // chunks of worlds
	traffic    traffic
	handlers   sync.WaitGroup
	commands   *command.Dispatcher
	seed       int64
	files      *saved.Files
	saved      *saved.World
	heavy      bool        // files are staged beside the ticks
	staging    atomic.Bool // that is going on
	untilKept  int         // ticks
	saveOff    bool        // nothing is saved by itself
	paused     bool        // as of the last tick
	jobs       chan func() // for the tick goroutine
	stopped    chan struct{}
	context    context.Context // of Run
	stop       context.CancelFunc
	saving     sync.WaitGroup // what waits for the store
	memory     memory
	times      *tick.Times
	watchdog   *tick.Watchdog
	telling    chan struct{} // has room for one report that the log is told
	pace       pace
	idle       int            // ticks without players
	resting    sync.WaitGroup // what gives memory back
}

const (
	closeWait  = 5 * time.Second
	acceptWait = 50 * time.Millisecond
)

// New opens the world, and listens. Run serves.
func New(o Options) (*Server, error) {
	o.complete()
	s := &Server{options: o, jobs: make(chan func(), waitingJobs), stopped: make(chan struct{}), sources: map[string]*source.Source{}}
	s.pace, s.telling = newPace(), make(chan struct{}, 1)
	s.times, s.watchdog = tick.NewTimes(), tick.NewWatchdog(tick.WatchOptions{Limit: o.MaxTickTime, Report: s.stalled})
	var err error
	if s.memory, err = s.options.memory(); err != nil {
		return nil, err
	}
	var throttle *conn.Throttle
	if o.Throttle > 0 {
		throttle = conn.NewThrottle(o.Throttle)
	}
	if s.conns, err = conn.NewServer(conn.Options{
		Throttle: throttle,
		Session:  o.Session, Status: s.status, NoStatus: o.NoStatus, Threshold: o.Threshold, Admit: s.admit,
	}); err != nil {
		return nil, err
	}
	if err = s.open(); err != nil {
		return nil, err
	}
	s.loaded = make([]atomic.Int32, len(s.worlds))
	if s.listener, err = net.Listen("tcp", o.Address); err != nil {
		return nil, errors.Join(err, s.closeWorld())
	}
	return s, nil
}

// Close gives up a server that does not run.
func (s *Server) Close() error { return errors.Join(s.listener.Close(), s.closeWorld()) }

// Addr is what the server listens on.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// Run serves until ctx ends; then it disconnects all players, saves and closes
// the world. It is called once.
func (s *Server) Run(ctx context.Context) error {
	defer s.memory.apply()()
	ctx, s.stop = context.WithCancel(ctx)
	defer s.stop()
	s.context = ctx
	connections, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	accepted := make(chan struct{})
	go func() {
		defer close(accepted)
		s.accept(connections)
	}()
	s.options.Log.Info("Listening", "address", s.Addr().String())
	s.loop(ctx)
	close(s.stopped)
	s.saving.Wait()
	err := s.listener.Close()
	<-accepted
	s.game.KickAll(play.Translated("multiplayer.disconnect.server_shutdown", ""))
	s.wait(cancel)
	s.stageWorld(s.saved)
	return errors.Join(err, s.closeWorld())
}

// wait waits for all connections, a while for them to end by themselves.
func (s *Server) wait(cancel context.CancelFunc) {
	timer := time.AfterFunc(closeWait, cancel)
	defer timer.Stop()
	s.handlers.Wait()
	s.resting.Wait()
}

// accept serves connections until the listener is closed.
func (s *Server) accept(ctx context.Context) {
	for {
		c, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			s.options.Log.Warn("accept", "error", err)
			time.Sleep(acceptWait) // such as too many open files
			continue
		}
		s.handlers.Add(1)
		c = s.traffic.count(c)
		go func() {
			defer s.handlers.Done()
			defer s.traffic.open.Add(-1)
			defer c.Close()
			s.serve(ctx, c)
		}()
	}
}

// serve is a connection's time. What goes wrong in it ends no other.
func (s *Server) serve(ctx context.Context, nc net.Conn) {
	defer func() {
		if p := recover(); p != nil {
			s.options.Log.Error("connection panicked", "remote", s.shownAddress(nc), "panic", p, "stack", string(debug.Stack()))
		}
	}()
	c, err := s.conns.Handle(ctx, nc)
	if err != nil {
		s.logRefused(nc, err)
		return
	}
	if err := s.admitted(ctx, c); err != nil {
		s.options.Log.Info("connection ended", "remote", s.shownAddress(nc), "player", c.Profile().Name, "error", err)
	}
}

// logRefused logs why a connection came to no login. Anyone can make such lines, so
// that only those which tell of a player are shown in any case.
func (s *Server) logRefused(nc net.Conn, err error) {
	level := slog.LevelDebug
	for _, of := range []error{conn.ErrRefused, conn.ErrAuthentication, conn.ErrSessionService} {
		if errors.Is(err, of) {
			level = slog.LevelInfo
		}
	}
	if !errors.Is(err, conn.ErrStatus) {
		s.options.Log.Log(context.Background(), level, "connection refused", "remote", s.shownAddress(nc), "error", err)
	}
}

// admitted is the time of a client who has logged in.
func (s *Server) admitted(ctx context.Context, c *conn.Conn) error {
	if int(s.online.Load()) >= s.options.MaxPlayers {
		return c.Disconnect(play.Translated("multiplayer.disconnect.server_full", ""))
	}
	info, err := c.Configure(ctx)
	if err != nil {
		return err
	}
	return s.game.Serve(ctx, c, info)
}
