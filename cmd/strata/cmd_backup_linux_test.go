package main

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"strata/cmd/internal/ui"
)

// holdLock locks a world as a running game does, without saying who it is.
func holdLock(t *testing.T, world string) (release func()) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(world, "session.lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart}
	if err := unix.FcntlFlock(file.Fd(), unix.F_OFD_SETLK, &lock); err != nil {
		t.Fatal(err)
	}
	return func() { file.Close() }
}

// A server that holds the world's lock is asked to hold still; the fake one
// answers as the game's.
func TestServerIsQuietedForASnapshot(t *testing.T) {
	world, repo := sampleWorld(t, "world-26.2"), filepath.Join(t.TempDir(), "repo")
	mustRun(t, "backup", "init", repo)
	release := holdLock(t, world)
	defer release()
	said := make(chan string, 10)
	address := fakeRCON(t, said)
	t.Setenv(envRCONPassword, "secret")
	c := mustCreate(t, repo, world, "--rcon", address)
	close(said)
	var all []string
	for command := range said {
		all = append(all, command)
	}
	if got := strings.Join(all, ", "); got != "save-off, save-all flush, save-on" || c.Consistency != "quiesced" {
		t.Errorf("commands %q, consistency %q", got, c.Consistency)
	}
	if c := mustCreate(t, repo, world); c.Consistency != "per-chunk" {
		t.Errorf("without RCON: consistency %q", c.Consistency)
	}
	if code, _, _ := runPlain(t, "backup", "create", repo, world, "--refuse-foreign"); code != ui.Locked {
		t.Errorf("--refuse-foreign: exit %d", code)
	}
	if _, err := os.Stat(filepath.Join(repo, rconMarker)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the marker: %v", err)
	}
}

func fakeRCON(t *testing.T, said chan<- string) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			answerRCON(c, said)
		}
	}()
	return l.Addr().String()
}

func answerRCON(c net.Conn, said chan<- string) {
	defer c.Close()
	for {
		head := make([]byte, 12)
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		body := make([]byte, int(head[0])+int(head[1])<<8-8)
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		text := strings.TrimRight(string(body), "\x00")
		answer := map[string]string{
			"save-off": "Automatic saving is now disabled", "save-on": "Automatic saving is now enabled",
			"save-all flush": "Saving the game (this may take a moment!)Saved the game",
		}[text]
		kind := byte(0)
		if head[8] == 3 {
			kind = 2
		} else {
			said <- text
		}
		frame := append([]byte{byte(len(answer) + 10), 0, 0, 0}, head[4:8]...)
		frame = append(append(frame, kind, 0, 0, 0), answer...)
		c.Write(append(frame, 0, 0))
	}
}
