package conn

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"time"

	"strata/server/protocol"
)

// Options say how clients are received. The zero value works: offline mode is
// then on, as Session is empty.
type Options struct {
	// Threshold is the size in bytes from which packets are compressed; 0
	// means 256, -1 no compression.
	Threshold int
	// Level is that of zlib, 1 to 9; 0 means 3.
	Level int
	// Session is the address of the session service for online mode, such as
	// https://sessionserver.mojang.com. Empty is offline mode.
	Session string
	// Status says what clients are shown of the server; nil shows an empty
	// one. It is called once for each question and must not block.
	Status func() Status
	// NoStatus closes the connections of clients that ask for the status,
	// without an answer.
	NoStatus bool
	// Admit may refuse a player with an error, whose text is shown to the
	// player: a [*Refusal] or any other. nil admits all.
	Admit func(ctx context.Context, p Profile, remote net.Addr) error
	// Throttle makes addresses wait between two logins, but for those of this
	// machine, such as a proxy's; nil lets all log in at any time. Asking for the
	// status is free.
	Throttle *Throttle
	// Pending is how many connections may be there at a time that are not logged in;
	// more are closed unanswered. 0 means 1,000.
	Pending int
	// Brand is the name of the server's software; "" means "strata".
	Brand string
	// LoginTimeout is how long a client may take from its first byte until it
	// is logged in, and again to be configured; 0 means 30 s.
	LoginTimeout time.Duration
	// IdleTimeout is how long a logged in client may send nothing; 0 means
	// 30 s.
	IdleTimeout time.Duration
	// Now is the clock of budgets; nil means time.Now. Deadlines go by the
	// system's.
	Now func() time.Time
}

// The defaults of Options.
const (
	defaultThreshold = 256
	defaultLevel     = 3
	defaultTimeout   = 30 * time.Second
	defaultBrand     = "strata"
	defaultPending   = 1000

	packetsPerSecond = 500
	packetsOver      = 7 * time.Second
)

// withDefaults fills in what is zero and checks the rest.
func (o Options) withDefaults() (Options, error) {
	if o.Threshold == 0 {
		o.Threshold = defaultThreshold
	}
	if o.Level == 0 {
		o.Level = defaultLevel
	}
	if o.Pending == 0 {
		o.Pending = defaultPending
	}
	if o.Brand == "" {
		o.Brand = defaultBrand
	}
	if o.LoginTimeout == 0 {
		o.LoginTimeout = defaultTimeout
	}
	if o.IdleTimeout == 0 {
		o.IdleTimeout = defaultTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Status == nil {
		o.Status = func() Status { return Status{} }
	}
	switch {
	case o.Threshold < protocol.NoCompression || o.Threshold > protocol.MaxFrame:
		return o, fmt.Errorf("conn: Options.Threshold %d: want -1 to %d", o.Threshold, protocol.MaxFrame)
	case o.Level < 1 || o.Level > 9:
		return o, fmt.Errorf("conn: Options.Level %d: want 1 to 9", o.Level)
	case o.Pending < 0:
		return o, fmt.Errorf("conn: Options.Pending %d: want 1 or more", o.Pending)
	case o.LoginTimeout < 0 || o.IdleTimeout < 0:
		return o, fmt.Errorf("conn: negative timeout")
	}
	if o.Session != "" {
		if u, err := url.Parse(o.Session); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			return o, fmt.Errorf("conn: Options.Session %q: want an http or https address", o.Session)
		}
	}
	return o, nil
}
