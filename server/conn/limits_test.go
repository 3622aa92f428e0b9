package conn

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"strata/anvil/registry"
	"strata/server/client"
	"strata/server/protocol"
)

// fromAfar is a connection from an address that is not this machine's.
type fromAfar struct{ net.Conn }

func (fromAfar) RemoteAddr() net.Addr {
	return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 4711}
}

// TestLimits breaks each limit of connections, up to the play state; those of what
// players do are tested in package server.
func TestLimits(t *testing.T) {
	deflated := func(n int) []byte {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		_, _ = z.Write(make([]byte, n)) // into memory
		_ = z.Close()
		return b.Bytes()
	}
	frame := func(parts ...[]byte) []byte {
		body := bytes.Join(parts, nil)
		return append(protocol.AppendVarInt(nil, int32(len(body))), body...)
	}
	const payload = 2 // custom_payload
	for _, c := range []struct {
		row  string
		act  func(r *raw)
		want error
	}{
		{"frame length: negative", func(r *raw) { _, _ = r.Write([]byte{0xff, 0xff, 0xff, 0xff, 0x0f}) }, protocol.ErrFrameLength},
		{"frame length: more than three bytes", func(r *raw) {
			r.login("Walker")
			_, _ = r.Write([]byte{0x80, 0x80, 0x80, 0x01})
		}, protocol.ErrFrameLength},
		{"frame length: before the login", func(r *raw) { _, _ = r.Write([]byte{0x81, 0x40}) }, protocol.ErrFrameLength},
		{"host name of 256 letters", func(r *raw) {
			_ = r.Send(&protocol.Intention{Protocol: 775, Host: strings.Repeat("a", 255), Intent: intentLogin})
			_, _ = r.Write(frame([]byte{0x00, 0x87, 0x06, 0x80, 0x02}, bytes.Repeat([]byte{'a'}, 256), []byte{0, 0, 2}))
		}, ErrProtocol},
		{"inflated: declared below the threshold", func(r *raw) {
			r.login("Walker")
			_, _ = r.Write(frame(protocol.AppendVarInt(nil, 255), deflated(255)))
		}, protocol.ErrCompression},
		{"inflated: declared over 8 MiB", func(r *raw) {
			r.login("Walker")
			_, _ = r.Write(frame(protocol.AppendVarInt(nil, protocol.MaxInflated+1), deflated(1000)))
		}, protocol.ErrCompression},
		{"inflated: not what is declared", func(r *raw) {
			r.login("Walker")
			_, _ = r.Write(frame(protocol.AppendVarInt(nil, 999), deflated(1000)))
		}, protocol.ErrCompression},
		{"inflated: as it is, over the threshold", func(r *raw) {
			r.login("Walker")
			_, _ = r.Write(frame(make([]byte, 257)))
		}, protocol.ErrCompression},
		{"inflated: the budget of 5 MiB a second over 7 s", func(r *raw) {
			r.login("Walker")
			if err := r.Configure(true, nil); err != nil {
				t.Error(err)
			}
			most := &protocol.CustomPayload{Channel: "a:b", Data: make([]byte, protocol.MaxServerPayload)}
			_ = r.SendAll(slices.Repeat([]protocol.Packet{most}, 36<<5)...) // 36 MiB
		}, protocol.ErrCompression},
		{"trailing bytes", func(r *raw) {
			r.login("Walker")
			_ = r.SendBody([]byte{5, 0, 0, 0, 1, 99}) // pong
		}, protocol.ErrTrailing},
		{"a short packet", func(r *raw) {
			r.login("Walker")
			_ = r.SendBody([]byte{5, 0, 0})
		}, protocol.ErrTruncated},
		{"an unknown packet", func(r *raw) {
			r.login("Walker")
			_ = r.SendBody([]byte{0x7f})
		}, ErrProtocol},
		{"a number of six bytes", func(r *raw) {
			r.login("Walker")
			_ = r.SendBody([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
		}, ErrProtocol},
		{"a list longer than what is there", func(r *raw) {
			r.login("Walker")
			_ = r.SendBody([]byte{7, 0xff, 0xff, 0xff, 0xff, 0x07}) // select_known_packs
		}, protocol.ErrTooLong},
		{"a negative length", func(r *raw) {
			r.login("Walker")
			_ = r.SendBody([]byte{7, 0xff, 0xff, 0xff, 0xff, 0x0f})
		}, protocol.ErrTooLong},
		{"plugin channel: 32,768 bytes", func(r *raw) {
			r.login("Walker")
			_ = r.SendBody(append([]byte{payload, 3, 'a', ':', 'b'}, make([]byte, protocol.MaxServerPayload+1)...))
		}, protocol.ErrTooLong},
		{"a name of 17 letters", func(r *raw) {
			r.hello(775, intentLogin)
			_ = r.SendBody(append([]byte{0, 17}, make([]byte, 17+16)...))
		}, protocol.ErrTooLong},
		{"a name with other letters", func(r *raw) {
			r.hello(775, intentLogin)
			r.send(&protocol.HelloServerbound{Username: "Wälker"})
		}, ErrProtocol},
		{"packets of the configuration", func(r *raw) {
			r.login("Walker")
			for range maxConfigPackets + 1 {
				r.send(&protocol.Pong{})
			}
		}, ErrProtocol},
		{"time to log in", func(r *raw) { r.hello(775, intentLogin) }, os.ErrDeadlineExceeded},
		{"time to be configured", func(r *raw) { r.login("Walker") }, os.ErrDeadlineExceeded},
		{"the status twice", func(r *raw) {
			r.hello(775, intentStatus)
			r.send(&protocol.StatusRequest{})
			r.send(&protocol.StatusRequest{})
		}, ErrProtocol},
	} {
		t.Run(c.row, func(t *testing.T) {
			configured := make(chan error, 1)
			// Budgets do not fill while a busy machine reads.
			now := func() time.Time { return time.Unix(5000, 0) }
			port, done := listen(t, Options{LoginTimeout: 500 * time.Millisecond, Now: now}, func(c *Conn) {
				_, err := c.Configure(t.Context())
				for err == nil {
					_, err = c.Read()
				}
				configured <- err
			})
			r := dial(t, port, registry.V26_1)
			c.act(r)
			err := <-done
			if err == nil {
				err = <-configured
			}
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestAnAddressWaitsBetweenLogins(t *testing.T) {
	now := time.Unix(100, 0)
	s, err := NewServer(Options{Throttle: NewThrottle(DefaultThrottle), Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	login := func(wrap func(net.Conn) net.Conn) (handled, told error) {
		near, far := net.Pipe()
		done := make(chan error, 1)
		go func() {
			c, err := s.Handle(t.Context(), wrap(far))
			if err == nil {
				_ = c.Close()
			}
			done <- err
		}()
		r := client.NewRaw(near, registry.V26_2)
		_, told = r.Login(t.Context(), "Walker", nil)
		_ = r.Close()
		return <-done, told
	}
	afar := func(c net.Conn) net.Conn { return fromAfar{c} }
	for _, step := range []struct {
		name  string
		after time.Duration
		wrap  func(net.Conn) net.Conn
		want  error
	}{
		{"the first", 0, afar, nil},
		{"at once", 0, afar, ErrThrottled},
		{"soon", DefaultThrottle - 1, afar, ErrThrottled},
		{"in time", 1, afar, nil},
		{"no address", 0, func(c net.Conn) net.Conn { return c }, nil},
	} {
		now = now.Add(step.after)
		err, told := login(step.wrap)
		if !errors.Is(err, step.want) {
			t.Errorf("%s: %v, want %v", step.name, err, step.want)
		}
		var gone *client.Disconnected
		if refused := errors.As(told, &gone) && strings.Contains(gone.Reason, "Wait"); refused != (step.want != nil) {
			t.Errorf("%s: the client was told %v", step.name, told)
		}
	}
}

func TestConnectionsThatAreNotLoggedInAreFew(t *testing.T) {
	const most = 5
	port, done := listen(t, Options{Pending: most}, nothing)
	var waiting []*raw
	for range most {
		r := dial(t, port, registry.V26_1)
		r.hello(775, intentStatus)
		r.send(&protocol.StatusRequest{})
		r.read() // it is counted now
		waiting = append(waiting, r)
	}
	over := dial(t, port, registry.V26_1)
	if _, err := over.NetConn().Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("one more was not closed: %v", err)
	}
	if err := <-done; !errors.Is(err, ErrPending) {
		t.Errorf("one more: %v", err)
	}
	_ = waiting[0].Close()
	<-done
	next := dial(t, port, registry.V26_1)
	next.login("Walker")
	if err := <-done; err != nil {
		t.Errorf("after one has gone: %v", err)
	}
}
