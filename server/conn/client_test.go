package conn

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"strata/anvil/registry"
	"strata/bench/clients"
	"strata/server/client"
	"strata/server/protocol"
)

// clientVersion is what the client of the tests speaks: 775.
const clientVersion = "26.1"

// listen serves one connection after another until the test ends. done gets
// what Handle returned, after f was called with a connection.
func listen(t *testing.T, o Options, f func(*Conn)) (port int, done chan error) {
	t.Helper()
	s, err := NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done = make(chan error, 100)
	var tasks sync.WaitGroup
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		_ = l.Close()
		tasks.Wait()
	})
	tasks.Go(func() {
		for {
			nc, err := l.Accept()
			if err != nil {
				return
			}
			tasks.Go(func() {
				c, err := s.Handle(ctx, nc)
				if err == nil {
					f(c)
					_ = c.Close()
				}
				done <- err
			})
		}
	})
	return l.Addr().(*net.TCPAddr).Port, done
}

// playUntilBye configures a client, lets it into the play state and sends it
// away.
func playUntilBye(t *testing.T) func(*Conn) {
	return func(c *Conn) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if _, err := c.Configure(ctx); err != nil {
			t.Errorf("configure: %v", err)
			return
		}
		login := &protocol.Login{
			EntityID: 1, Dimensions: []string{"minecraft:overworld"}, MaxPlayers: 20, ViewDistance: 10, SimulationDistance: 10,
			Spawn: protocol.SpawnInfo{Name: "minecraft:overworld", PreviousGameMode: -1, SeaLevel: 63},
		}
		for _, p := range []protocol.Packet{login, &protocol.KeepAlive{ID: 99}} {
			if err := c.Send(p); err != nil {
				t.Errorf("send: %v", err)
			}
		}
		for {
			p, err := c.Read()
			if err != nil {
				t.Errorf("read: %v", err)
				return
			}
			if k, ok := p.(*protocol.KeepAlive); ok {
				if k.ID != 99 {
					t.Errorf("keep-alive %d", k.ID)
				}
				break
			}
		}
		_ = c.Disconnect(append(protocol.NBT{8, 0, 3}, "bye"...))
	}
}

func TestAForeignClientJoinsUntilItIsSentAway(t *testing.T) {
	client := clients.StartClient(t)
	for name, threshold := range map[string]int{"compressed": 0, "uncompressed": protocol.NoCompression} {
		port, done := listen(t, Options{Threshold: threshold}, playUntilBye(t))
		visit, err := client.Join(clientVersion, port, "Walker_1", nil)
		if err != nil || visit.Error != "" {
			t.Fatalf("%s: error %v, %s", name, err, visit.Error)
		}
		if err := <-done; err != nil {
			t.Errorf("%s: handle: %v", name, err)
		}
		if want := OfflineUUID("Walker_1").String(); visit.UUID != want || visit.Username != "Walker_1" {
			t.Errorf("%s: %s is %s, want %s", name, visit.Username, visit.UUID, want)
		}
		if !strings.Contains(visit.Reason, "bye") {
			t.Errorf("%s: reason %s", name, visit.Reason)
		}
		registries := 0
		seen := map[string]bool{}
		for _, e := range visit.Events {
			seen[e.State+" "+e.Name] = true
			if e.Name == "registry_data" {
				registries++
			}
		}
		if want := len(registry.SyncedRegistries(registry.V26_1)); registries != want {
			t.Errorf("%s: %d registries came, want %d", name, registries, want)
		}
		for _, want := range []string{
			"login success", "configuration custom_payload", "configuration feature_flags", "configuration select_known_packs",
			"configuration tags", "configuration finish_configuration", "play login", "play keep_alive", "play kick_disconnect",
		} {
			if !seen[want] {
				t.Errorf("%s: no %s among %v", name, want, visit.Events)
			}
		}
		if seen["login compress"] != (threshold == 0) {
			t.Errorf("%s: compression packet: %v", name, seen["login compress"])
		}
	}
}

func TestAForeignClientIsShownTheStatus(t *testing.T) {
	client := clients.StartClient(t)
	port, done := listen(t, Options{Status: func() Status {
		return Status{
			Text: "Hällo", Online: 3, Max: 50, Favicon: []byte{1, 2, 3},
			Sample: []SamplePlayer{{"Walker_1", OfflineUUID("Walker_1")}},
		}
	}}, nil)
	status, err := client.Ping(clientVersion, port)
	if err != nil {
		t.Fatal(err)
	}
	var got statusJSON
	if err := json.Unmarshal(status, &got); err != nil {
		t.Fatal(err)
	}
	if got.Version.Protocol != 775 || got.Players.Online != 3 || got.Players.Max != 50 || got.Description.Text != "Hällo" ||
		got.Favicon != "data:image/png;base64,AQID" || len(got.Players.Sample) != 1 || got.Players.Sample[0].Name != "Walker_1" {
		t.Errorf("status is %s", status)
	}
	if err := <-done; !errors.Is(err, ErrStatus) {
		t.Errorf("handle: %v", err)
	}
}

