package remote

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"golang.org/x/crypto/ssh"

	"strata/bench/clients"
	"strata/bench/testbed"
	"strata/region/vfs"
)

// repository makes a folder with files as a repository has them: packs, an
// index, snapshots, each naming those before it.
func repository(t testing.TB, r *mathrand.Rand, files, bytes int) Source {
	t.Helper()
	s := Source{FS: vfs.OS(), Dir: t.TempDir()}
	for i := range files {
		grow(t, &s, r, fmt.Sprintf("%s/%02x/%d", []string{"packs", "index", "snapshots"}[i*3/files], r.IntN(3), i), r.IntN(bytes))
	}
	return s
}

func grow(t testing.TB, s *Source, r *mathrand.Rand, name string, size int) {
	t.Helper()
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	path := filepath.Join(s.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	s.Files = append(s.Files, File{name, int64(size)})
}

// place is where a copy goes in a test: its address and the variables that
// Open wants.
type place struct {
	address string
	env     map[string]string
	torn    bool // files are seen before they are whole, as S3 promises they are not
}

func (p *place) open(t *testing.T) Store {
	t.Helper()
	for name, value := range p.env {
		t.Setenv(name, value)
	}
	s, err := Open(t.Context(), vfs.OS(), p.address, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close %s: %v", s, err)
		}
	})
	return s
}

// places are the kinds of stores, each with a way to start one.
var places = map[string]func(t *testing.T) place{
	"folder":   func(t *testing.T) place { return place{address: filepath.Join(t.TempDir(), "new", "copy")} },
	"gofakes3": startGoFakeS3,
	"s3rver":   startS3rver,
	"OpenSSH":  startOpenSSH,
}

var testKeys = map[string]string{"AWS_ACCESS_KEY_ID": "S3RVER", "AWS_SECRET_ACCESS_KEY": "S3RVER"}

func startGoFakeS3(t *testing.T) place {
	server := httptest.NewServer(gofakes3.New(s3mem.New(), gofakes3.WithAutoBucket(true)).Server())
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://")
	return place{"s3://strata/worlds/one?insecure=true&path-style=true&region=us-east-1&endpoint=" + host, testKeys, false}
}

func startS3rver(t *testing.T) place {
	node, folder := clients.Installed(t)
	port := freePort(t)
	run := exec.Command(node, filepath.Join(folder, "node_modules", "s3rver", "bin", "s3rver.js"),
		"--address", "127.0.0.1", "--port", port, "--directory", t.TempDir(), "--silent", "--configure-bucket", "strata")
	start(t, run, "127.0.0.1:"+port)
	return place{"s3://strata/worlds?insecure=true&path-style=true&region=us-east-1&endpoint=127.0.0.1:" + port, testKeys, true}
}

// start starts a server that is killed in the end, and waits for its port.
func start(t *testing.T, run *exec.Cmd, address string) {
	t.Helper()
	var said bytes.Buffer
	run.Stdout, run.Stderr = &said, &said
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		run.Process.Kill()
		run.Wait()
		if t.Failed() {
			t.Logf("%s: %s", filepath.Base(run.Path), said.String())
		}
	})
	for until := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return
		}
		if time.Now().After(until) {
			t.Fatalf("%s does not listen: %v: %s", run.Path, err, said.String())
		}
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// startOpenSSH starts an sshd of our own with keys made here.
func startOpenSSH(t *testing.T) place {
	sshd := testbed.Tool(t, "/usr/sbin/sshd")
	if os.Geteuid() != 0 {
		testbed.SkipOrFail(t, "sshd lets others in only as root")
	}
	// It forks for each connection into this folder, which it wants for itself.
	if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
		testbed.SkipOrFail(t, "%v", err)
	}
	dir, port := t.TempDir(), freePort(t)
	host, user := newKey(t, filepath.Join(dir, "host")), newKey(t, filepath.Join(dir, "user"))
	address := net.JoinHostPort("127.0.0.1", port)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	known := write("known_hosts", fmt.Sprintf("[127.0.0.1]:%s %s", port, ssh.MarshalAuthorizedKey(host)))
	allowed := write("authorized_keys", string(ssh.MarshalAuthorizedKey(user)))
	config := write("sshd_config", fmt.Sprintf("ListenAddress %s\nHostKey %s\nAuthorizedKeysFile %s\nStrictModes no\nUsePAM no\n"+
		"PermitRootLogin prohibit-password\nPasswordAuthentication no\nPidFile none\nSubsystem sftp internal-sftp\nMaxStartups 100\n",
		address, filepath.Join(dir, "host"), allowed))
	start(t, exec.Command(sshd, "-D", "-e", "-f", config), address)
	return place{"sftp://root@" + address + filepath.Join(dir, "copies", "one"), map[string]string{
		envKey: filepath.Join(dir, "user"), envKnownHosts: known, "SSH_AUTH_SOCK": "",
	}, false}
}

func newKey(t *testing.T, path string) ssh.PublicKey {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	block, err := ssh.MarshalPrivateKey(private, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// content is what a store has, by name.
func content(t testing.TB, s Store) map[string]string {
	t.Helper()
	has := map[string]string{}
	err := s.List(t.Context(), func(name string, _ int64) error {
		has[name] = ""
		return nil
	})
	for name := range has {
		if err != nil {
			break
		}
		var r io.ReadCloser
		if r, err = s.Get(t.Context(), name); err == nil {
			var data []byte
			data, err = io.ReadAll(bufio.NewReader(r))
			r.Close()
			has[name] = string(data)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return has
}

// child is a process of this test that copies until it is killed.
func child(ctx context.Context, dir string, p *place) *exec.Cmd {
	run := exec.CommandContext(ctx, os.Args[0])
	run.Env = append(os.Environ(), envCopy+"="+dir, envTo+"="+p.address)
	for name, value := range p.env {
		run.Env = append(run.Env, name+"="+value)
	}
	run.SysProcAttr = &syscall.SysProcAttr{}
	return run
}

const (
	envCopy = "STRATA_TEST_COPY"
	envTo   = "STRATA_TEST_COPY_TO"
)

// TestMain is also the process that copies until it is killed.
func TestMain(m *testing.M) {
	dir := os.Getenv(envCopy)
	if dir == "" {
		os.Exit(m.Run())
	}
	s := Source{FS: vfs.OS(), Dir: dir}
	for _, top := range []string{"packs", "index", "snapshots"} {
		err := filepath.WalkDir(filepath.Join(dir, top), func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			info, err := e.Info()
			if err == nil {
				var name string
				name, err = filepath.Rel(dir, path)
				s.Files = append(s.Files, File{filepath.ToSlash(name), info.Size()})
			}
			return err
		})
		if err != nil {
			panic(err)
		}
	}
	to, err := Open(context.Background(), vfs.OS(), os.Getenv(envTo), true)
	if err == nil {
		fmt.Println("copying")
		_, err = Copy(context.Background(), s, to, Options{})
	}
	if err != nil {
		panic(err)
	}
	os.Exit(0)
}
