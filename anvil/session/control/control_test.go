package control_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/session"
	"strata/anvil/session/control"
	"strata/region/vfs"
)

// deadline is for what ought to happen at once and fails the test if it does
// not.
const deadline = 20 * time.Second

func wait(t testing.TB, what string, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(deadline):
		t.Fatalf("%s: nothing happened", what)
	}
}

// world is a world in memory that is held.
func world(t testing.TB) (vfs.FS, *session.Lock) {
	t.Helper()
	m := vfs.NewMem(vfs.MemOptions{})
	if err := m.Mkdir("world", 0o755); err != nil {
		t.Fatal(err)
	}
	return m, hold(t, m, "world")
}

func hold(t testing.TB, fsys vfs.FS, folder string) *session.Lock {
	t.Helper()
	l, err := session.Acquire(fsys, folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Release() })
	return l
}

func serve(t testing.TB, fsys vfs.FS, lock *session.Lock, handlers map[string]control.Handler) *control.Server {
	t.Helper()
	// Sockets in a folder of the test's, which must be empty at its end.
	dir, err := os.MkdirTemp("", "s") //nolint:usetesting // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	if b, ok := t.(*testing.T); ok {
		b.Setenv("XDG_RUNTIME_DIR", dir)
	}
	s, err := control.Serve(fsys, lock, handlers)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := os.Remove(dir); err != nil {
			t.Errorf("something was left of the sockets: %v", err)
		}
	})
	return s
}

