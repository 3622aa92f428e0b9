package admin

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"strata/bench/testbed"
)

func startRCON(t *testing.T) *RCON {
	t.Helper()
	r, err := NewRCON("127.0.0.1:0", "secret", func(_ context.Context, line string) string {
		if line == "long" {
			return strings.Repeat("0123456789", 1000)
		}
		return "you said " + line
	})
	if err != nil {
		t.Fatal(err)
	}
	r.penalty = 10 * time.Millisecond
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// dial connects as a client that speaks the protocol by hand.
func dial(t *testing.T, r *RCON) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", r.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return c
}

func ask(t *testing.T, c net.Conn, id, kind int32, body string) (int32, int32, string) {
	t.Helper()
	if err := writeRCON(c, id, kind, []byte(body)); err != nil {
		t.Fatal(err)
	}
	return hear(t, c)
}

// hear reads an answer, whose body may be longer than a request's.
func hear(t *testing.T, c net.Conn) (id, kind int32, body string) {
	t.Helper()
	var head [12]byte
	if _, err := io.ReadFull(c, head[:]); err != nil {
		t.Fatal(err)
	}
	rest := make([]byte, binary.LittleEndian.Uint32(head[:])-8)
	if _, err := io.ReadFull(c, rest); err != nil {
		t.Fatal(err)
	}
	return int32(binary.LittleEndian.Uint32(head[4:])), int32(binary.LittleEndian.Uint32(head[8:])), string(rest[:len(rest)-2])
}

func TestRemoteConsolesLogInAndRunCommands(t *testing.T) {
	r := startRCON(t)
	c := dial(t, r)
	if id, kind, _ := ask(t, c, 7, rconLogin, "wrong"); id != -1 || kind != rconCommand {
		t.Errorf("a wrong password: id %d, type %d", id, kind)
	}
	if id, kind, _ := ask(t, c, 8, rconLogin, "secret"); id != 8 || kind != rconCommand {
		t.Errorf("the password: id %d, type %d", id, kind)
	}
	if id, kind, text := ask(t, c, 9, rconCommand, "list"); id != 9 || kind != rconAnswer || text != "you said list" {
		t.Errorf("a command: %d, %d, %q", id, kind, text)
	}
	_, _, text := ask(t, c, 10, rconCommand, "long")
	_, _, second := hear(t, c)
	_, _, third := hear(t, c)
	if len(text) != 4096 || len(second) != 4096 || len(third) != 10_000-8192 {
		t.Errorf("pieces of %d, %d and %d", len(text), len(second), len(third))
	}
	if _, kind, text := ask(t, c, 11, 100, ""); kind != rconAnswer || text != "Unknown request 64" {
		t.Errorf("another type: %q", text)
	}
}

func TestCommandsBeforeTheLoginEndTheConnection(t *testing.T) {
	r := startRCON(t)
	c := dial(t, r)
	if id, _, _ := ask(t, c, 1, rconCommand, "stop"); id != -1 {
		t.Errorf("id %d", id)
	}
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the connection: %v", err)
	}
	for _, request := range []string{"\xff\xff\xff\xff", "\x09\x00\x00\x00123456789", "\x00\x00\x10\x00", "\x0a\x00\x00\x001234567890"} {
		c := dial(t, r)
		if _, err := c.Write([]byte(request)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Errorf("%q was answered", request)
		}
	}
}

func TestRemoteConsolesAreFew(t *testing.T) {
	r := startRCON(t)
	for range rconClients {
		if id, _, _ := ask(t, dial(t, r), 1, rconLogin, "secret"); id != 1 {
			t.Fatal("not let in")
		}
	}
	if _, err := dial(t, r).Read(make([]byte, 1)); err == nil {
		t.Error("one too many was let in")
	}
	if _, err := NewRCON("127.0.0.1:0", "", nil); !errors.Is(err, ErrPassword) {
		t.Errorf("without a password: %v", err)
	}
}

// The client that restic and others of our backups speak to is our own; here the
// Python has no part in our protocol.
func TestAnotherProgramSpeaksTheSame(t *testing.T) {
	python := testbed.Tool(t, "python3")
	r := startRCON(t)
	host, port, err := net.SplitHostPort(r.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	const script = `
import socket, struct, sys
s = socket.create_connection((sys.argv[1], int(sys.argv[2])), 5)
def ask(id, kind, body):
    data = struct.pack('<ii', id, kind) + body.encode() + b'\0\0'
    s.sendall(struct.pack('<i', len(data)) + data)
    n, = struct.unpack('<i', s.recv(4, socket.MSG_WAITALL))
    d = s.recv(n, socket.MSG_WAITALL)
    return struct.unpack('<ii', d[:8]) + (d[8:-2].decode(),)
print(ask(5, 3, 'secret'), ask(6, 2, 'hé'))
`
	out, err := exec.CommandContext(t.Context(), python, "-c", script, host, port).CombinedOutput()
	if err != nil || string(bytes.TrimSpace(out)) != "(5, 2, '') (6, 0, 'you said hé')" {
		t.Errorf("%v: %s", err, out)
	}
}

func FuzzRCONRequest(f *testing.F) {
	f.Add([]byte("\x0a\x00\x00\x0012345678\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		id, kind, body, err := readRCON(bytes.NewReader(b))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := writeRCON(&again, id, kind, body); err != nil || !bytes.Equal(again.Bytes(), b[:again.Len()]) {
			t.Errorf("%q became %q", b, again.Bytes())
		}
	})
}
