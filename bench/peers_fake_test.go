package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const envFakePeer = "STRATA_FAKE_PEER"

// TestMain makes the test binary a fake peer when asked to be one.
func TestMain(m *testing.M) {
	if mode := os.Getenv(envFakePeer); mode != "" {
		fakePeer(mode)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fakePeer does what the protocol says, but for what its mode is named after.
func fakePeer(mode string) {
	forever := func() { time.Sleep(time.Hour) }
	switch mode {
	case "silent":
		forever()
	case "chatty":
		fmt.Println("Welcome!")
		forever()
	case "nameless":
		fmt.Println(`{"ops":["a"]}`)
		forever()
	case "stillborn":
		fmt.Fprintln(os.Stderr, "no such luck")
		os.Exit(3)
	}
	ops := `["a","b"]`
	if mode == "able" || mode == "picky" || mode == "quitter" {
		ops = `["nbt/unmarshal","nbt/unmarshal-any","nbt/marshal","storage/open","storage/load-kept","storage/scan","storage/scan-kept","storage/save"]`
	}
	fmt.Println(`{"peer":"fake","version":"v7","go":"go9","ops":` + ops + `}`)
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, peerLine)
	var loaded peerReply
	for in.Scan() {
		var req peerRequest
		if err := json.Unmarshal(in.Bytes(), &req); err != nil {
			fmt.Fprintln(os.Stderr, "fake peer:", err)
			os.Exit(4)
		}
		reply := loaded
		reply.Op = req.Op
		if req.Op == peerOpLoad {
			info, err := os.Stat(req.Sample)
			if err != nil || !filepath.IsAbs(req.Dir) || slices.ContainsFunc(req.Regions, func(r string) bool { return !filepath.IsAbs(r) }) {
				fmt.Fprintln(os.Stderr, "fake peer: bad load:", err, in.Text())
				os.Exit(5)
			}
			reply.Chunks, reply.Bytes = 2, info.Size()-8
			loaded = reply
		} else {
			reply.Clock, reply.NS, reply.WallNS = "wall", 5, 5
			fakePass(mode, &reply)
		}
		line, err := json.Marshal(reply)
		if err != nil {
			os.Exit(6)
		}
		fmt.Println(string(line))
	}
	if mode == "loyal" {
		forever()
	}
	if mode == "clumsy" {
		fmt.Fprintln(os.Stderr, "dropped it")
		os.Exit(7)
	}
}

func fakePass(mode string, reply *peerReply) {
	switch mode {
	case "hang":
		time.Sleep(time.Hour)
	case "garbage":
		fmt.Println("{it took long}")
	case "exit", "quitter":
		fmt.Fprintln(os.Stderr, strings.Repeat("x", 3*tailBytes)+"out of memory")
		os.Exit(3)
	case "mute":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "huge":
		fmt.Println(`{"op":"` + strings.Repeat("a", peerLine) + `"}`)
	case "endless":
		line := strings.Repeat("b", 1000) + "\n"
		for {
			os.Stdout.WriteString(line)
		}
	case "twice":
		fmt.Println(`{"op":"a"}`)
		fmt.Println(`{"op":"a"}`)
	case "other op":
		reply.Op = "b"
	case "other chunks":
		reply.Chunks--
	case "no time":
		reply.NS = 0
	case "odd clock":
		reply.Clock = "sundial"
	case "picky":
		if reply.Op == "nbt/marshal" || reply.Op == "storage/save" {
			reply.Error = "too much work"
		}
	case "unwilling":
		reply.Error = "would rather not"
	}
}

func startFakePeer(t *testing.T, ctx context.Context, mode string) (*Peers, error) {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	// The race detector would have it sleep for a second before it ends.
	cmd.Env = append(os.Environ(), envFakePeer+"="+mode, "GORACE=atexit_sleep_ms=0")
	p, err := startPeers(ctx, dir, cmd, 500*time.Millisecond)
	t.Cleanup(func() {
		if p != nil {
			p.Close()
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the peer's folder is still there: %v", err)
			}
		}
		if cmd.Process != nil && cmd.ProcessState == nil {
			t.Errorf("nobody has waited for the peer")
		}
	})
	return p, err
}
