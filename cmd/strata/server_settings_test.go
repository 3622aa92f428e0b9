package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"strata/cmd/internal/ui"
	"strata/region/codec"
	"strata/server"
	"strata/server/protocol"
)

// folderWith is a server's folder with files.
func folderWith(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestServerFlagsWinOverItsFiles(t *testing.T) {
	dir := folderWith(t, map[string]string{
		"server.properties": "server-port=25570\nnetwork-compression-threshold=0\nmax-tick-time=-1\nonline-mode=true\n",
		"strata.toml":       "[memory]\nprofile='low'\nlimit='300M'\n[generation]\nworkers=3\n[storage]\nlevel=4\n[metrics]\naddress='127.0.0.1:1'\n",
	})
	none := func(string) bool { return false }
	set, err := loadServerSettings(dir, serverFlags{port: 9, workers: 9}, none)
	if err != nil {
		t.Fatal(err)
	}
	o := set.options(nil)
	if o.Address != ":25570" || o.Profile != server.Low || o.MemoryLimit != 300<<20 || o.Workers != 3 || o.Level != 4 ||
		o.Threshold != 1 || o.MaxTickTime >= 0 || o.Session != sessionService || o.Stalled != nil || set.tuning.Metrics != "127.0.0.1:1" {
		t.Errorf("of the files: %+v, %+v", o, set.tuning)
	}
	all := func(string) bool { return true }
	set, err = loadServerSettings(dir, serverFlags{
		port: 9, offline: true, profile: "throughput", memoryLimit: "1G", workers: 2, level: "sector", metrics: ":2", pprof: "6060",
	}, all)
	if err != nil {
		t.Fatal(err)
	}
	o = set.options(nil)
	if o.Address != ":9" || o.Profile != server.Throughput || o.MemoryLimit != 1<<30 || o.Workers != 2 || o.Level != codec.Sector ||
		o.Session != "" || set.tuning.Metrics != "127.0.0.1:2" || set.tuning.PProf != "127.0.0.1:6060" {
		t.Errorf("of the flags: %+v, %+v", o, set.tuning)
	}
	if threshold(protocol.NoCompression) != protocol.NoCompression || threshold(256) != 256 {
		t.Error("thresholds are others")
	}
}

func TestServerRefusesFlagsThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"--port", "99999"}, {"--memory-profile", "fast"}, {"--memory-profile", ""}, {"--memory-limit", "much"}, {"--workers", "-1"}, {"--workers", "257"},
		{"--level", "13"}, {"--metrics", "nowhere"}, {"--pprof", "127.0.0.1:x"},
	} {
		if code, _, errText := runPlain(t, append([]string{"server", dir}, args...)...); code != ui.Usage || !strings.Contains(errText, args[0]) {
			t.Errorf("%v: exit %d: %s", args, code, errText)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "strata.toml"), []byte("[memory]\nprofile='low'\nlimits=1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, errText := runPlain(t, "server", dir)
	if want := filepath.Join(dir, "strata.toml") + ":3: unknown key memory.limits"; code != ui.Usage || !strings.Contains(errText, want) {
		t.Errorf("exit %d: %s, want %s", code, errText, want)
	}
	if _, err := os.Stat(filepath.Join(dir, "world")); err == nil {
		t.Error("a world was made")
	}
}

// get asks a service that a server's log has named.
func get(t *testing.T, log, name, more string) string {
	t.Helper()
	m := regexp.MustCompile(`Serving ` + name + ` at (http://127\.0\.0\.1:\d+/\S+)`).FindStringSubmatch(log)
	if m == nil {
		t.Fatalf("no %s in\n%s", name, log)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, m[1]+more, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestServerServesCountersAndProfilesWhenItIsTold(t *testing.T) {
	dir := t.TempDir()
	text, stop := serve(t, dir, "--port", "0", "--offline", "--metrics", "127.0.0.1:0", "--pprof", ":0")
	for _, want := range []string{"strata_tick_seconds_count ", `strata_chunks_loaded{dimension="minecraft:overworld"} `, "strata_store_epochs_total ", "go_goroutines "} {
		if body := get(t, text, "metrics", ""); !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
	if body := get(t, text, "pprof", "goroutine?debug=1"); !strings.Contains(body, "goroutine profile: total") {
		t.Errorf("profile\n%s", body)
	}
	if code, text := stop(); code != ui.OK {
		t.Errorf("exit %d:\n%s", code, text)
	}
	if _, err := os.Stat(filepath.Join(dir, "strata.toml")); err != nil {
		t.Error(err)
	}
	if text, _ := serve(t, dir, "--port", "0", "--offline"); strings.Contains(text, "Serving") {
		t.Errorf("it serves without being told to\n%s", text)
	}
}

// A server whose output nobody reads stands still, which is a tick that does not
// end: it may be told to end then.
func TestServerEndsWhenATickDoesNotEndIfItIsTold(t *testing.T) {
	dir := folderWith(t, map[string]string{
		"server.properties": "server-port=0\nonline-mode=false\nmax-tick-time=500\n", "strata.toml": "[watchdog]\nexit=true\n",
	})
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, "server", dir)
	cmd.Args[0] = "strata" // see TestMain
	unread, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer unread.Close()
	cmd.Stdout = out
	cmd.Stdin = strings.NewReader(strings.Repeat("say "+strings.Repeat("x", 1000)+"\n", 1000))
	err = cmd.Run()
	_ = out.Close()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != int(ui.Failed) {
		t.Errorf("ended with %v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "crash-reports", "stall-*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("reports %v, %v", files, err)
	}
	if stacks, err := os.ReadFile(files[0]); err != nil || !strings.Contains(string(stacks), "server.(*Server).tick") {
		t.Errorf("%v, stacks\n%s", err, stacks)
	}
}
