package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region"
	"strata/region/codec"
)

// writeModule makes a module of the files, each named before its text.
func writeModule(t *testing.T, files ...string) string {
	t.Helper()
	testbed.Tool(t, "go")
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPeersThatDoNotBuildAreErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := writeModule(t, "go.mod", "module broken\n\ngo 1.26\n", "main.go", "package main\n\nfunc main() { undefinedThing() }\n")
	_, err := StartPeers(t.Context(), dir)
	if err == nil || errors.Is(err, ErrNoPeers) || !strings.Contains(err.Error(), "undefined: undefinedThing") {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := StartPeers(ctx, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("when cancelled: %v", err)
	}
}

func TestBuildErrorsAreShortAndToThePoint(t *testing.T) {
	output := "go: downloading example.com/a v1.0.0\n# peers\n" + strings.Repeat("./main.go: wrong\n", 30)
	got := firstLines(output)
	if !strings.HasPrefix(got, "# peers\n./main.go: wrong\n") || !strings.HasSuffix(got, "wrong\n...") || strings.Count(got, "\n") != buildLines {
		t.Errorf("%q", got)
	}
	if got := firstLines("\none\n"); got != "one" {
		t.Errorf("%q", got)
	}
}

func TestPeersKeepTheirGarbageCollectorsDefaults(t *testing.T) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GODEBUG"} {
		t.Setenv(name, "")
	}
	t.Setenv("GOMAXPROCS", "2")
	env := strings.Join(peerCommand("peers").Env, "\n")
	if strings.Contains(env, "GOGC=") || strings.Contains(env, "GOMEMLIMIT=") || strings.Contains(env, "GODEBUG=") || !strings.Contains(env, "GOMAXPROCS=2") {
		t.Errorf("environment %s", env)
	}
}

// TestGoMCDoesEveryOp builds bench/peers.
func TestGoMCDoesEveryOp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program and works on a whole corpus")
	}
	testbed.Tool(t, "go")
	all, err := corpus.Load(testbed.Shared(t, "worlds", "chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := StartPeers(t.Context(), "peers")
	if err != nil {
		testbed.SkipOrFail(t, "bench/peers, which may need a network to build: %v", err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	if p.Name() != "go-mc" || !strings.HasPrefix(p.Version(), "v1.") {
		t.Errorf("peer %s %s", p.Name(), p.Version())
	}
	t.Run("nbt", func(t *testing.T) { goMCDoesNBT(t, p, spread(all, len(all))) })
	t.Run("storage", func(t *testing.T) { goMCDoesStorage(t, p, spread(all, 50)) })
}

func goMCDoesNBT(t *testing.T, p *Peers, chunks [][]byte) {
	if err := p.Load(t.Context(), PeerSample{Chunks: chunks}); err != nil {
		t.Fatal(err)
	}
	for _, op := range []string{"nbt/unmarshal", "nbt/unmarshal-any", "nbt/marshal"} {
		pass, err := p.Pass(t.Context(), op)
		if err != nil {
			t.Fatal(err)
		}
		if pass.Chunks != len(chunks) || pass.Clock != threadClockKind {
			t.Errorf("%+v", pass)
		}
		// A chunk has thousands of values behind pointers: far fewer would
		// mean that it was not decoded.
		if n := pass.Mallocs / int64(len(chunks)); n < 2000 || n > 20_000 {
			t.Errorf("%s: %d allocations a chunk", op, n)
		}
		t.Log(passText(pass))
	}
}

func passText(p PeerPass) string {
	n := time.Duration(p.Chunks)
	return fmt.Sprintf("%s, a chunk: %v by clock %s, wall %v, process %v; %d allocations of %d bytes", p.Op,
		p.NS/n, p.Clock, p.WallNS/n, p.ProcessNS/n, p.Mallocs/int64(n), p.AllocBytes/int64(n))
}

func goMCDoesStorage(t *testing.T, p *Peers, chunks [][]byte) {
	dir := t.TempDir()
	name := filepath.Join(dir, region.Pos{}.Name())
	writeRegion(t, name, chunks)
	// Files of our own, then of the peer's.
	for _, regions := range [][]string{{name}, nil} {
		if err := p.Load(t.Context(), PeerSample{Chunks: chunks, Regions: regions, Dir: dir}); err != nil {
			t.Fatal(err)
		}
		for _, op := range []string{"storage/load", "storage/load-kept", "storage/scan", "storage/scan-kept", "storage/save"} {
			pass, err := p.Pass(t.Context(), op)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(passText(pass))
		}
	}
	for _, folder := range []string{"sample", "saved"} {
		report, err := region.Check(filepath.Join(dir, folder, region.Pos{}.Name()), region.CheckOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if report.Chunks != len(chunks) || report.Worst() > region.SeverityInfo {
			t.Errorf("%s: %d chunks, %v", folder, report.Chunks, report.Findings)
		}
	}
	// Other chunks than the files have are found out, and the peer goes on.
	if err := p.Load(t.Context(), PeerSample{Chunks: chunks[1:], Regions: []string{name}, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Pass(t.Context(), "storage/load"); !errorIsPeers(err) {
		t.Errorf("with other chunks: %v", err)
	}
	if _, err := p.Pass(t.Context(), "nbt/unmarshal"); err != nil {
		t.Error(err)
	}
}

func errorIsPeers(err error) bool {
	_, ok := errors.AsType[*PeerError](err)
	return ok
}

// writeRegion puts chunk i into slot i.
func writeRegion(t *testing.T, name string, chunks [][]byte) {
	t.Helper()
	enc, err := codec.NewEncoder(codec.Zlib, codec.Sector)
	if err != nil {
		t.Fatal(err)
	}
	w, err := region.Create(name, region.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for i, c := range chunks {
		stream, err := enc.Append(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Put(region.Slot(i), region.Record{Scheme: codec.Zlib, Data: stream}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
}
