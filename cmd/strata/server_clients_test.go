package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strata/bench/clients"
	"strata/bench/testbed"
)

// javaShim makes a folder with a program java that runs strata server in the
// current folder, for tools that start the game's server.
func javaShim(t *testing.T) string {
	t.Helper()
	testbed.Tool(t, "bash")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// The name is what TestMain goes by.
	script := "#!/usr/bin/env bash\nexec -a strata '" + exe + "' server .\n"
	if err := os.WriteFile(filepath.Join(dir, "java"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestMinecraftProtocolsOwnClientTest runs the tests that minecraft-protocol has for
// its client against the game's server: a ping, talking in both directions, ten
// seconds in the world, and a client of another version.
func TestMinecraftProtocolsOwnClientTest(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 13 seconds")
	}
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
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, "-r", "./preload.cjs", filepath.Join(modules, "mocha", "bin", "mocha.js"),
		"--exit", "--reporter", "json", "--reporter-option", "output=result.json", "-g", "client 26.1v", "test/clientTest.js")
	cmd.Dir = dir
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(), "PATH="+javaShim(t)+string(os.PathListSeparator)+os.Getenv("PATH"), "MC_SERVER_JAR_DIR="+dir)
	out, err := cmd.CombinedOutput()
	data, rerr := os.ReadFile(filepath.Join(dir, "result.json"))
	if rerr != nil {
		t.Fatalf("%v, %v: %s", err, rerr, out)
	}
	var result struct {
		Stats  struct{ Passes, Failures int }
		Passes []struct{ Title string }
	}
	if jerr := json.Unmarshal(data, &result); jerr != nil {
		t.Fatal(jerr)
	}
	var titles []string
	for _, p := range result.Passes {
		titles = append(titles, p.Title)
	}
	t.Logf("passed: %s", strings.Join(titles, "; "))
	if err != nil || result.Stats.Passes != 4 || result.Stats.Failures != 0 {
		t.Errorf("%d passed, %d failed, %v: %.4000s", result.Stats.Passes, result.Stats.Failures, err, out)
	}
}
