package bench

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"strata/bench/corpus"
)

func loadedFakePeer(t *testing.T, mode string) *Peers {
	t.Helper()
	p, err := startFakePeer(t, t.Context(), mode)
	if err != nil {
		t.Fatal(err)
	}
	sample := PeerSample{Chunks: [][]byte{[]byte("one"), []byte("three")}, Regions: []string{"r.0.0.mca"}}
	if err := p.Load(t.Context(), sample); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPeersMakePasses(t *testing.T) {
	p := loadedFakePeer(t, "good")
	if p.Name() != "fake" || p.Version() != "v7" || p.GoVersion() != "go9" || !slices.Equal(p.Ops(), []string{"a", "b"}) || !p.Has("b") || p.Has("c") {
		t.Errorf("peer %s %s %s %v", p.Name(), p.Version(), p.GoVersion(), p.Ops())
	}
	for _, op := range []string{"a", "b", "a"} {
		got, err := p.Pass(t.Context(), op)
		if want := (PeerPass{Op: op, Clock: "wall", NS: 5, WallNS: 5, Chunks: 2, Bytes: 8}); err != nil || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
	if _, err := os.Stat(filepath.Join(p.dir, "chunks.bin")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the sample's file is still there: %v", err)
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := p.Pass(t.Context(), "a"); !errors.Is(err, os.ErrClosed) {
		t.Errorf("pass of a closed peer: %v", err)
	}
}

func TestPeersReportWhatThePeerCannotDo(t *testing.T) {
	p := loadedFakePeer(t, "unwilling")
	for range 2 {
		_, err := p.Pass(t.Context(), "a")
		got, ok := errors.AsType[*PeerError](err)
		if want := (PeerError{"fake", "a", "would rather not"}); !ok || *got != want {
			t.Errorf("error %v, want %v", err, &want)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestBrokenPeersAreErrors(t *testing.T) {
	for mode, want := range map[string]string{
		"garbage":      `it wrote "{it took long}"`,
		"exit":         "exit status 3: xxx",
		"mute":         "it ended",
		"huge":         "more than 65536 bytes",
		"endless":      "it wrote",
		"twice":        "cannot be",
		"other op":     `replied to "b"`,
		"other chunks": "cannot be",
		"no time":      "cannot be",
		"odd clock":    "cannot be",
	} {
		t.Run(mode, func(t *testing.T) {
			p := loadedFakePeer(t, mode)
			_, first := p.Pass(t.Context(), "a")
			if first == nil || !strings.Contains(first.Error(), want) || !strings.HasPrefix(first.Error(), "peer fake: ") {
				t.Fatalf("error %.300v, want %s", first, want)
			}
			if mode == "exit" && (!strings.HasSuffix(first.Error(), "out of memory") || len(first.Error()) > tailBytes+100) {
				t.Errorf("error of %d bytes does not end as what the peer printed: %.300v", len(first.Error()), first)
			}
			if _, err := p.Pass(t.Context(), "b"); err != first {
				t.Errorf("the next call returned %.300v, not the same", err)
			}
			if err := p.Close(); err != nil {
				t.Errorf("closing said it again: %.300v", err)
			}
		})
	}
}

func TestPeersThatDoNotStartAreErrors(t *testing.T) {
	for mode, want := range map[string]string{
		"chatty":    `it wrote "Welcome!"`,
		"nameless":  "does not say what it is",
		"stillborn": "exit status 3: no such luck",
	} {
		if _, err := startFakePeer(t, t.Context(), mode); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", mode, err, want)
		}
	}
	if _, err := startPeers(t.Context(), t.TempDir(), exec.Command(filepath.Join(t.TempDir(), "absent")), time.Second); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent program: %v", err)
	}
}

func TestPeersHonourTheContext(t *testing.T) {
	soon := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	if _, err := startFakePeer(t, soon(), "silent"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("silent at start: %v", err)
	}
	for _, mode := range []string{"hang", "good"} {
		p := loadedFakePeer(t, mode)
		ctx := soon()
		if mode == "good" { // ended before the call: the peer is not asked
			<-ctx.Done()
		}
		if _, err := p.Pass(ctx, "a"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", mode, err)
		}
		_, err := p.Pass(t.Context(), "a")
		if mode == "good" && err != nil || mode == "hang" && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: the call after: %v", mode, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestClosingPeersSaysHowTheyEnded(t *testing.T) {
	for mode, want := range map[string]string{
		"loyal":  "did not end within",
		"clumsy": "exit status 7: dropped it",
	} {
		p := loadedFakePeer(t, mode)
		if err := p.Close(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", mode, err, want)
		}
	}
}

func TestPeersRefuseSamplesOverTheLimit(t *testing.T) {
	p := loadedFakePeer(t, "good")
	if err := p.Load(t.Context(), PeerSample{Chunks: [][]byte{make([]byte, corpus.MaxChunk+1)}}); !errors.Is(err, corpus.ErrLimit) {
		t.Errorf("error %v", err)
	}
	if _, err := p.Pass(t.Context(), "a"); err != nil {
		t.Errorf("the pass after: %v", err)
	}
}

func TestMissingPeersAreTold(t *testing.T) {
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "absent")} {
		if _, err := StartPeers(t.Context(), dir); !errors.Is(err, ErrNoPeers) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	t.Setenv("PATH", "")
	if _, err := StartPeers(t.Context(), "peers"); !errors.Is(err, ErrNoPeers) {
		t.Errorf("without a go command: %v", err)
	}
}
