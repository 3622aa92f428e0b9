package rcon

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeServer is a console as the game's: it answers as it does, or badly.
type fakeServer struct {
	t        testing.TB
	listener net.Listener
	password string

	mu       sync.Mutex // guards the rest
	off      bool
	said     []string // commands, in their order
	conns    []net.Conn
	answer   func(command string) (string, bool) // false: silence
	slow     time.Duration
	dieAfter string // the command after whose answer all connections end
	dead     bool
}

func startFake(t testing.TB, address string) *fakeServer {
	t.Helper()
	if address == "" {
		address = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s := &fakeServer{t: t, listener: l, password: "secret"}
	go s.serve()
	t.Cleanup(s.stop)
	return s
}

func (s *fakeServer) address() string { return s.listener.Addr().String() }

func (s *fakeServer) stop() {
	s.listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead = true
	for _, c := range s.conns {
		c.Close()
	}
}

func (s *fakeServer) serve() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns = append(s.conns, c)
		s.mu.Unlock()
		go s.talk(c)
	}
}

func (s *fakeServer) talk(c net.Conn) {
	defer c.Close()
	loggedIn := false
	le := binary.LittleEndian
	for {
		var head [12]byte
		if _, err := io.ReadFull(c, head[:]); err != nil {
			return
		}
		body := make([]byte, le.Uint32(head[:])-8)
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		id, kind, text := int32(le.Uint32(head[4:])), le.Uint32(head[8:]), string(body[:len(body)-2])
		if kind == typeLogin {
			loggedIn = text == s.password
			if !loggedIn {
				id = -1
			}
			writeFrame(c, id, 2, "")
			continue
		}
		if !loggedIn {
			writeFrame(c, -1, 2, "")
			continue
		}
		answer, answers := s.run(text)
		if !answers {
			continue
		}
		for len(answer) >= pieceBytes {
			writeFrame(c, id, 0, answer[:pieceBytes])
			answer = answer[pieceBytes:]
			if answer == "" {
				break
			}
		}
		if answer != "" || !strings.HasPrefix(text, "long") {
			writeFrame(c, id, 0, answer)
		}
		s.mu.Lock()
		die := s.dieAfter == text
		s.mu.Unlock()
		if die {
			go s.stop()
			return
		}
	}
}

func writeFrame(w io.Writer, id int32, kind uint32, text string) {
	le := binary.LittleEndian
	b := le.AppendUint32(nil, uint32(len(text)+10))
	b = le.AppendUint32(le.AppendUint32(b, uint32(id)), kind)
	w.Write(append(append(b, text...), 0, 0))
}

// run is what the game does with a command.
func (s *fakeServer) run(command string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, command)
	time.Sleep(s.slow)
	if s.answer != nil {
		if answer, ok := s.answer(command); answer != "" || !ok {
			return answer, ok
		}
	}
	was := s.off
	switch command {
	case "save-off":
		if s.off = true; was {
			return "Saving is already turned off", true
		}
		return "Automatic saving is now disabled", true
	case "save-on":
		if s.off = false; !was {
			return "Saving is already turned on", true
		}
		return "Automatic saving is now enabled", true
	case "save-all flush":
		return "Saving the game (this may take a moment!)Saved the game", true
	}
	return "Unknown or incomplete command", true
}

func (s *fakeServer) commands() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.said, ", ")
}

func (s *fakeServer) isOff() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.off
}
