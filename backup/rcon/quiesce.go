package rcon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"strata/region/vfs"
)

// Options say how to reach a server and what to ask of it.
type Options struct {
	Address, Password string
	// NoSaveOff leaves saving on and only has the server write what it has.
	NoSaveOff bool
	// Marker is the file that tells a later process that saving is off. Its
	// folder has to exist.
	Marker string
	// FS has the marker, default the operating system's.
	FS vfs.FS
	// Timeout bounds connecting and every command but save-all flush, default
	// 30 s; FlushTimeout bounds that, default 10 minutes.
	Timeout, FlushTimeout time.Duration
	// Settle is how long to wait after the server has said that all is written,
	// default 1 s.
	Settle time.Duration
	// Now is the clock, default time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.FlushTimeout == 0 {
		o.FlushTimeout = 10 * time.Minute
	}
	if o.Settle == 0 {
		o.Settle = time.Second
	}
	if o.FS == nil {
		o.FS = vfs.OS()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// ErrSaving says that the server did not say what it says when saving is turned off, all
// is written, or saving is on.
var ErrSaving = errors.New("the server did not do as asked")

// Marker is what the marker file holds.
type Marker struct {
	Address string    `json:"address"`
	Since   time.Time `json:"since"`
}

const maxMarker = 1 << 16

// Quiet is a server that does not write to its world.
type Quiet struct {
	o      Options
	client *Client
	// wasOff: saving was off before, by somebody else's choice.
	wasOff bool
}

// WasOff reports that saving had been off already.
func (q *Quiet) WasOff() bool { return q.wasOff }

// Quiesce turns saving off and has all written, in that order. If that fails,
// saving is on again, or the error and the marker say that it is not.
func Quiesce(ctx context.Context, o Options) (*Quiet, error) {
	o = o.withDefaults()
	client, err := o.dial(ctx)
	if err != nil {
		return nil, err
	}
	q := &Quiet{o: o, client: client}
	if err := q.begin(ctx); err != nil {
		// A new context: that of the caller may have ended.
		return nil, errors.Join(err, q.Release(context.WithoutCancel(ctx)))
	}
	return q, nil
}

func (o *Options) dial(ctx context.Context) (*Client, error) {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	return Dial(ctx, o.Address, o.Password)
}

func (q *Quiet) begin(ctx context.Context) error {
	if !q.o.NoSaveOff {
		if err := q.o.mark(); err != nil {
			return err
		}
		answer, err := q.command(ctx, "save-off", q.o.Timeout)
		if err != nil {
			return err
		}
		switch {
		case contains(answer, "already turned off", "already disabled"):
			q.wasOff = true
			if err := q.o.unmark(); err != nil {
				return err
			}
		case !contains(answer, "disabled", "turned off"):
			return fmt.Errorf("save-off: %w: %q", ErrSaving, answer)
		}
	}
	answer, err := q.command(ctx, "save-all flush", q.o.FlushTimeout)
	if err != nil {
		return err
	}
	if !contains(answer, "saved the game", "saved the world", "save complete") {
		return fmt.Errorf("save-all flush: %w: %q", ErrSaving, answer)
	}
	select {
	case <-time.After(q.o.Settle):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func contains(answer string, some ...string) bool {
	answer = strings.ToLower(answer)
	for _, s := range some {
		if strings.Contains(answer, s) {
			return true
		}
	}
	return false
}

func (q *Quiet) command(ctx context.Context, command string, timeout time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return q.client.Command(ctx, command)
}

// Release turns saving on, over a new connection if the old one is dead, and
// ends the connection. It is not bound to the context that Quiesce had; give it
// one that lasts. Where nothing was turned off it does nothing.
func (q *Quiet) Release(ctx context.Context) error {
	if q.o.NoSaveOff || q.wasOff {
		return q.client.Close()
	}
	if _, err := q.o.FS.Stat(q.o.Marker); errors.Is(err, fs.ErrNotExist) {
		return q.client.Close() // nothing was turned off
	}
	if err := q.o.saveOn(ctx, q.client); err != nil {
		q.client.Close() //nolint:errcheck // it is dead
		fresh, dialErr := q.o.dial(ctx)
		if dialErr != nil {
			return q.o.stillOff(errors.Join(err, dialErr))
		}
		q.client = fresh
		if err := q.o.saveOn(ctx, fresh); err != nil {
			fresh.Close() //nolint:errcheck // the other error says more
			return q.o.stillOff(err)
		}
	}
	return errors.Join(q.o.unmark(), q.client.Close())
}

func (o *Options) saveOn(ctx context.Context, c *Client) error {
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	answer, err := c.Command(ctx, "save-on")
	if err == nil && !contains(answer, "enabled", "turned on") {
		err = fmt.Errorf("save-on: %w: %q", ErrSaving, answer)
	}
	return err
}

// StillOffError says that saving may be off still.
type StillOffError struct {
	Address string
	Err     error
}

func (e *StillOffError) Error() string {
	return fmt.Sprintf("the server at %s may not save any more: type save-on in its console, or run the backup again: %v", e.Address, e.Err)
}

// Unwrap returns the cause.
func (e *StillOffError) Unwrap() error { return e.Err }

func (o *Options) stillOff(err error) error { return &StillOffError{o.Address, err} }

// Recover turns saving on again where a process that had turned it off was killed;
// false if there was none. A *StillOffError if the server does not answer.
func Recover(ctx context.Context, o Options) (bool, error) {
	o = o.withDefaults()
	data, err := vfs.ReadFile(o.FS, o.Marker, maxMarker)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for a server that does not save: %w", err)
	}
	var m Marker
	if json.Unmarshal(data, &m) == nil && m.Address != "" {
		o.Address = m.Address // whatever is given now
	}
	client, err := o.dial(ctx)
	if err != nil {
		return false, o.stillOff(err)
	}
	defer client.Close()
	if err := o.saveOn(ctx, client); err != nil {
		return false, o.stillOff(err)
	}
	return true, o.unmark()
}

func (o *Options) mark() error {
	data, err := json.Marshal(Marker{o.Address, o.Now().UTC()})
	if err == nil {
		err = vfs.WriteFileSync(o.FS, o.Marker, append(data, '\n'), 0o600)
	}
	if err != nil {
		return fmt.Errorf("note that saving is off: %w", err)
	}
	return nil
}

func (o *Options) unmark() error {
	err := o.FS.Remove(o.Marker)
	if err == nil {
		err = o.FS.SyncDir(filepath.Dir(o.Marker))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("note that saving is on: %w", err)
	}
	return nil
}
