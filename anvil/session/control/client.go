package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"strata/region/vfs"
)

// Client is a connection to the holder of a world.
type Client struct {
	mu   sync.Mutex // held during a call
	wire *wire
	bad  error // why the connection is of no use any more, guarded by mu
}

// Dial connects to the endpoint of the process that holds the world. The error
// wraps ErrNoEndpoint if there is no file, ErrDamaged if it makes no sense,
// ErrStale if it is of another world or nobody answers who knows its token,
// ErrBusy if there is no room for another connection, or is the context's.
func Dial(ctx context.Context, fsys vfs.FS, world string) (*Client, error) {
	at, err := readEndpoint(fsys, world)
	if err != nil {
		return nil, err
	}
	switch ours, err := at.of(fsys, world); {
	case err != nil:
		return nil, err
	case !ours:
		return nil, fmt.Errorf("%s: %w: it is of another world", controlPath(world), ErrStale)
	}
	key, err := at.key()
	if err != nil {
		return nil, err // checked before
	}
	network, address, dialer := at.dialer()
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, dialError(ctx, world, err)
	}
	w := newWire(conn)
	stop := context.AfterFunc(ctx, func() { hangUp(conn) })
	err = conn.SetDeadline(time.Now().Add(handshakeTimeout))
	if err == nil {
		err = w.enter(key)
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	if stop() && err == nil {
		return &Client{wire: w}, nil
	}
	hangUp(conn) // nothing is lost: no call was made
	return nil, dialError(ctx, world, err)
}

// dialError says what it means that nobody answers as the holder would.
func dialError(ctx context.Context, world string, err error) error {
	if cerr := ctx.Err(); cerr != nil {
		return cerr
	}
	if errors.Is(err, ErrBusy) {
		return fmt.Errorf("%s: %w", controlPath(world), err)
	}
	return fmt.Errorf("%s: %w: %v", controlPath(world), ErrStale, err)
}

// Call has an operation done and decodes its result into result, which may be
// nil. Items that come before it are given to items, one by one; with a nil
// items they are an error. What the holder reports is a [*Error]; the
// connection stays good after it. After any other error, that of a context
// that ends included, it is closed.
func (c *Client) Call(ctx context.Context, op string, args, result any, items func(item json.RawMessage) error) error {
	var r request
	var err error
	if r.Op = op; args != nil {
		if r.Args, err = json.Marshal(args); err != nil {
			return err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bad != nil {
		return c.bad
	}
	stop := context.AfterFunc(ctx, func() { hangUp(c.wire.conn) })
	answered, err := c.exchange(r, result, items)
	if !stop() {
		answered, err = false, ctx.Err()
	}
	if err != nil && !answered {
		c.bad = ErrClosed
		hangUp(c.wire.conn) // the error before it says more
		if op := (*net.OpError)(nil); errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%w: %v", ErrClosed, err)
		}
	}
	if err != nil {
		return fmt.Errorf("control %s: %w", op, err)
	}
	return nil
}

// exchange sends a request and takes what answers it. Only if the answer came
// to its end is the next line that of another call.
func (c *Client) exchange(r request, result any, items func(json.RawMessage) error) (answered bool, err error) {
	if err := c.wire.send(r); err != nil {
		return false, err
	}
	for {
		var got response
		if err := c.wire.receive(&got); err != nil {
			return false, err
		}
		switch {
		case got.Error != nil:
			return true, got.Error
		case got.Item == nil && result == nil:
			return true, nil
		case got.Item == nil:
			return false, json.Unmarshal(got.Result, result)
		case items == nil:
			return false, errors.New("items that nobody asked for")
		}
		if err := items(got.Item); err != nil {
			return false, err
		}
	}
}

// Close ends the connection, and with it what its calls left behind at the
// holder's. A call that is under way fails.
func (c *Client) Close() error {
	err := c.wire.conn.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bad != nil {
		return nil // it was closed before
	}
	c.bad = ErrClosed
	return err
}
