package client

import (
	"bytes"
	"context"
	"crypto/cipher"
	"fmt"
	"net"
	"sync"
	"time"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// Raw is a connection to a server. One goroutine may read while any number send.
type Raw struct {
	net     net.Conn
	version registry.Version
	in      *protocol.FrameReader
	// Tap is called by Read with each packet that comes, its state, number and
	// fields, before it is decoded; nil for nobody. It must not keep the bytes.
	Tap func(state registry.State, packet []byte)

	mu        sync.Mutex // guards what follows, and is held while writing
	state     registry.State
	writer    protocol.Writer
	framer    *protocol.Framer // nil: no compression
	encrypter cipher.Stream    // nil: none
	frame     []byte
}

// NewRaw returns the client's end of a connection of which no byte was sent. It
// takes nc over.
func NewRaw(nc net.Conn, v registry.Version) *Raw {
	return &Raw{net: nc, version: v, in: protocol.NewFrameReader(nc, protocol.MaxFrame)}
}

// DialRaw connects to an address of TCP, "host:port".
func DialRaw(ctx context.Context, address string, v registry.Version) (*Raw, error) {
	var d net.Dialer
	nc, err := d.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return NewRaw(nc, v), nil
}

// Version returns the version that is spoken.
func (r *Raw) Version() registry.Version { return r.version }

// State returns the state that packets are sent and read in.
func (r *Raw) State() registry.State {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// SetState changes it, which sends nothing.
func (r *Raw) SetState(s registry.State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = s
}

// NetConn returns the connection below, for bytes that are no frames.
func (r *Raw) NetConn() net.Conn { return r.net }

// SetDeadline is when reads and writes end with os.ErrDeadlineExceeded; the zero
// time is never. After one that reading has met, reading may go on.
func (r *Raw) SetDeadline(t time.Time) error { return r.net.SetDeadline(t) }

// Close closes the connection.
func (r *Raw) Close() error { return r.net.Close() }

// Send sends a packet of the state.
func (r *Raw) Send(p protocol.Packet) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.append(p); err != nil {
		return err
	}
	return r.flush()
}

// SendAll sends packets in one write.
func (r *Raw) SendAll(all ...protocol.Packet) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range all {
		if err := r.append(p); err != nil {
			r.frame = r.frame[:0]
			return err
		}
	}
	return r.flush()
}

// SendBody sends a frame of any bytes: a number and fields, if it is to be a packet.
func (r *Raw) SendBody(body []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.appendBody(body); err != nil {
		return err
	}
	return r.flush()
}

// Write sends bytes as they are, but for encryption.
func (r *Raw) Write(data []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frame = append(r.frame[:0], data...)
	if err := r.flush(); err != nil {
		return 0, err
	}
	return len(data), nil
}

// AppendFrame appends the frame of any bytes as it would be sent now, for Write.
func (r *Raw) AppendFrame(dst, body []byte) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.framer != nil {
		return r.framer.AppendFrame(dst, body)
	}
	return protocol.AppendFrame(dst, body)
}

// append appends a packet's frame to r.frame, with mu held.
func (r *Raw) append(p protocol.Packet) error {
	r.writer.Reset()
	if err := protocol.EncodePacket(&r.writer, r.version, r.state, registry.Serverbound, p); err != nil {
		return err
	}
	return r.appendBody(r.writer.Bytes())
}

func (r *Raw) appendBody(body []byte) (err error) {
	if r.framer != nil {
		r.frame, err = r.framer.AppendFrame(r.frame, body)
	} else {
		r.frame, err = protocol.AppendFrame(r.frame, body)
	}
	return err
}

// flush writes r.frame, with mu held.
func (r *Raw) flush() error {
	if r.encrypter != nil {
		r.encrypter.XORKeyStream(r.frame, r.frame)
	}
	_, err := r.net.Write(r.frame)
	r.frame = r.frame[:0]
	return err
}

// Frame reads the next frame, a packet's number and fields. The bytes are good
// until the next one is read. Errors are those of protocol.FrameReader.Next.
func (r *Raw) Frame() ([]byte, error) { return r.in.Next() }

// Read reads the next packet of the state. It is the caller's.
func (r *Raw) Read() (protocol.Packet, error) {
	frame, err := r.in.Next()
	if err != nil {
		return nil, err
	}
	state := r.State()
	if r.Tap != nil {
		r.Tap(state, frame)
	}
	p, err := protocol.DecodePacket(protocol.NewReader(bytes.Clone(frame)), r.version, state, registry.Clientbound)
	if err != nil {
		return nil, fmt.Errorf("read a packet in state %v: %w", state, err)
	}
	return p, nil
}

// compression is the level that the client compresses with: it is to be fast.
const compression = 1

// Compress has frames in both directions be those of a threshold.
func (r *Raw) Compress(threshold int) error {
	if threshold < 0 {
		r.in.SetThreshold(protocol.NoCompression)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.framer = nil
		return nil
	}
	framer, err := protocol.NewFramer(threshold, compression)
	if err != nil {
		return err
	}
	r.in.SetThreshold(threshold)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.framer = framer
	return nil
}

// Encrypt has all that follows, in both directions, encrypted with a secret of
// protocol.SecretSize bytes.
func (r *Raw) Encrypt(secret []byte) error {
	decrypter, err := protocol.NewDecrypter(secret)
	if err != nil {
		return err
	}
	encrypter, err := protocol.NewEncrypter(secret)
	if err != nil {
		return err
	}
	r.in.Decrypt(decrypter)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.encrypter = encrypter
	return nil
}
