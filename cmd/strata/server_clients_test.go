package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/bench/clients"
	"strata/bench/testbed"
)

// javaShim is a program java that runs strata server in the current folder, for
// tools that start the game's server.
type javaShim struct {
	dir string // that java is in
	env []string
}

// newJavaShim makes one. Paths go to it in the environment, where nothing needs to
// be quoted.
func newJavaShim(t *testing.T) *javaShim {
	t.Helper()
	testbed.Tool(t, "bash")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// The name is what TestMain goes by. The program is the same process after exec.
	const script = "#!/usr/bin/env bash\n" + `echo $$ >"$SHIM_DIR/pid" && exec -a strata "$SHIM_EXE" server .` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "java"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return &javaShim{dir: dir, env: append(os.Environ(),
		"PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "SHIM_DIR="+dir, "SHIM_EXE="+exe)}
}

// kill ends the server that java has become, which goes on when the process that
// started it is killed.
func (s *javaShim) kill() error {
	text, err := os.ReadFile(filepath.Join(s.dir, "pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it was not started
	}
	if err != nil {
		return err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return err
	}
	server, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if err := server.Kill(); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}

func TestShimIsEndedAfterItsParent(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	shim := newJavaShim(t)
	// The output ends when the last process that has it does.
	parent := exec.CommandContext(t.Context(), "bash", "-c", "java & wait")
	parent.Dir, parent.Env = t.TempDir(), shim.env
	properties := []byte("online-mode=false\nserver-port=0\nserver-ip=127.0.0.1\n")
	if err := os.WriteFile(filepath.Join(parent.Dir, "server.properties"), properties, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for listening := false; !listening; listening = strings.Contains(lines.Text(), "Listening") {
		if !lines.Scan() {
			t.Fatal("the server has ended")
		}
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan bool)
	go func() {
		defer close(ended)
		for lines.Scan() {
		}
	}()
	if err := shim.kill(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Error("the server goes on")
	}
	_ = parent.Wait() // it was killed
}

// TestMinecraftProtocolsOwnClientTest runs the tests that minecraft-protocol has for
// its client against the game's server: a ping, talking in both directions, ten
// seconds in the world, and a client of another version.
func TestMinecraftProtocolsOwnClientTest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 13 seconds")
	}
	t.Parallel() // most of the time it waits
	node, folder := clients.Installed(t)
	modules := filepath.Join(folder, "node_modules")
	dir := t.TempDir()
	// The test writes beside itself, so it runs from a copy; what it requires comes
	// from where it was.
	source := filepath.Join(modules, "minecraft-protocol")
	for from, to := range map[string]string{
		filepath.Join(source, "src"):          "src",
		filepath.Join(source, "package.json"): "package.json",
		modules:                               "node_modules",
	} {
		if err := os.Symlink(from, filepath.Join(dir, to)); err != nil {
			t.Skip("no symbolic links: ", err)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "test"), os.DirFS(filepath.Join(source, "test"))); err != nil {
		t.Fatal(err)
	}
	const preload = `const fs = require('fs')
const path = require('path')
require('minecraft-wrap').download = (version, file, done) => fs.writeFile(file, '', done)
const resolve = require('module')._resolveFilename
require('module')._resolveFilename = function (name, ...rest) {
  return resolve.call(this, name === '../' ? 'minecraft-protocol' : name, ...rest)
}
`
	if err := os.WriteFile(filepath.Join(dir, "preload.cjs"), []byte(preload), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "-r", "./preload.cjs", filepath.Join(modules, "mocha", "bin", "mocha.js"),
		"--exit", "--reporter", "json", "--reporter-option", "output=result.json", "-g", "client 26.1v", "test/clientTest.js")
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	shim := newJavaShim(t)
	cmd.Env = append(shim.env, "MC_SERVER_JAR_DIR="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil {
		if kerr := shim.kill(); kerr != nil {
			t.Error(kerr)
		}
	}
	data, rerr := os.ReadFile(filepath.Join(dir, "result.json"))
	if rerr != nil {
		t.Fatalf("%v, %v: %s", err, rerr, out)
	}
	var result struct {
		Stats  struct{ Failures int }
		Passes []struct{ Title string }
	}
	if jerr := json.Unmarshal(data, &result); jerr != nil {
		t.Fatal(jerr)
	}
	var titles []string
	for _, p := range result.Passes {
		titles = append(titles, p.Title)
	}
	want := []string{
		"pings the server", "connects successfully - offline mode", "does not crash for 10000ms",
		"produce a decent error when connecting with the wrong version",
	}
	if diff := cmp.Diff(want, titles); err != nil || diff != "" || result.Stats.Failures != 0 {
		t.Errorf("%d failed, %v, passed (-want +got):\n%s%.4000s", result.Stats.Failures, err, diff, out)
	}
}
