package control

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net"
	"os"
	"sync"
	"time"

	"strata/anvil/session"
	"strata/region/vfs"
)

// MaxConns is how many connections an endpoint has at a time.
const MaxConns = 64

// Handler does what a call asks for. It may wait; the context ends with the
// connection and with the server. The result is what encoding/json takes.
type Handler func(ctx context.Context, call *Call) (result any, err error)

// Server is a published endpoint.
type Server struct {
	fsys     vfs.FS
	world    string
	listener net.Listener
	key      []byte
	handlers map[string]Handler
	lock     *session.Lock
	ctx      context.Context // ends with the server: its goroutines outlive the call that began them
	cancel   context.CancelFunc
	running  sync.WaitGroup

	mu     sync.Mutex // guards the rest
	conns  map[net.Conn]struct{}
	closed bool
}

// Serve publishes an endpoint for the world's folder, the first that lock
// holds, which is retained until Close. What a holder that died left there is
// replaced. Handlers are by the names of their operations. The error wraps
// ErrNotPrivate if others could read the file.
func Serve(fsys vfs.FS, lock *session.Lock, handlers map[string]Handler) (*Server, error) {
	return serve(fsys, lock, handlers, listen)
}

func serve(fsys vfs.FS, lock *session.Lock, handlers map[string]Handler, listen func() (net.Listener, error)) (*Server, error) {
	if err := lock.Retain(); err != nil {
		return nil, err
	}
	s := &Server{
		fsys: fsys, world: lock.Folders()[0], lock: lock, handlers: handlers,
		key: make([]byte, tokenBytes), conns: map[net.Conn]struct{}{},
	}
	rand.Read(s.key) // never fails: it ends the program instead
	if err := s.publish(listen); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.running.Go(s.accept)
	return s, nil
}

// publish opens the socket and then writes the file that names it.
func (s *Server) publish(listen func() (net.Listener, error)) error {
	removeStale(s.fsys, s.world)
	id, err := folderID(s.fsys, s.world)
	if err != nil {
		return err
	}
	if s.listener, err = listen(); err != nil {
		return err
	}
	at := s.listener.Addr()
	err = endpoint{
		Version: fileVersion, Network: at.Network(), Address: at.String(),
		Token: hex.EncodeToString(s.key), PID: os.Getpid(), World: id,
	}.write(s.fsys, s.world)
	if err != nil {
		return errors.Join(err, s.closeListener())
	}
	return nil
}

func (s *Server) closeListener() error {
	err := s.listener.Close()
	if at := s.listener.Addr(); at.Network() == "unix" {
		err = errors.Join(err, removeSocket(at.String()))
	}
	return err
}

// acceptPause is how long to wait when the process has no descriptors left.
const acceptPause = 50 * time.Millisecond

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			select {
			case <-s.ctx.Done():
				return
			case <-time.After(acceptPause):
				continue
			}
		}
		room, open := s.enlist(conn)
		if !open {
			hangUp(conn) // nothing was written
			return
		}
		s.running.Go(func() {
			s.talk(conn, room)
			s.mu.Lock()
			delete(s.conns, conn)
			s.mu.Unlock()
		})
	}
}

// turnedAway is how many connections beyond MaxConns are told so at a time;
// more wait until one of them has gone.
const turnedAway = 16

// enlist takes a connection in. There is room for it, or it is to be told that
// there is none.
func (s *Server) enlist(conn net.Conn) (room, open bool) {
	for {
		s.mu.Lock()
		n := len(s.conns)
		if s.closed {
			s.mu.Unlock()
			return false, false
		}
		if n < MaxConns+turnedAway {
			s.conns[conn] = struct{}{}
			s.mu.Unlock()
			return n < MaxConns, true
		}
		s.mu.Unlock()
		// Whoever waits in line is served when another has gone.
		select {
		case <-s.ctx.Done():
		case <-time.After(acceptPause):
		}
	}
}

// Close withdraws the endpoint: the file is removed, connections are ended, and
// Close waits until their handlers have returned and what they left behind has
// ended. Then the lock is released.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	conns := make([]net.Conn, 0, len(s.conns))
	for conn := range s.conns {
		conns = append(conns, conn)
	}
	s.mu.Unlock()
	err := s.fsys.Remove(controlPath(s.world))
	s.cancel()
	err = errors.Join(err, s.closeListener())
	for _, conn := range conns {
		hangUp(conn) // its own goroutine reports nothing either: the peer is gone
	}
	s.running.Wait()
	return errors.Join(err, s.lock.Release())
}
