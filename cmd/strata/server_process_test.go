package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// serverProcess is strata server in a process of its own, which can be killed.
type serverProcess struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	port  int
	mu    sync.Mutex
	said  strings.Builder // guarded by mu
	ended chan error
	began time.Time
}

// serverPatience is how long a server may take to do what is waited for.
const serverPatience = 40 * time.Second

// serverFolder makes a folder for a server on loopback, with more properties.
func serverFolder(t *testing.T, properties ...string) string {
	t.Helper()
	dir := t.TempDir()
	all := append([]string{"online-mode=false", "server-port=0", "server-ip=127.0.0.1", "view-distance=5"}, properties...)
	if err := os.WriteFile(filepath.Join(dir, "server.properties"), []byte(strings.Join(all, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// startServer runs strata server in a folder until it listens. It is killed at the
// end of the test if it still runs.
func startServer(t *testing.T, dir string) *serverProcess {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return startServerOf(t, exe, dir)
}

// startServerOf is startServer with a program, of a test or as it is given out.
func startServerOf(t *testing.T, exe, dir string) *serverProcess {
	t.Helper()
	var err error
	p := &serverProcess{t: t, cmd: exec.Command(exe, "server", dir), ended: make(chan error, 1), began: time.Now()}
	p.cmd.Args[0] = "strata" // see TestMain
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, in := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = in, in
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go p.listen(out)
	go func() {
		err := p.cmd.Wait()
		in.Close()
		p.ended <- err
	}()
	t.Cleanup(p.kill)
	text := p.await(`Listening address="?127\.0\.0\.1:(\d+)`)
	if p.port, err = strconv.Atoi(text); err != nil {
		t.Fatal(err)
	}
	return p
}

// listen keeps what the server says.
func (p *serverProcess) listen(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		p.mu.Lock()
		fmt.Fprintln(&p.said, lines.Text())
		p.mu.Unlock()
	}
}

// text is what the server has said.
func (p *serverProcess) text() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.said.String()
}

// await waits until the server has said something that matches, and returns the
// first group of it.
func (p *serverProcess) await(pattern string) string {
	p.t.Helper()
	want := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(serverPatience); ; time.Sleep(10 * time.Millisecond) {
		if found := want.FindStringSubmatch(p.text()); found != nil {
			return found[len(found)-1]
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("no %s in %v:\n%s", pattern, serverPatience, p.text())
		}
	}
}

// console types a line of the console.
func (p *serverProcess) console(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// stop ends the server in order.
func (p *serverProcess) stop() {
	p.t.Helper()
	p.console("stop")
	select {
	case err := <-p.ended:
		p.ended <- err
		if err != nil {
			p.t.Fatalf("%v:\n%s", err, p.text())
		}
	case <-time.After(serverPatience):
		p.t.Fatalf("not stopped in %v:\n%s", serverPatience, p.text())
	}
}

// kill ends the server at once, if it runs, and waits for the end.
func (p *serverProcess) kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	p.ended <- <-p.ended
}
