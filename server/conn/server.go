package conn

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// Server receives clients.
type Server struct {
	options Options
	client  *http.Client
	// key and publicKey are for online mode, nil without it.
	key       *rsa.PrivateKey
	publicKey []byte

	pending atomic.Int32 // connections that are not logged in yet

	mu     sync.Mutex
	frames map[configKey]func() ([]byte, error) // guarded by mu
}

// keyBits is the size of the key that the game's own server has; clients take
// no other.
const keyBits = 1024

// NewServer returns a server for these options.
func NewServer(o Options) (*Server, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Server{
		options: o,
		client:  &http.Client{Timeout: 10 * time.Second},
		frames:  map[configKey]func() ([]byte, error){},
	}
	if o.Session == "" {
		return s, nil
	}
	if s.key, err = rsa.GenerateKey(rand.Reader, keyBits); err != nil {
		return nil, fmt.Errorf("make the login key: %w", err)
	}
	s.publicKey, err = x509.MarshalPKIXPublicKey(&s.key.PublicKey)
	return s, err
}

// Threshold is from how many bytes on packets are compressed; frames that are made
// for many clients have to go by it. It is protocol.NoCompression for none.
func (s *Server) Threshold() int { return s.options.Threshold }

// Handle receives a client. It returns a connection in the configuration
// state, whose owner closes it; or an error, and has closed it: ErrStatus if
// the client wanted no more than the status, else what went wrong, which the
// client was told if there was a way to.
func (s *Server) Handle(ctx context.Context, nc net.Conn) (*Conn, error) {
	defer s.pending.Add(-1)
	if s.pending.Add(1) > int32(s.options.Pending) {
		return nil, errors.Join(ErrPending, ignoreClosed(nc.Close()))
	}
	c, err := s.newConn(nc)
	if err == nil {
		// The deadline is the hard end of everything until the login is over.
		err = nc.SetDeadline(time.Now().Add(s.options.LoginTimeout))
	}
	if err == nil {
		stop := context.AfterFunc(ctx, func() { _ = nc.SetDeadline(time.Unix(1, 0)) })
		err = c.receive(ctx)
		if !stop() && err == nil {
			err = ctx.Err()
		}
	}
	if err != nil {
		return nil, errors.Join(err, ignoreClosed(nc.Close()))
	}
	c.in.SetLimit(protocol.MaxFrame)
	c.packets = protocol.NewBudget(packetsPerSecond, packetsOver, s.options.Now())
	c.in.SetBudget(protocol.NewBudget(protocol.InflatedPerSecond, protocol.InflatedOver, s.options.Now()), s.options.Now)
	return c, nil
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// receive goes through the states until the login is over.
func (c *Conn) receive(ctx context.Context) error {
	legacy, err := c.legacyPing()
	if legacy || err != nil {
		return err
	}
	var hello protocol.Intention
	if err := c.expect(&hello); err != nil {
		return err
	}
	switch hello.Intent {
	case intentStatus:
		return c.answerStatus(hello.Protocol)
	case intentLogin:
	default:
		return fmt.Errorf("intent %d: %w", hello.Intent, ErrProtocol)
	}
	c.state = registry.Login
	version, known := registry.ForProtocol(int(hello.Protocol))
	if !known || !protocol.Known(version) {
		return c.refuseVersion(hello.Protocol)
	}
	c.version = version
	return c.login(ctx)
}

// mayLogin asks the throttle about the client's address.
func (c *Conn) mayLogin() bool {
	throttle := c.server.options.Throttle
	at, err := netip.ParseAddrPort(c.net.RemoteAddr().String())
	if throttle == nil || err != nil || at.Addr().IsLoopback() {
		return true
	}
	return throttle.Allow(at.Addr(), c.server.options.Now())
}

// The intents of a client in its first packet.
const (
	intentStatus = 1
	intentLogin  = 2
)
