package rcon

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strata/region/vfs"
)

func TestAnswersOfAnyLength(t *testing.T) {
	s := startFake(t, "")
	s.answer = func(command string) (string, bool) {
		if n, ok := map[string]int{"long 1": 5000, "long 2": 2 * pieceBytes, "long 3": 3*pieceBytes + 1, "short": 3}[command]; ok {
			return strings.Repeat("x", n), true
		}
		return "", true
	}
	c, err := Dial(t.Context(), s.address(), "secret")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for command, want := range map[string]int{"long 1": 5000, "long 2": 2 * pieceBytes, "long 3": 3*pieceBytes + 1, "short": 3, "help": 29} {
		if got, err := c.Command(t.Context(), command); err != nil || len(got) != want {
			t.Errorf("%s: %d bytes, %v, want %d", command, len(got), err, want)
		}
	}
	if _, err := c.Command(t.Context(), strings.Repeat("x", maxCommand+1)); !errors.Is(err, ErrTooLong) {
		t.Errorf("a command too long: %v", err)
	}
	if got, err := c.Command(t.Context(), "short"); err != nil || got != "xxx" {
		t.Errorf("after that: %q, %v", got, err)
	}
}

func TestBadServers(t *testing.T) {
	s := startFake(t, "")
	if _, err := Dial(t.Context(), s.address(), "other"); !errors.Is(err, ErrPassword) {
		t.Errorf("another password: %v", err)
	}
	s.answer = func(string) (string, bool) { return "", false }
	c, err := Dial(t.Context(), s.address(), "secret")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := c.Command(ctx, "list"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("silence: %v", err)
	}
	if _, err := c.Command(t.Context(), "list"); err == nil {
		t.Error("a connection that missed an answer goes on")
	}
	for what, bytes := range map[string]string{"a long frame": "\xff\xff\xff\x7fxxxxxxxx", "a short one": "\x01\x00\x00\x00xxxxxxxx", "HTTP": "HTTP/1.1 400 Bad Request\r\n\r\n", "nothing": ""} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			if c, err := l.Accept(); err == nil {
				c.Write([]byte(bytes))
				c.Close()
			}
		}()
		if c, err := Dial(t.Context(), l.Addr().String(), "secret"); err == nil {
			c.Close()
			t.Errorf("%s: logged in", what)
		}
		l.Close()
	}
}

func optionsFor(t *testing.T, s *fakeServer) Options {
	return Options{
		Address: s.address(), Password: "secret", Marker: filepath.Join(t.TempDir(), "saving-off.json"),
		Timeout: 500 * time.Millisecond, FlushTimeout: 500 * time.Millisecond, Settle: time.Millisecond,
	}
}

func markerIs(t *testing.T, o Options, want bool) {
	t.Helper()
	if _, err := os.Stat(o.Marker); errors.Is(err, fs.ErrNotExist) == want {
		t.Errorf("the marker: %v, want it there: %v", err, want)
	}
}

func TestSavingIsOffWhileASnapshotIsTaken(t *testing.T) {
	s := startFake(t, "")
	o := optionsFor(t, s)
	q, err := Quiesce(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	markerIs(t, o, true)
	if got := s.commands(); got != "save-off, save-all flush" || !s.isOff() || q.WasOff() {
		t.Errorf("commands %q", got)
	}
	if err := q.Release(t.Context()); err != nil || s.isOff() {
		t.Errorf("release: %v, off %v", err, s.isOff())
	}
	markerIs(t, o, false)

	o.NoSaveOff = true
	if q, err = Quiesce(t.Context(), o); err == nil {
		err = q.Release(t.Context())
	}
	if got := s.commands(); err != nil || got != "save-off, save-all flush, save-on, save-all flush" {
		t.Errorf("without save-off: %q, %v", got, err)
	}
}

func TestSavingThatWasOffStaysOff(t *testing.T) {
	s := startFake(t, "")
	s.off = true
	o := optionsFor(t, s)
	q, err := Quiesce(t.Context(), o)
	if err != nil || !q.WasOff() {
		t.Fatal(err)
	}
	markerIs(t, o, false)
	if err := q.Release(t.Context()); err != nil || !s.isOff() {
		t.Errorf("release: %v, off %v", err, s.isOff())
	}
}

// Whatever a server does, saving is on in the end, or the marker is there and
// the error says so.
func TestSavingNeverStaysOffUnsaid(t *testing.T) {
	for name, c := range map[string]struct {
		set     func(*fakeServer)
		cancel  bool
		stays   bool // off, with the marker
		wantErr error
	}{
		"silent at save-off":  {set: func(s *fakeServer) { s.answer = silentAt("save-off") }},
		"silent at save-all":  {set: func(s *fakeServer) { s.answer = silentAt("save-all flush") }, wantErr: context.DeadlineExceeded},
		"refuses save-all":    {set: func(s *fakeServer) { s.answer = answers("save-all flush", "Unable to save the game") }, wantErr: ErrSaving},
		"knows no save-off":   {set: func(s *fakeServer) { s.answer = answers("save-off", "Unknown command") }, wantErr: ErrSaving},
		"slow":                {set: func(s *fakeServer) { s.slow = 200 * time.Millisecond }},
		"interrupted":         {set: func(s *fakeServer) { s.slow = 100 * time.Millisecond }, cancel: true, wantErr: context.Canceled},
		"dies after save-off": {set: func(s *fakeServer) { s.dieAfter = "save-off" }, stays: true},
		"dies after save-all": {set: func(s *fakeServer) { s.dieAfter = "save-all flush" }, stays: true},
		"silent at save-on":   {set: func(s *fakeServer) { s.answer = silentAt("save-on") }, stays: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startFake(t, "")
			c.set(s)
			o := optionsFor(t, s)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.cancel {
				time.AfterFunc(150*time.Millisecond, cancel)
			}
			q, err := Quiesce(ctx, o)
			if err == nil {
				err = q.Release(t.Context())
			} else if c.wantErr != nil && !errors.Is(err, c.wantErr) {
				t.Errorf("error %v, want %v", err, c.wantErr)
			}
			if c.wantErr != nil && err == nil {
				t.Error("no error")
			}
			_, isStill := errors.AsType[*StillOffError](err)
			if isStill != c.stays {
				t.Errorf("error %v", err)
			}
			markerIs(t, o, c.stays)
			if !c.stays && s.isOff() {
				t.Error("saving is off")
			}
		})
	}
}