func dial(t testing.TB, fsys vfs.FS, folder string) *control.Client {
	t.Helper()
	c, err := control.Dial(t.Context(), fsys, folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

type sum struct {
	A int `json:"a"`
	B int `json:"b"`
}

func add(_ context.Context, call *control.Call) (any, error) {
	var s sum
	if err := call.Args(&s); err != nil {
		return nil, err
	}
	return s.A + s.B, nil
}

func TestCallsAreAnswered(t *testing.T) {
	fsys, lock := world(t)
	serve(t, fsys, lock, map[string]control.Handler{
		"add": add,
		"count": func(_ context.Context, call *control.Call) (any, error) {
			for i := range 1000 {
				if err := call.Send(i); err != nil {
					return nil, err
				}
			}
			return nil, nil
		},
		"fail": func(context.Context, *control.Call) (any, error) { return nil, errors.New("broken") },
		"coded": func(context.Context, *control.Call) (any, error) {
			return nil, fmt.Errorf("pin: %w", &control.Error{Code: "no_space", Message: "full"})
		},
		"long": func(context.Context, *control.Call) (any, error) { return strings.Repeat("x", control.MaxLine), nil },
		"large": func(context.Context, *control.Call) (any, error) {
			return strings.Repeat("x", control.MaxLine-100), nil
		},
		"odd": func(context.Context, *control.Call) (any, error) { return make(chan int), nil },
	})
	c := dial(t, fsys, "world")
	var got int
	if err := c.Call(t.Context(), "add", sum{3, 4}, &got, nil); err != nil || got != 7 {
		t.Errorf("3+4 is %d, %v", got, err)
	}
	for op, code := range map[string]string{
		"fail": control.CodeFailed, "coded": "no_space", "long": control.CodeFailed, "odd": control.CodeFailed, "none": control.CodeUnknown,
	} {
		var e *control.Error
		if err := c.Call(t.Context(), op, nil, nil, nil); !errors.As(err, &e) || e.Code != code || e.Message == "" {
			t.Errorf("%s: %v, want code %s", op, err, code)
		}
	}
	var e *control.Error
	// Its name alone, quoted twice, would be longer than a line.
	if err := c.Call(t.Context(), strings.Repeat(`"`, control.MaxLine/3), nil, nil, nil); !errors.As(err, &e) || e.Code != control.CodeUnknown {
		t.Errorf("an operation with a long name: %.100v", err)
	}
	if err := c.Call(t.Context(), "add", map[string]int{"a": 1, "c": 2}, nil, nil); !errors.As(err, &e) || e.Code != control.CodeBad {
		t.Errorf("unknown argument: %v", err)
	}
	next := 0
	err := c.Call(t.Context(), "count", nil, nil, func(item json.RawMessage) error {
		if string(item) != fmt.Sprint(next) {
			return fmt.Errorf("item %d is %s", next, item)
		}
		next++
		return nil
	})
	if err != nil || next != 1000 {
		t.Errorf("%d items, %v", next, err)
	}
	var large string
	if err := c.Call(t.Context(), "large", nil, &large, nil); err != nil || len(large) != control.MaxLine-100 {
		t.Errorf("a large result: %d bytes, %v", len(large), err)
	}
	// A request that is too long is not sent at all.
	if err := c.Call(t.Context(), "add", strings.Repeat("x", control.MaxLine), nil, nil); !errors.Is(err, control.ErrTooLong) {
		t.Errorf("a long request: %v", err)
	}
	if err := c.Call(t.Context(), "add", sum{1, 1}, &got, nil); !errors.Is(err, control.ErrClosed) {
		t.Errorf("a call after that: %v", err)
	}
}

// TestRefusedItemEndsTheConnection has a caller refuse an item with an error
// such as the holder could have reported: the rest is not the next call's answer.
func TestRefusedItemEndsTheConnection(t *testing.T) {
	fsys, lock := world(t)
	serve(t, fsys, lock, map[string]control.Handler{
		"add": add,
		"items": func(_ context.Context, call *control.Call) (any, error) {
			return 100, errors.Join(call.Send(1), call.Send(2))
		},
	})
	c := dial(t, fsys, "world")
	refuse := func(json.RawMessage) error { return &control.Error{Code: "refused", Message: "by the caller"} }
	var e *control.Error
	if err := c.Call(t.Context(), "items", nil, nil, refuse); !errors.As(err, &e) || e.Code != "refused" {
		t.Errorf("a refused item: %v", err)
	}
	var got int
	if err := c.Call(t.Context(), "add", sum{1, 2}, &got, func(json.RawMessage) error { return nil }); !errors.Is(err, control.ErrClosed) {
		t.Errorf("the call after it is answered with %d, %v", got, err)
	}
}

func TestWhatCallsLeaveEndsWithTheConnection(t *testing.T) {
	fsys, lock := world(t)
	ended := make(chan string, 10)
	pin := func(_ context.Context, call *control.Call) (any, error) {
		var name string
		if err := call.Args(&name); err != nil {
			return nil, err
		}
		cancel := call.OnEnd(func() { ended <- name })
		if name == "unpinned" && (!cancel() || cancel()) {
			return nil, errors.New("an end that cannot be taken back once")
		}
		return nil, nil
	}
	s := serve(t, fsys, lock, map[string]control.Handler{"pin": pin})
	c, d := dial(t, fsys, "world"), dial(t, fsys, "world")
	for _, name := range []string{"a", "unpinned", "b"} {
		if err := c.Call(t.Context(), "pin", name, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Call(t.Context(), "pin", "d", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"b", "a"} {
		select {
		case got := <-ended:
			if got != want {
				t.Errorf("%s ended, want %s", got, want)
			}
		case <-time.After(deadline):
			t.Fatalf("%s did not end", want)
		}
	}
	if err := s.Close(); err != nil { // ends those of d, and waits for that
		t.Error(err)
	}
	select {
	case got := <-ended:
		if got != "d" {
			t.Errorf("%s ended", got)
		}
	default:
		t.Error("Close did not wait for d's end")
	}
	if err := d.Call(t.Context(), "pin", "x", nil, nil); !errors.Is(err, control.ErrClosed) {
		t.Errorf("call after the server has closed: %v", err)
	}
}

func TestHandlerLearnsThatItsClientIsGone(t *testing.T) {
	fsys, lock := world(t)
	began, gone := make(chan struct{}), make(chan struct{})
	serve(t, fsys, lock, map[string]control.Handler{"wait": func(ctx context.Context, _ *control.Call) (any, error) {
		close(began)
		<-ctx.Done()
		close(gone)
		return nil, ctx.Err()
	}})
	c := dial(t, fsys, "world")
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() { result <- c.Call(ctx, "wait", nil, nil, nil) }()
	wait(t, "the call", began)
	cancel()
	if err := <-result; !errors.Is(err, context.Canceled) {
		t.Errorf("call: %v", err)
	}
	wait(t, "the handler's end", gone)
}

func TestServerHoldsTheLockUntilItCloses(t *testing.T) {
	fsys, lock := world(t)
	s := serve(t, fsys, lock, nil)
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if held, err := session.Held(fsys, "world"); err != nil || !held {
		t.Errorf("held: %v, %v", held, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if held, err := session.Held(fsys, "world"); err != nil || held {
		t.Errorf("held after Close: %v, %v", held, err)
	}
	if _, err := control.Dial(t.Context(), fsys, "world"); !errors.Is(err, control.ErrNoEndpoint) {
		t.Errorf("dial after Close: %v", err)
	}
	if _, err := control.Serve(fsys, lock, nil); !errors.Is(err, session.ErrReleased) {
		t.Errorf("serve without the lock: %v", err)
	}
}

func TestDamagedFileIsNamed(t *testing.T) {
	token := strings.Repeat("0f", 32)
	for _, text := range []string{
		"", "null", "{}", "[1]", strings.Repeat(" ", 5000),
		`{"version":2,"network":"unix","address":"/x","token":"` + token + `"}`,
		`{"version":1,"network":"unix","address":"x","token":"` + token + `"}`,
		`{"version":1,"network":"unix","address":"/x","token":"0f"}`,
		`{"version":1,"network":"udp","address":"127.0.0.1:1","token":"` + token + `"}`,
		`{"version":1,"network":"tcp","address":"192.0.2.1:80","token":"` + token + `"}`,
		`{"version":1,"network":"tcp","address":"example.org:80","token":"` + token + `"}`,
	} {
		m := vfs.NewMem(vfs.MemOptions{})
		if err := vfs.MkdirAll(m, "world/strata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := vfs.WriteFileSync(m, "world/strata/control", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := control.Dial(t.Context(), m, "world"); !errors.Is(err, control.ErrDamaged) {
			t.Errorf("%.70q: %v", text, err)
		}
		// It keeps nobody from publishing a new one.
		s := serve(t, m, hold(t, m, "world"), nil)
		dial(t, m, "world").Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestConnectionsAreBounded(t *testing.T) {
	fsys, lock := world(t)
	serve(t, fsys, lock, map[string]control.Handler{"add": add})
	var clients []*control.Client
	for range control.MaxConns {
		clients = append(clients, dial(t, fsys, "world"))
	}
	if _, err := control.Dial(t.Context(), fsys, "world"); !errors.Is(err, control.ErrBusy) {
		t.Errorf("one more: %v", err)
	}
	for _, c := range clients {
		var got int
		if err := c.Call(t.Context(), "add", sum{1, 2}, &got, nil); err != nil || got != 3 {
			t.Errorf("%d, %v", got, err)
		}
	}
	clients[5].Close()
	for give := time.Now().Add(deadline); ; {
		c, err := control.Dial(t.Context(), fsys, "world")
		if err == nil {
			c.Close()
			break
		}
		if !errors.Is(err, control.ErrBusy) || time.Now().After(give) {
			t.Fatalf("no room after one has gone: %v", err)
		}
		runtime.Gosched()
	}
}

func TestManyClientsAtOnce(t *testing.T) {
	fsys, lock := world(t)
	serve(t, fsys, lock, map[string]control.Handler{"add": add})
	var wg sync.WaitGroup
	for i := range 16 {
		c := dial(t, fsys, "world")
		for j := range 4 {
			wg.Go(func() {
				for k := range 20 {
					var got int
					if err := c.Call(t.Context(), "add", sum{i * 100, j + k}, &got, nil); err != nil || got != i*100+j+k {
						t.Errorf("%d, %v", got, err)
					}
				}
			})
		}
	}
	wg.Wait()
}

// childEnv makes the test binary a process that holds a world and serves.
const childEnv = "STRATA_CONTROL_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		l, err := session.Acquire(vfs.OS(), dir)
		if err == nil {
			_, err = control.Serve(vfs.OS(), l, map[string]control.Handler{"add": add})
		}
		fmt.Println("serving", err)
		select {} // until it is killed
	}
	os.Exit(m.Run())
}

func TestKilledHolderLeavesAStaleEndpointThatTheNextReplaces(t *testing.T) {
	dir := t.TempDir()
	sockets, err := os.MkdirTemp("", "s") //nolint:usetesting // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.Remove(sockets); err != nil {
			t.Errorf("the socket of the killed process is still there: %v", err)
		}
	})
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+dir, "XDG_RUNTIME_DIR="+sockets)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	line := make([]byte, 100)
	if n, err := stdout.Read(line); err != nil || string(line[:n]) != "serving <nil>\n" {
		t.Fatalf("the holder says %q, %v", line[:n], err)
	}
	c := dial(t, vfs.OS(), dir)
	var got int
	if err := c.Call(t.Context(), "add", sum{20, 3}, &got, nil); err != nil || got != 23 {
		t.Errorf("%d, %v", got, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if err := c.Call(t.Context(), "add", sum{1, 1}, &got, nil); err == nil {
		t.Error("a killed holder answers")
	}
	if _, err := control.Dial(t.Context(), vfs.OS(), dir); !errors.Is(err, control.ErrStale) {
		t.Errorf("dial: %v", err)
	}
	before, err := vfs.ReadFile(vfs.OS(), filepath.Join(dir, "strata", "control"), 4096)
	if err != nil {
		t.Fatalf("the stale file is gone: %v", err)
	}
	s := serve(t, vfs.OS(), hold(t, vfs.OS(), dir), map[string]control.Handler{"add": add})
	after, err := vfs.ReadFile(vfs.OS(), filepath.Join(dir, "strata", "control"), 4096)
	if err != nil || cmp.Equal(before, after) {
		t.Errorf("the file was not replaced: %v", err)
	}
	if err := dial(t, vfs.OS(), dir).Call(t.Context(), "add", sum{1, 1}, &got, nil); err != nil || got != 2 {
		t.Errorf("%d, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestCopyOfAHeldWorldIsAnotherWorld is about strata/control that came along
// with a world's other files: it is not the copy's, and the copy's next holder
// leaves the socket alone, which is still the first holder's.
func TestCopyOfAHeldWorldIsAnotherWorld(t *testing.T) {
	for name, duplicate := range map[string]func(from, to string) error{
		"copied": func(from, to string) error {
			data, err := os.ReadFile(from)
			return errors.Join(err, os.WriteFile(to, data, 0o600))
		},
		"linked": os.Link,
	} {
		t.Run(name, func(t *testing.T) { copyOfAHeldWorld(t, duplicate) })
	}
}

func copyOfAHeldWorld(t *testing.T, duplicate func(from, to string) error) {
	original, copied := t.TempDir(), t.TempDir()
	serve(t, vfs.OS(), hold(t, vfs.OS(), original), map[string]control.Handler{"add": add})
	if err := os.Mkdir(filepath.Join(copied, "strata"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{session.FileName, filepath.Join("strata", "control")} {
		if err := duplicate(filepath.Join(original, name), filepath.Join(copied, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := control.Dial(t.Context(), vfs.OS(), copied); !errors.Is(err, control.ErrStale) {
		t.Errorf("the copy is in the hands of the original's holder: %v", err)
	}
	// A lock that is linked is that of the original as well.
	if err := os.Remove(filepath.Join(copied, session.FileName)); err != nil {
		t.Fatal(err)
	}
	s, err := control.Serve(vfs.OS(), hold(t, vfs.OS(), copied), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got int
	if err := dial(t, vfs.OS(), original).Call(t.Context(), "add", sum{1, 2}, &got, nil); err != nil || got != 3 {
		t.Errorf("the original's holder: %d, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestPortIsUsedWhereThereAreNoSockets(t *testing.T) {
	fsys, lock := world(t)
	s, err := control.ServeTCP(fsys, lock, map[string]control.Handler{"add": add})
	if err != nil {
		t.Fatal(err)
	}
	data, err := vfs.ReadFile(fsys, "world/strata/control", 4096)
	if err != nil || !strings.Contains(string(data), `"network":"tcp"`) {
		t.Errorf("%s, %v", data, err)
	}
	var got int
	c := dial(t, fsys, "world")
	if err := c.Call(t.Context(), "add", sum{3, 4}, &got, nil); err != nil || got != 7 {
		t.Errorf("%d, %v", got, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Call(t.Context(), "add", sum{3, 4}, &got, nil); !errors.Is(err, control.ErrClosed) {
		t.Errorf("call after Close: %v", err)
	}
	// The port may be another's by now; the file of a killed holder says so.
	if err := vfs.WriteFileSync(fsys, "world/strata/control", data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Dial(t.Context(), fsys, "world"); !errors.Is(err, control.ErrStale) {
		t.Errorf("dial: %v", err)
	}
}

func TestEveryFaultOfPublishingLeavesNothingBehind(t *testing.T) {
	broken := errors.New("input/output error")
	sockets, err := os.MkdirTemp("", "s") //nolint:usetesting // t.TempDir may be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(sockets)
	t.Setenv("XDG_RUNTIME_DIR", sockets)
	failed := 0
	for nth := range 200 {
		m, lock := world(t)
		f := vfs.NewFault(m)
		rule := f.Add(vfs.Rule{Ops: vfs.OpMutating | vfs.OpStat, Nth: nth, Err: broken})
		s, err := control.Serve(f, lock, nil)
		if err != nil {
			failed++
			if !errors.Is(err, broken) || s != nil {
				t.Errorf("operation %d: %v", nth, err)
			}
			if err := lock.Check(); err != nil {
				t.Errorf("operation %d took the lock along: %v", nth, err)
			}
		} else {
			done := rule.Fired() == 0
			if err := s.Close(); err != nil && !errors.Is(err, broken) {
				t.Error(err)
			}
			if done && rule.Fired() == 0 {
				break
			}
		}
		left, err := os.ReadDir(sockets)
		if err != nil || len(left) != 0 {
			t.Fatalf("operation %d left %v (%v)", nth, left, err)
		}
	}
	if failed < 6 {
		t.Errorf("only %d operations could fail", failed)
	}
}
