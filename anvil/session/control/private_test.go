package control_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strata/anvil/session/control"
	"strata/region/vfs"
)

func TestEndpointIsForItsOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
	dir := t.TempDir()
	serve(t, vfs.OS(), hold(t, vfs.OS(), dir), nil)
	path := filepath.Join(dir, "strata", "control")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info.Mode(), err)
	}
	var e struct{ Network, Address string }
	data, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(data, &e) != nil || e.Network != "unix" {
		t.Fatalf("%s, %v", data, err)
	}
	for name, want := range map[string]fs.FileMode{filepath.Dir(e.Address): 0o700, e.Address: 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestSocketIsElsewhereWhereTheRuntimeFolderIsOfNoUse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no sockets there")
	}
	long := filepath.Join(t.TempDir(), strings.Repeat("long", 30)) // no socket's path may be that long
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{"too long": long, "absent": filepath.Join(long, "x"), "not given": ""} {
		t.Setenv("XDG_RUNTIME_DIR", dir)
		m, lock := world(t)
		s, err := control.Serve(m, lock, map[string]control.Handler{"add": add})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		dial(t, m, "world").Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(long); err != nil || len(left) != 0 {
			t.Errorf("%s: left %v, %v", name, left, err)
		}
	}
}

// looseFS makes every file readable for everybody, as some file systems do.
type looseFS struct{ vfs.FS }

func (l looseFS) Stat(name string) (vfs.FileInfo, error) {
	info, err := l.FS.Stat(name)
	if !info.IsDir() {
		info.Mode |= 0o444
	}
	return info, err
}

func TestEndpointThatOthersCouldReadIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes there")
	}
	m, lock := world(t)
	if s, err := control.Serve(looseFS{m}, lock, nil); !errors.Is(err, control.ErrNotPrivate) || s != nil {
		t.Errorf("serve: %v", err)
	}
	if _, err := control.Dial(t.Context(), m, "world"); !errors.Is(err, control.ErrNoEndpoint) {
		t.Errorf("the file was left: %v", err)
	}
}

func TestStrangersAreKeptOut(t *testing.T) {
	fsys, lock := world(t)
	var called atomic.Bool
	serve(t, fsys, lock, map[string]control.Handler{"add": func(context.Context, *control.Call) (any, error) {
		called.Store(true)
		return nil, nil
	}})
	data, err := vfs.ReadFile(fsys, "world/strata/control", 4096)
	if err != nil {
		t.Fatal(err)
	}
	var e struct{ Network, Address, Token string }
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	// One who has another token.
	wrong := strings.Replace(string(data), e.Token, strings.Repeat("ab", 32), 1)
	if err := vfs.WriteFileSync(fsys, "world/strata/control", []byte(wrong), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := control.Dial(t.Context(), fsys, "world"); !errors.Is(err, control.ErrStale) {
		t.Errorf("dial with another token: %v", err)
	}
	// Those who do not keep to the protocol: what is sent comes to nothing.
	for _, text := range []string{
		`{"op":"add"}` + "\n",
		"GET / HTTP/1.1\r\n\r\n",
		`{"strata":1,"nonce":"a"}` + "\n" + `{"proof":""}` + "\n" + `{"op":"add"}` + "\n",
		`{"strata":1,"nonce":"a"}` + "\n" + `{"op":"add"}` + "\n" + `{"op":"add"}` + "\n",
		`{"strata":2,"nonce":"a"}` + "\n" + `{"op":"add"}` + "\n",
		`{"strata":1,"nonce":"` + strings.Repeat("a", 300) + `"}` + "\n",
		"\n", "", "null\n", strings.Repeat("x", 2*control.MaxLine),
	} {
		conn, err := net.Dial(e.Network, e.Address)
		if err != nil {
			t.Fatal(err)
		}
		conn.Write([]byte(text)) // may be refused before its end
		if c, ok := conn.(interface{ CloseWrite() error }); ok {
			c.CloseWrite()
		}
		conn.SetReadDeadline(time.Now().Add(deadline))
		var answer bytes.Buffer
		answer.ReadFrom(conn) // until the server hangs up
		conn.Close()
		if called.Load() || strings.Contains(answer.String(), "ok") || strings.Contains(answer.String(), "result") {
			t.Fatalf("%.60q was let in: %s", text, answer.String())
		}
		if strings.Contains(answer.String(), e.Token) {
			t.Fatal("the token was told")
		}
	}
}

// TestClientTellsStrangersNothing has it dial one who listens where the holder
// did.
func TestClientTellsStrangersNothing(t *testing.T) {
	token := strings.Repeat("0f", 32)
	for name, reply := range map[string]string{
		"silent":       "",
		"no proof":     `{"nonce":"n","proof":""}` + "\n",
		"wrong proof":  `{"nonce":"n","proof":"` + strings.Repeat("0", 64) + `"}` + "\n",
		"says welcome": `{"ok":true}` + "\n" + `{"ok":true}` + "\n",
		"another":      "220 mail.example.org ESMTP\r\n",
		"endless":      strings.Repeat("x", 2*control.MaxLine),
		"claims busy":  `{"nonce":"n","proof":"","busy":true}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			var heard bytes.Buffer
			var wg sync.WaitGroup
			wg.Go(func() {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				defer conn.Close()
				buf := make([]byte, 4096)
				n, _ := conn.Read(buf)
				heard.Write(buf[:n])
				conn.Write([]byte(reply))
				if c, ok := conn.(*net.TCPConn); ok {
					c.CloseWrite()
				}
				heard.ReadFrom(conn)
			})
			m := vfs.NewMem(vfs.MemOptions{})
			if err := vfs.MkdirAll(m, "world/strata", 0o755); err != nil {
				t.Fatal(err)
			}
			file := fmt.Sprintf(`{"version":1,"network":"tcp","address":%q,"token":%q,"pid":1}`, l.Addr(), token)
			if err := vfs.WriteFileSync(m, "world/strata/control", []byte(file), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := control.Dial(t.Context(), m, "world"); !errors.Is(err, control.ErrStale) {
				t.Errorf("dial: %v", err)
			}
			wg.Wait()
			if strings.Contains(heard.String(), token) || strings.Contains(heard.String(), "proof") {
				t.Errorf("the stranger was told %s", heard.String())
			}
		})
	}
}
