package conn

import (
	"crypto/cipher"
	"fmt"
	"net"
	"sync"
	"time"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// Conn is a client's connection.
type Conn struct {
	server  *Server
	net     net.Conn
	profile Profile
	// For the goroutine that reads:
	in      *protocol.FrameReader
	reader  protocol.Reader
	packets *protocol.Budget // nil until the login is over
	version registry.Version
	state   registry.State

	mu sync.Mutex // guards what follows, and is held while writing
	// out is the state that packets are sent in. It changes before state does.
	out       registry.State
	writer    protocol.Writer
	framer    *protocol.Framer // nil: no compression
	encrypter cipher.Stream    // nil: none
	frame     []byte
}

func (s *Server) newConn(nc net.Conn) (*Conn, error) {
	return &Conn{
		server: s, net: nc, in: protocol.NewFrameReader(nc, protocol.MaxUnauthenticated), version: registry.V26_1,
	}, nil
}

// Profile returns who logged in.
func (c *Conn) Profile() Profile { return c.profile }

// Version returns the version that the client speaks.
func (c *Conn) Version() registry.Version { return c.version }

// RemoteAddr returns the client's address.
func (c *Conn) RemoteAddr() net.Addr { return c.net.RemoteAddr() }

// Close closes the connection.
func (c *Conn) Close() error { return c.net.Close() }

// Read returns the next packet of the client. What it holds as bytes is valid
// until the next call. After an error the connection is of no use.
func (c *Conn) Read() (protocol.Packet, error) {
	if err := c.net.SetReadDeadline(time.Now().Add(c.server.options.IdleTimeout)); err != nil {
		return nil, err
	}
	return c.next()
}

// next is Read under the deadline that is set.
func (c *Conn) next() (protocol.Packet, error) {
	frame, err := c.in.Next()
	if err != nil {
		return nil, err
	}
	if c.packets != nil && !c.packets.Take(1, c.server.options.Now()) {
		return nil, ErrFlood
	}
	c.reader.Reset(frame)
	p, err := protocol.DecodePacket(&c.reader, c.version, c.state, registry.Serverbound)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	return p, nil
}

// expect reads the one packet that may come now.
func (c *Conn) expect(want protocol.Packet) error {
	frame, err := c.in.Next()
	if err != nil {
		return err
	}
	c.reader.Reset(frame)
	id := c.reader.VarInt("packet id")
	if wantID, ok := protocol.ID(c.state, registry.Serverbound, want); !ok || id != wantID {
		return fmt.Errorf("packet %d in state %v, want %s: %w", id, c.state, want.PacketName(), ErrProtocol)
	}
	if err := protocol.Decode(&c.reader, c.version, want); err != nil {
		return fmt.Errorf("%w: %w", ErrProtocol, err)
	}
	return nil
}

// Send writes a packet. It does not change it.
func (c *Conn) Send(p protocol.Packet) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.send(p)
}

// Outgoing is a packet, or else frames that were made before, for the server's
// threshold and the client's version: see [Server.Threshold].
type Outgoing struct {
	Packet protocol.Packet
	Frames []byte
}

// batchBytes is about how much is written at once.
const batchBytes = 64 << 10

// SendAll writes packets and frames in their order, many at once. It changes none.
func (c *Conn) SendAll(all []Outgoing) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frame = c.frame[:0]
	for _, o := range all {
		if o.Packet == nil {
			c.frame = append(c.frame, o.Frames...)
		} else if err := c.append(o.Packet); err != nil {
			return err
		}
		if len(c.frame) < batchBytes {
			continue
		}
		if err := c.write(); err != nil {
			return err
		}
		c.frame = c.frame[:0]
	}
	if len(c.frame) == 0 {
		return nil
	}
	return c.write()
}

// send is Send with mu held.
func (c *Conn) send(p protocol.Packet) error {
	c.frame = c.frame[:0]
	if err := c.append(p); err != nil {
		return err
	}
	return c.write()
}

// append appends a packet's frame to c.frame, with mu held.
func (c *Conn) append(p protocol.Packet) (err error) {
	c.writer.Reset()
	if err := protocol.EncodePacket(&c.writer, c.version, c.out, registry.Clientbound, p); err != nil {
		return err
	}
	if c.framer != nil {
		c.frame, err = c.framer.AppendFrame(c.frame, c.writer.Bytes())
	} else {
		c.frame, err = protocol.AppendFrame(c.frame, c.writer.Bytes())
	}
	if err != nil {
		return fmt.Errorf("frame %s: %w", p.PacketName(), err)
	}
	return nil
}

// write encrypts and writes c.frame. Until the login is over its deadline is
// that of the login.
func (c *Conn) write() error {
	if c.encrypter != nil {
		c.encrypter.XORKeyStream(c.frame, c.frame)
	}
	if c.out >= registry.Configuration {
		if err := c.net.SetWriteDeadline(time.Now().Add(c.server.options.IdleTimeout)); err != nil {
			return err
		}
	}
	_, err := c.net.Write(c.frame)
	if cap(c.frame) > keptBytes {
		c.frame = nil
	}
	return err
}

// keptBytes is the largest buffer that is kept for the next packet.
const keptBytes = 2 * batchBytes

// setOut changes the state that packets are sent in.
func (c *Conn) setOut(s registry.State) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = s
}

// Disconnect tells the client a reason, a text component, and closes the
// connection.
func (c *Conn) Disconnect(reason protocol.NBT) error {
	err := c.Send(&protocol.Disconnect{Reason: reason})
	if closeErr := c.net.Close(); err == nil {
		err = closeErr
	}
	return err
}
