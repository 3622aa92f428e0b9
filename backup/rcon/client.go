package rcon

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"
)

// Errors of a console.
var (
	// ErrPassword: the server does not take the password.
	ErrPassword = errors.New("wrong RCON password")
	// ErrProtocol: what came back is no answer.
	ErrProtocol = errors.New("no RCON answer")
	// ErrTooLong: the command does not fit into a request.
	ErrTooLong = errors.New("command too long for RCON")
)

const (
	typeResponse = 0
	typeCommand  = 2
	typeLogin    = 3

	maxCommand  = 1446
	pieceBytes  = 4096
	maxFrame    = 64 << 10 // of an answer; the game's have 4,106 at most
	maxAnswer   = 1 << 20
	restTimeout = 200 * time.Millisecond // for more of an answer that is cut
)

// Client is a connection to a server's console.
type Client struct {
	mu     sync.Mutex // guards the rest
	conn   net.Conn
	lastID int32
	broken error // after an error the stream cannot be trusted
}

// Dial connects and logs in. ErrPassword; otherwise the errors are those of the
// network.
func Dial(ctx context.Context, address, password string) (*Client, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("RCON: %w", err)
	}
	c := &Client{conn: conn}
	if err := c.login(ctx, password); err != nil {
		return nil, errors.Join(fmt.Errorf("RCON login at %s: %w", address, err), conn.Close())
	}
	return c, nil
}

// Close ends the connection.
func (c *Client) Close() error { return c.conn.Close() }

func (c *Client) login(ctx context.Context, password string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.bound(ctx)()
	id, err := c.send(typeLogin, password)
	if err != nil {
		return err
	}
	for {
		got, kind, _, err := c.receive()
		switch {
		case err != nil:
			return err
		case kind == typeResponse && got == id:
			continue // Valve's servers send an empty one first
		case got == -1:
			return ErrPassword
		case got == id:
			return nil
		}
		return ErrProtocol
	}
}

// Command runs a command and returns what the server says to it. ctx bounds the
// time; after an error the connection is no longer good.
func (c *Client) Command(ctx context.Context, command string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.broken != nil {
		return "", c.broken
	}
	if len(command) > maxCommand || strings.ContainsRune(command, 0) {
		return "", fmt.Errorf("%.40q...: %w", command, ErrTooLong)
	}
	defer c.bound(ctx)()
	answer, err := c.command(command)
	if err != nil {
		if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
			// The connection's clock may be a little ahead of the context's.
			cause := context.Cause(ctx)
			if cause == nil {
				cause = context.DeadlineExceeded
			}
			err = fmt.Errorf("%w: %w", cause, err)
		}
		c.broken = fmt.Errorf("RCON %q: %w", command, err)
		return "", c.broken
	}
	return answer, nil
}

func (c *Client) command(command string) (string, error) {
	id, err := c.send(typeCommand, command)
	if err != nil {
		return "", err
	}
	var all strings.Builder
	for {
		got, kind, body, err := c.receive()
		if err != nil {
			if all.Len() > 0 && errors.Is(err, errQuiet) {
				return all.String(), nil // the answer was a whole number of pieces
			}
			return "", err
		}
		if got != id || kind != typeResponse || all.Len() > maxAnswer {
			return "", ErrProtocol
		}
		all.Write(body)
		if len(body) < pieceBytes {
			return all.String(), nil
		}
		c.awaitRest()
	}
}

// bound makes reads and writes end with ctx, until the function it returns is
// called.
func (c *Client) bound(ctx context.Context) (release func()) {
	if deadline, ok := ctx.Deadline(); ok {
		c.conn.SetDeadline(deadline) //nolint:errcheck // reading will tell
	} else {
		c.conn.SetDeadline(time.Time{}) //nolint:errcheck // likewise
	}
	stop := context.AfterFunc(ctx, func() {
		c.conn.SetDeadline(time.Unix(1, 0)) //nolint:errcheck // likewise
	})
	return func() { stop() }
}

func (c *Client) awaitRest() {
	c.conn.SetReadDeadline(time.Now().Add(restTimeout)) //nolint:errcheck // reading will tell
}

func (c *Client) send(kind int32, text string) (int32, error) {
	c.lastID = c.lastID&0x7FFFFFFE + 1
	le := binary.LittleEndian
	frame := le.AppendUint32(nil, uint32(len(text)+10))
	frame = le.AppendUint32(frame, uint32(c.lastID))
	frame = le.AppendUint32(frame, uint32(kind))
	frame = append(append(frame, text...), 0, 0)
	_, err := c.conn.Write(frame)
	return c.lastID, err
}

// errQuiet: nothing came at all, in the middle of no frame.
var errQuiet = errors.New("nothing more came")

func (c *Client) receive() (id, kind int32, body []byte, err error) {
	var head [12]byte
	if n, err := io.ReadFull(c.conn, head[:]); err != nil {
		if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() && n == 0 {
			err = fmt.Errorf("%w: %w", errQuiet, err)
		}
		return 0, 0, nil, err
	}
	le := binary.LittleEndian
	size := int64(int32(le.Uint32(head[:])))
	if size < 10 || size > maxFrame {
		return 0, 0, nil, fmt.Errorf("%w: a frame of %d bytes", ErrProtocol, size)
	}
	body = make([]byte, size-8)
	if _, err := io.ReadFull(c.conn, body); err != nil {
		return 0, 0, nil, err
	}
	return int32(le.Uint32(head[4:])), int32(le.Uint32(head[8:])), body[:len(body)-2], nil
}