// fakeSessions is a session service of one player.
type fakeSessions struct {
	mu     sync.Mutex
	joined map[string]bool // digests
}

func (f *fakeSessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch r.URL.Path {
	case "/session/minecraft/join":
		var body struct {
			AccessToken     string `json:"accessToken"`
			SelectedProfile any    `json:"selectedProfile"`
			ServerID        string `json:"serverId"`
		}
		if json.NewDecoder(r.Body).Decode(&body) != nil || body.AccessToken != "token" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		f.joined[body.ServerID] = true
		w.WriteHeader(http.StatusNoContent)
	case "/session/minecraft/hasJoined":
		if !f.joined[r.URL.Query().Get("serverId")] {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		_, _ = w.Write([]byte(`{"id":"0102030405060708090a0b0c0d0e0f10","name":"Walker_1",
			"properties":[{"name":"textures","value":"v","signature":"s"}]}`))
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func TestAForeignClientLogsInByTheSessionService(t *testing.T) {
	client := clients.StartClient(t)
	service := httptest.NewServer(&fakeSessions{joined: map[string]bool{}})
	defer service.Close()
	profiles := make(chan Profile, 1)
	play := playUntilBye(t)
	port, done := listen(t, Options{Session: service.URL}, func(c *Conn) {
		profiles <- c.Profile()
		play(c)
	})
	session := &clients.Session{Address: service.URL, Token: "token", ID: "0102030405060708090a0b0c0d0e0f10"}
	visit, err := client.Join(clientVersion, port, "walker_1", session)
	if err != nil || visit.Error != "" || !strings.Contains(visit.Reason, "bye") {
		t.Fatalf("error %v, %s, reason %s", err, visit.Error, visit.Reason)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	profile := <-profiles
	if profile.Name != "Walker_1" || profile.UUID.String() != "01020304-0506-0708-090a-0b0c0d0e0f10" ||
		len(profile.Properties) != 1 || profile.Properties[0].Signature.Value != "s" {
		t.Errorf("profile is %+v", profile)
	}
	// One who did not tell the service is refused.
	visit, err = client.Join(clientVersion, port, "walker_1", nil)
	if err != nil || !strings.Contains(visit.Reason, "unverified_username") {
		t.Errorf("error %v, reason %s", err, visit.Reason)
	}
	if err := <-done; !errors.Is(err, ErrAuthentication) {
		t.Errorf("handle: %v", err)
	}
}

func TestOurClientLogsInByTheSessionService(t *testing.T) {
	service := httptest.NewServer(&fakeSessions{joined: map[string]bool{}})
	defer service.Close()
	port, done := listen(t, Options{Session: service.URL}, playUntilBye(t))
	account := client.Session{Address: service.URL, Token: "token", ID: "0102030405060708090a0b0c0d0e0f10"}
	for _, v := range registry.Versions() {
		r := dial(t, port, v)
		finished, err := r.Login(t.Context(), "walker_1", &account)
		if err != nil || finished.Username != "Walker_1" || finished.UUID != protocol.UUID([]byte("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10")) {
			t.Fatalf("%v: %+v, error %v", v, finished, err)
		}
		if err := r.Configure(true, nil); err != nil {
			t.Fatal(err)
		}
		if p := r.read(); p.PacketName() != "login" {
			t.Errorf("%v: %s came first", v, p.PacketName())
		}
		alive := r.read()
		r.send(alive)
		if _, ok := r.read().(*protocol.Disconnect); !ok {
			t.Errorf("%v: it was not sent away", v)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	// One whom the service does not take does not come to the server's answer.
	account.Token = "stolen"
	if _, err := dial(t, port, registry.V26_1).Login(t.Context(), "walker_1", &account); !errors.Is(err, client.ErrSession) {
		t.Errorf("a wrong token: %v", err)
	}
	// One who asks no service is refused by the server.
	_, err := dial(t, port, registry.V26_1).Login(t.Context(), "walker_1", nil)
	var gone *client.Disconnected
	if !errors.As(err, &gone) || !strings.Contains(gone.Reason, "unverified_username") {
		t.Errorf("without the service: %v", err)
	}
}
