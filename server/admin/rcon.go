package admin

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// The protocol of the remote console ("Source RCON"), as the game speaks it.
const (
	rconAnswer  = 0 // to a command
	rconCommand = 2 // and the answer to a login
	rconLogin   = 3

	rconHead   = 8       // id and type
	rconMost   = 4 << 10 // of a request's length, and of a piece of an answer
	rconPiece  = 4096
	rconMaxOut = 1 << 20 // of an answer

	rconClients = 10
	rconIdle    = 10 * time.Minute
	rconFirst   = 10 * time.Second // until the login
	rconWrite   = 30 * time.Second
	// rconPenalty is how long an answer to a wrong password takes, so that trying
	// them takes long.
	rconPenalty = time.Second
)

// ErrPassword says that a remote console needs a password.
var ErrPassword = errors.New("rcon.password is empty")

// RCON is a server for remote consoles.
type RCON struct {
	listener net.Listener
	password [sha256.Size]byte
	run      func(ctx context.Context, line string) string
	penalty  time.Duration

	mu    sync.Mutex
	conns map[net.Conn]bool // guarded by mu
	done  bool              // guarded by mu
	wg    sync.WaitGroup
	ctx   context.Context
	stop  context.CancelFunc
}

// NewRCON listens. run is called by any goroutine, and returns what the command
// said.
func NewRCON(address, password string, run func(ctx context.Context, line string) string) (*RCON, error) {
	if password == "" {
		return nil, ErrPassword
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	r := &RCON{
		listener: listener, password: sha256.Sum256([]byte(password)), run: run, penalty: rconPenalty, conns: map[net.Conn]bool{},
	}
	r.ctx, r.stop = context.WithCancel(context.Background())
	r.wg.Go(r.accept)
	return r, nil
}

// Addr is what is listened on.
func (r *RCON) Addr() net.Addr { return r.listener.Addr() }

// Close ends all connections and waits for them.
func (r *RCON) Close() error {
	r.stop()
	err := r.listener.Close()
	r.mu.Lock()
	r.done = true
	for c := range r.conns {
		_ = c.Close() // its goroutine ends by that
	}
	r.mu.Unlock()
	r.wg.Wait()
	return err
}

func (r *RCON) accept() {
	for {
		c, err := r.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			select {
			case <-r.ctx.Done():
				return
			case <-time.After(100 * time.Millisecond): // such as too many open files
			}
			continue
		}
		if !r.enter(c) {
			_ = c.Close() // there are too many
			continue
		}
		r.wg.Go(func() {
			defer r.leave(c)
			// What goes wrong is the client's matter; it notices the end.
			_ = r.serve(c)
		})
	}
}

func (r *RCON) enter(c net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done || len(r.conns) >= rconClients {
		return false
	}
	r.conns[c] = true
	return true
}

func (r *RCON) leave(c net.Conn) {
	_ = c.Close() // nobody is there to be told
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.conns, c)
}

// serve answers one client until it ends.
func (r *RCON) serve(c net.Conn) error {
	if err := c.SetDeadline(time.Now().Add(rconFirst)); err != nil {
		return err
	}
	known := false
	for {
		id, kind, body, err := readRCON(c)
		if err != nil {
			return err
		}
		switch {
		case kind == rconLogin:
			sum := sha256.Sum256(body)
			if known = subtle.ConstantTimeCompare(sum[:], r.password[:]) == 1; !known {
				select {
				case <-r.ctx.Done():
					return r.ctx.Err()
				case <-time.After(r.penalty):
				}
				id = -1
			}
			err = send(c, id, rconCommand, nil)
		case !known:
			return send(c, -1, rconCommand, nil)
		case kind == rconCommand:
			err = r.answer(c, id, string(body))
		default:
			err = send(c, id, rconAnswer, fmt.Appendf(nil, "Unknown request %x", uint32(kind)))
		}
		if err != nil {
			return err
		}
		if known {
			if err := c.SetReadDeadline(time.Now().Add(rconIdle)); err != nil {
				return err
			}
		}
	}
}

// answer runs a command and sends what it said, in pieces.
func (r *RCON) answer(c net.Conn, id int32, line string) error {
	said := []byte(r.run(r.ctx, line))
	said = said[:min(len(said), rconMaxOut)]
	for first := true; first || len(said) > 0; first = false {
		n := min(len(said), rconPiece)
		if err := send(c, id, rconAnswer, said[:n]); err != nil {
			return err
		}
		said = said[n:]
	}
	return nil
}

// send is writeRCON with a time for it.
func send(c net.Conn, id, kind int32, body []byte) error {
	if err := c.SetWriteDeadline(time.Now().Add(rconWrite)); err != nil {
		return err
	}
	return writeRCON(c, id, kind, body)
}

var errRCON = errors.New("malformed request")

// readRCON reads a request: its length, id, type, body and two zero bytes.
func readRCON(r io.Reader) (id, kind int32, body []byte, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, 0, nil, err
	}
	length := int32(binary.LittleEndian.Uint32(head[:]))
	if length < rconHead+2 || length > rconMost {
		return 0, 0, nil, fmt.Errorf("length %d: %w", length, errRCON)
	}
	buf := make([]byte, length)
	if _, err := io.ReadFull(r, buf); err != nil {
		return 0, 0, nil, err
	}
	body = buf[rconHead : length-2]
	if buf[length-2] != 0 || buf[length-1] != 0 {
		return 0, 0, nil, fmt.Errorf("no end: %w", errRCON)
	}
	return int32(binary.LittleEndian.Uint32(buf)), int32(binary.LittleEndian.Uint32(buf[4:])), body, nil
}

func writeRCON(w io.Writer, id, kind int32, body []byte) error {
	buf := binary.LittleEndian.AppendUint32(nil, uint32(rconHead+len(body)+2))
	buf = binary.LittleEndian.AppendUint32(buf, uint32(id))
	buf = binary.LittleEndian.AppendUint32(buf, uint32(kind))
	buf = append(append(buf, body...), 0, 0)
	_, err := w.Write(buf)
	return err
}
