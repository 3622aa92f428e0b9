package conn

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf16"

	"strata/anvil/registry"
	"strata/server/client"
	"strata/server/protocol"
)

// raw is a client of our own, that can do everything wrong. What ends it ends the
// test.
type raw struct {
	*client.Raw
	t *testing.T
}

func dial(t *testing.T, port int, v registry.Version) *raw {
	t.Helper()
	r, err := client.DialRaw(t.Context(), fmt.Sprintf("127.0.0.1:%d", port), v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	_ = r.SetDeadline(time.Now().Add(10 * time.Second))
	return &raw{r, t}
}

func (r *raw) send(p protocol.Packet) {
	r.t.Helper()
	if err := r.Send(p); err != nil {
		r.t.Log(err) // the server may have closed, and says why
	}
}

func (r *raw) read() protocol.Packet {
	r.t.Helper()
	p, err := r.Read()
	if err != nil {
		r.t.Fatalf("state %v: %v", r.State(), err)
	}
	return p
}

func (r *raw) hello(protocolNumber, intent int32) {
	r.t.Helper()
	if err := r.Hello(protocolNumber, intent); err != nil {
		r.t.Log(err)
	}
}

// login logs in, up to the configuration state.
func (r *raw) login(name string) *protocol.LoginFinished {
	r.t.Helper()
	finished, err := r.Login(r.t.Context(), name, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return finished
}

func nothing(*Conn) {}

func TestAClientOfEachVersionJoinsWithAndWithoutThePack(t *testing.T) {
	for _, v := range registry.Versions() {
		for _, known := range []bool{true, false} {
			joined := make(chan protocol.ClientInformation, 1)
			port, done := listen(t, Options{}, func(c *Conn) {
				information, err := c.Configure(context.Background())
				if err != nil {
					t.Errorf("%v: configure: %v", v, err)
				}
				joined <- information
			})
			r := dial(t, port, v)
			finished := r.login("Walker")
			if zero := finished.SessionID == (protocol.UUID{}); zero != (v == registry.V26_1) {
				t.Errorf("%v: session %v", v, finished.SessionID)
			}
			r.send(&protocol.ClientInformation{Locale: "de_de", ViewDistance: 12})
			registries, values, tags := configureRaw(r, known)
			if registries != len(registry.SyncedRegistries(v)) || (values == 0) != known || tags == 0 {
				t.Errorf("%v, known %v: %d registries, %d values, %d tags", v, known, registries, values, tags)
			}
			if got := <-joined; got.Locale != "de_de" || got.ViewDistance != 12 {
				t.Errorf("%v: settings %+v", v, got)
			}
			if err := <-done; err != nil {
				t.Errorf("%v: %v", v, err)
			}
		}
	}
}

// configureRaw goes through the configuration state and counts what came.
func configureRaw(r *raw, known bool) (registries, values, tags int) {
	r.t.Helper()
	err := r.Configure(known, func(p protocol.Packet) {
		switch p := p.(type) {
		case *protocol.RegistryData:
			registries++
			for _, e := range p.Entries {
				if e.Value.Present {
					values++
				}
			}
		case *protocol.UpdateTags:
			tags = len(p.Registries)
		}
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return registries, values, tags
}

func TestClientsOfOtherVersionsAreTold(t *testing.T) {
	for number, want := range map[int32]string{5: "outdated_client", 774: "incompatible", 1 << 20: "incompatible"} {
		port, done := listen(t, Options{}, nothing)
		r := dial(t, port, registry.V26_1)
		r.hello(number, intentLogin)
		r.send(&protocol.HelloServerbound{Username: "Walker"})
		p, ok := r.read().(*protocol.LoginDisconnect)
		if !ok || !strings.Contains(p.Reason, want) || !strings.Contains(p.Reason, "26.2") {
			t.Errorf("protocol %d: %+v", number, p)
		}
		_ = r.Close()
		if err := <-done; !errors.Is(err, ErrVersion) {
			t.Errorf("protocol %d: %v", number, err)
		}
	}
}

func TestPlayersMayBeRefused(t *testing.T) {
	for _, c := range []struct {
		name, player, reason string
		admit                error
		want                 error
	}{
		{"bad letters", "no spaces", "Invalid", nil, ErrProtocol},
		{"no name", "", "Invalid", nil, ErrProtocol},
		{"banned", "Walker", "banned here", &Refusal{`{"text":"banned here"}`}, ErrRefused},
		{"another error", "Walker", `"disk is full"`, errors.New("disk is full"), ErrRefused},
	} {
		port, done := listen(t, Options{Admit: func(context.Context, Profile, net.Addr) error { return c.admit }}, nothing)
		r := dial(t, port, registry.V26_1)
		r.hello(775, intentLogin)
		r.send(&protocol.HelloServerbound{Username: c.player})
		p, ok := r.read().(*protocol.LoginDisconnect)
		if !ok || !strings.Contains(p.Reason, c.reason) {
			t.Errorf("%s: %+v", c.name, p)
		}
		_ = r.Close()
		if err := <-done; !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestClientsThatBreakTheRulesAreCutOff(t *testing.T) {
	for _, c := range []struct {
		name string
		act  func(r *raw)
		want error
	}{
		{"noise", func(r *raw) { _, _ = r.Write([]byte("GET / HTTP/1.1\r\n\r\n" + strings.Repeat("x", 100))) }, ErrProtocol},
		{"an intent that there is not", func(r *raw) { r.hello(775, 7) }, ErrProtocol},
		{"another packet than the name", func(r *raw) {
			r.hello(775, intentLogin)
			r.send(&protocol.LoginAcknowledged{})
		}, ErrProtocol},
		{"gone", func(r *raw) { _ = r.Close() }, io.EOF},
		{"gone within a packet", func(r *raw) {
			_, _ = r.Write([]byte{9})
			_ = r.Close()
		}, io.ErrUnexpectedEOF},
	} {
		port, done := listen(t, Options{LoginTimeout: 300 * time.Millisecond}, nothing)
		r := dial(t, port, registry.V26_1)
		c.act(r)
		if err := <-done; !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, err, c.want)
		}
		if _, err := io.Copy(io.Discard, r.NetConn()); err != nil && !errors.Is(err, net.ErrClosed) && c.want != nil {
			t.Logf("%s: the connection ended with %v", c.name, err)
		}
	}
}

func TestTokensOfAnotherKeyAreRefused(t *testing.T) {
	port, done := listen(t, Options{Session: "http://127.0.0.1:1"}, nothing)
	r := dial(t, port, registry.V26_1)
	r.hello(775, intentLogin)
	r.send(&protocol.HelloServerbound{Username: "Walker"})
	if p, ok := r.read().(*protocol.HelloClientbound); !ok || len(p.VerifyToken) != 4 || !p.ShouldAuthenticate {
		t.Fatalf("got %+v", p)
	}
	r.send(&protocol.Key{SharedSecret: make([]byte, 128), VerifyToken: make([]byte, 128)})
	if err := <-done; !errors.Is(err, ErrProtocol) {
		t.Errorf("got %v", err)
	}
}

func TestAFloodOfPacketsEndsTheConnection(t *testing.T) {
	now := time.Unix(5000, 0)
	got := make(chan error, 1)
	port, _ := listen(t, Options{Now: func() time.Time { return now }}, func(c *Conn) {
		for {
			if _, err := c.Read(); err != nil {
				got <- err
				return
			}
		}
	})
	r := dial(t, port, registry.V26_1)
	r.login("Walker")
	for range packetsPerSecond*7 + 1 {
		r.send(&protocol.KeepAlive{})
	}
	if err := <-got; !errors.Is(err, ErrFlood) {
		t.Errorf("got %v", err)
	}
}

func TestSilenceAfterTheLoginEndsTheConnection(t *testing.T) {
	got := make(chan error, 1)
	port, _ := listen(t, Options{IdleTimeout: 50 * time.Millisecond}, func(c *Conn) {
		_, err := c.Read()
		got <- err
	})
	dial(t, port, registry.V26_1).login("Walker")
	if err := <-got; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestCancellingEndsALogin(t *testing.T) {
	s, err := NewServer(Options{})
	if err != nil {
		t.Fatal(err)
	}
	client, server := net.Pipe()
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := s.Handle(ctx, server); err == nil {
		t.Error("no error")
	}
}

func TestPacketsOfManyGoroutinesAreSentWhole(t *testing.T) {
	const senders, packets = 8, 50
	port, done := listen(t, Options{}, func(c *Conn) {
		var tasks sync.WaitGroup
		shared := &protocol.KeepAlive{ID: 7}
		for range senders {
			tasks.Go(func() {
				for range packets {
					if err := c.Send(shared); err != nil {
						t.Error(err)
					}
				}
			})
		}
		tasks.Wait()
	})
	r := dial(t, port, registry.V26_2)
	r.login("Walker")
	for range senders * packets {
		if p, ok := r.read().(*protocol.KeepAlive); !ok || p.ID != 7 {
			t.Fatalf("got %+v", p)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAServerWithoutAStatusSaysNothingToThoseWhoAsk(t *testing.T) {
	asked := func() Status { t.Error("the status was asked for"); return Status{} }
	for name, ask := range map[string]func(*raw){
		"status": func(r *raw) { r.hello(775, intentStatus); r.send(&protocol.StatusRequest{}) },
		"legacy": func(r *raw) { _, _ = r.Write([]byte{0xfe, 0x01}) },
	} {
		port, done := listen(t, Options{Status: asked, NoStatus: true}, nothing)
		r := dial(t, port, registry.V26_1)
		ask(r)
		if err := <-done; !errors.Is(err, ErrStatus) {
			t.Errorf("%s: %v", name, err)
		}
		if n, err := r.NetConn().Read(make([]byte, 1)); n != 0 || err == nil {
			t.Errorf("%s: it answered", name)
		}
		dial(t, port, registry.V26_1).login("Walker")
	}
}

func TestOldClientsAreShownTheStatus(t *testing.T) {
	status := func() Status { return Status{Text: "Hi", Online: 3, Max: 50} }
	for sent, want := range map[string]string{
		"fe":       "Hi§3§50",
		"fe01":     "§1\x00127\x0026.2\x00Hi\x003\x0050",
		"fe01fa00": "§1\x00127\x0026.2\x00Hi\x003\x0050",
	} {
		port, done := listen(t, Options{Status: status}, nothing)
		r := dial(t, port, registry.V26_1)
		data, _ := hex.DecodeString(sent)
		_, _ = r.Write(data)
		head := make([]byte, 3)
		if _, err := io.ReadFull(r.NetConn(), head); err != nil || head[0] != 0xff {
			t.Fatalf("%s: % x, error %v", sent, head, err)
		}
		units := make([]uint16, int(head[1])<<8|int(head[2]))
		for i := range units {
			if _, err := io.ReadFull(r.NetConn(), head[:2]); err != nil {
				t.Fatal(err)
			}
			units[i] = uint16(head[0])<<8 | uint16(head[1])
		}
		if got := string(utf16.Decode(units)); got != want {
			t.Errorf("%s: %q, want %q", sent, got, want)
		}
		if err := <-done; !errors.Is(err, ErrStatus) {
			t.Errorf("%s: %v", sent, err)
		}
	}
}

func TestOfflineUUIDIsThatOfTheName(t *testing.T) {
	if got := OfflineUUID("Notch").String(); got != "b50ad385-829d-3141-a216-7e7d7539ba7f" {
		t.Errorf("offline UUID %s", got)
	}
}

func TestOptionsOutOfRangeAreErrors(t *testing.T) {
	for _, o := range []Options{
		{Threshold: -2}, {Threshold: 1 << 30}, {Level: 10}, {Level: -1}, {IdleTimeout: -1}, {LoginTimeout: -1},
		{Session: "ftp://x"}, {Session: "nothing"},
	} {
		if _, err := NewServer(o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
}