func silentAt(silent string) func(string) (string, bool) {
	return func(command string) (string, bool) { return "", command != silent }
}

func answers(at, with string) func(string) (string, bool) {
	return func(command string) (string, bool) {
		if command == at {
			return with, true
		}
		return "", true
	}
}

func TestNextRunTurnsSavingOn(t *testing.T) {
	s := startFake(t, "")
	o := optionsFor(t, s)
	if done, err := Recover(t.Context(), o); done || err != nil {
		t.Fatalf("nothing to do: %v, %v", done, err)
	}
	s.dieAfter = "save-all flush"
	q, err := Quiesce(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Release(t.Context()); err == nil {
		t.Fatal("a dead server has answered")
	}
	other := o
	other.Address = "127.0.0.1:1" // the marker's counts
	if _, err := Recover(t.Context(), other); err == nil {
		t.Fatal("a dead server has answered")
	}
	markerIs(t, o, true)
	again := startFake(t, s.address())
	if done, err := Recover(t.Context(), other); !done || err != nil {
		t.Errorf("recover: %v, %v", done, err)
	}
	markerIs(t, o, false)
	if got := again.commands(); got != "save-on" {
		t.Errorf("commands %q", got)
	}
}

const envQuiet = "STRATA_TEST_RCON"

// TestMain is also the process that is killed while saving is off.
func TestMain(m *testing.M) {
	if address := os.Getenv(envQuiet); address != "" {
		_, err := Quiesce(context.Background(), Options{Address: address, Password: "secret", Marker: os.Args[1], Settle: time.Hour})
		panic(err)
	}
	os.Exit(m.Run())
}

func TestKilledBetweenSaveOffAndSaveOn(t *testing.T) {
	s := startFake(t, "")
	o := optionsFor(t, s)
	child := exec.CommandContext(t.Context(), os.Args[0], o.Marker)
	child.Env = append(os.Environ(), envQuiet+"="+s.address())
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(20 * time.Second); !strings.Contains(s.commands(), "save-all flush"); {
		if time.Now().After(until) {
			t.Fatal("the process has not turned saving off")
		}
		time.Sleep(time.Millisecond)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait()
	if !s.isOff() {
		t.Fatal("saving is on")
	}
	if done, err := Recover(t.Context(), o); !done || err != nil || s.isOff() {
		t.Errorf("recover: %v, %v, off %v", done, err, s.isOff())
	}
	markerIs(t, o, false)
}

func TestProperties(t *testing.T) {
	mem := vfs.NewMem(vfs.MemOptions{})
	for text, want := range map[string]string{
		"enable-rcon=true\nrcon.password=a\\=b\nrcon.port=1234\n":       "127.0.0.1:1234 a=b",
		"#x\nserver-ip=10.0.0.1\nenable-rcon=true\nrcon.password=p\r\n": "10.0.0.1:25575 p",
		"enable-rcon=false\nrcon.password=p\n":                          "",
		"enable-rcon=true\nrcon.password=\n":                            "",
		"enable-rcon = true\nrcon.password = spaced out\nserver-ip=::1": "[::1]:25575 spaced out",
	} {
		if err := vfs.WriteFileSync(mem, "server.properties", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		address, password, err := FromProperties(mem, "server.properties")
		if want == "" {
			if !errors.Is(err, ErrOff) {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if got := address + " " + password; err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
}
