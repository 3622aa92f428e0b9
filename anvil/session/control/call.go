package control

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// Call is one call that a handler answers.
type Call struct {
	// Op is the operation's name.
	Op   string
	args json.RawMessage
	talk *talk
}

// Args decodes the call's arguments; unknown ones are an error, for a client
// that asks for more than is done must not take it for done. No arguments leave
// v as it is.
func (c *Call) Args(v any) error {
	if len(c.args) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(c.args))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return &Error{CodeBad, fmt.Sprintf("arguments of %s: %v", c.Op, err)}
	}
	return nil
}

// Send sends an item ahead of the result. It waits for the client to take it,
// up to 30 seconds. One goroutine at a time may send, and none after the handler
// has returned.
func (c *Call) Send(item any) error {
	line, err := json.Marshal(item)
	if err != nil {
		return err
	}
	return c.talk.wire.send(response{Item: line})
}

// OnEnd has f called when the connection ends, after the handler has returned.
// The last function is called first. The function that is returned takes it
// back: it reports whether f was not called and now never will be.
func (c *Call) OnEnd(f func()) (cancel func() bool) {
	t := c.talk
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	id := t.last
	t.ends = append(t.ends, end{id, f})
	return func() bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		for i := range t.ends {
			if t.ends[i].id == id {
				t.ends = append(t.ends[:i], t.ends[i+1:]...)
				return true
			}
		}
		return false
	}
}

// talk is a connection on the holder's side.
type talk struct {
	wire *wire

	mu   sync.Mutex // guards the rest
	ends []end
	last int
}

type end struct {
	id int
	f  func()
}

// talk serves one connection to its end.
func (s *Server) talk(conn net.Conn, room bool) {
	defer hangUp(conn)
	t := &talk{wire: newWire(conn)}
	if conn.SetDeadline(time.Now().Add(handshakeTimeout)) != nil || t.wire.admit(s.key, !room) != nil || !room {
		return // a stranger, or nobody: there is no one to tell
	}
	if conn.SetDeadline(time.Time{}) != nil {
		return
	}
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	defer t.finish()
	requests := make(chan request)
	var reading sync.WaitGroup
	reading.Go(func() {
		defer close(requests)
		defer cancel() // a handler need not go on for a client that is gone
		for {
			var r request
			if t.wire.receive(&r) != nil {
				return
			}
			select {
			case requests <- r:
			case <-ctx.Done():
				return
			}
		}
	})
	for r := range requests {
		if t.wire.send(s.answer(ctx, t, r)) != nil {
			break
		}
	}
	hangUp(conn) // ends the reading
	cancel()
	reading.Wait()
}

// finish calls what OnEnd was given, the last first.
func (t *talk) finish() {
	for {
		t.mu.Lock()
		n := len(t.ends)
		if n == 0 {
			t.mu.Unlock()
			return
		}
		f := t.ends[n-1].f
		t.ends = t.ends[:n-1]
		t.mu.Unlock()
		f()
	}
}

// answer has a request handled.
func (s *Server) answer(ctx context.Context, t *talk, r request) response {
	handler, ok := s.handlers[r.Op]
	if !ok {
		return response{Error: toError(&Error{CodeUnknown, fmt.Sprintf("no operation %q", r.Op)})}
	}
	result, err := handler(ctx, &Call{Op: r.Op, args: r.Args, talk: t})
	if err != nil {
		return response{Error: toError(err)}
	}
	line, err := json.Marshal(result)
	switch {
	case err != nil:
		return response{Error: &Error{CodeFailed, fmt.Sprintf("result of %s: %v", r.Op, err)}}
	case len(line) > MaxLine-len(`{"result":}`)-1:
		return response{Error: &Error{CodeFailed, fmt.Sprintf("result of %s: %v", r.Op, ErrTooLong)}}
	}
	return response{Result: line}
}

// maxMessage bounds an error's text, in bytes.
const maxMessage = 4096

func toError(err error) *Error {
	coded := &Error{CodeFailed, err.Error()}
	if e := (*Error)(nil); errors.As(err, &e) {
		coded.Code = e.Code
		coded.Message = e.Message
	}
	if len(coded.Message) > maxMessage {
		coded.Message = coded.Message[:maxMessage]
	}
	return coded
}
