package session_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"strata/anvil/session"
	"strata/bench/testbed"
	"strata/region/vfs"
)

// childEnv makes the test binary another process: "hold DIR" locks a folder,
// says so and holds it until its input ends; "storm N DIR" opens it N
// times.
const childEnv = "STRATA_SESSION_CHILD"

func TestMain(m *testing.M) {
	if verb, rest, found := strings.Cut(os.Getenv(childEnv), " "); found {
		os.Exit(child(verb, rest))
	}
	os.Exit(m.Run())
}

func child(verb, rest string) int {
	if verb == "storm" {
		var runs int
		if _, err := fmt.Sscanf(rest, "%d", &runs); err != nil {
			return fail(err)
		}
		_, dir, _ := strings.Cut(rest, " ")
		return storm(dir, runs)
	}
	l, err := session.Acquire(vfs.OS(), strings.Split(rest, "\n")...)
	if err != nil {
		return fail(err)
	}
	fmt.Println("locked")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return fail(err)
	}
	if err := l.Release(); err != nil {
		return fail(err)
	}
	return 0
}

func fail(err error) int {
	fmt.Println("error:", err)
	return 1
}

// storm locks the folder runs times. While it holds it, it makes a file that
// must not be there yet, and removes it again: two owners would meet there.
func storm(dir string, runs int) int {
	fmt.Println("ready")
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil { // both begin at once
		return fail(err)
	}
	refused := 0
	for got := 0; got < runs; {
		l, err := session.Acquire(vfs.OS(), dir)
		if errors.Is(err, session.ErrLocked) {
			refused++
			continue
		}
		if err != nil {
			return fail(err)
		}
		owner := filepath.Join(dir, "owner")
		f, err := os.OpenFile(owner, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err != nil {
			return fail(fmt.Errorf("two owners: %w", err))
		}
		// The flush takes long enough for the other process to come by.
		err = errors.Join(f.Sync(), f.Close(), l.Check(), os.Remove(owner), l.Release())
		if err != nil {
			return fail(err)
		}
		got++
	}
	fmt.Println("done, refused", refused)
	return 0
}

// process is another process of ours.
type process struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines *bufio.Reader
}

func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill() // no error matters: it may have ended
		cmd.Wait()
	})
	return &process{cmd, stdin, bufio.NewReader(stdout)}
}

func startChild(t *testing.T, task string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+task)
	return start(t, cmd)
}

func (p *process) want(t *testing.T, line string) {
	t.Helper()
	if got, err := p.lines.ReadString('\n'); err != nil || strings.TrimSpace(got) != line {
		t.Fatalf("the other process says %q (%v), want %q", got, err, line)
	}
}

// end lets it go on to its end.
func (p *process) end(t *testing.T) {
	t.Helper()
	if err := p.stdin.Close(); err != nil {
		t.Error(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func TestAnotherProcessIsKeptOut(t *testing.T) {
	dir := t.TempDir()
	p := startChild(t, "hold "+dir)
	p.want(t, "locked")
	wantLocked(t, vfs.OS(), dir, dir)
	wantHeld(t, vfs.OS(), dir, true)
	p.end(t)
	l := acquire(t, vfs.OS(), dir)
	q := startChild(t, "hold "+dir)
	q.want(t, "error: lock "+dir+": "+session.ErrLocked.Error())
	// Handles of this process that are closed do not take the lock along.
	for range 3 {
		content(t, vfs.OS(), dir)
		wantHeld(t, vfs.OS(), dir, true)
	}
	q = startChild(t, "hold "+dir)
	q.want(t, "error: lock "+dir+": "+session.ErrLocked.Error())
	release(t, l)
}

func TestKilledHolderLeavesTheWorldFree(t *testing.T) {
	for range testbed.Runs(t, 10) {
		dir := t.TempDir()
		p := startChild(t, "hold "+dir)
		p.want(t, "locked")
		wantHeld(t, vfs.OS(), dir, true)
		if err := p.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		p.cmd.Wait() // reports the kill
		if got := content(t, vfs.OS(), dir); got != "\u2603" {
			t.Errorf("left behind: %q", got)
		}
		release(t, acquire(t, vfs.OS(), dir))
	}
}

func TestTwoProcessesNeverOwnOneWorld(t *testing.T) {
	dir := t.TempDir()
	runs := testbed.Runs(t, 50)
	var both []*process
	for range 2 {
		p := startChild(t, fmt.Sprintf("storm %d %s", runs, dir))
		p.want(t, "ready")
		both = append(both, p)
	}
	var wg sync.WaitGroup
	for _, p := range both {
		if err := p.stdin.Close(); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			line, err := p.lines.ReadString('\n')
			if err != nil || !strings.HasPrefix(line, "done") {
				t.Errorf("the other process says %q (%v)", line, err)
			}
			t.Logf("%d opens: %s", runs, strings.TrimSpace(line))
		})
	}
	wg.Wait()
}

// javaLocker compiles testdata/Locker.java and returns how it is started.
func javaLocker(t *testing.T) func(args ...string) *process {
	t.Helper()
	java, javac := testbed.Tool(t, "java"), testbed.Tool(t, "javac")
	classes := t.TempDir()
	if out, err := exec.Command(javac, "-d", classes, filepath.Join("testdata", "Locker.java")).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	return func(args ...string) *process {
		return start(t, exec.Command(java, append([]string{"-Xint", "-cp", classes, "Locker"}, args...)...))
	}
}

func TestJavaAndWeSeeEachOthersLocks(t *testing.T) {
	run := javaLocker(t)
	dir := t.TempDir()
	file := filepath.Join(dir, session.FileName)

	l := acquire(t, vfs.OS(), dir)
	wantHeld(t, vfs.OS(), dir, true) // closes another handle on the file
	p := run(file)
	p.want(t, "refused")
	p.end(t)
	release(t, l)

	p = run(file, "the game's")
	p.want(t, "locked")
	wantLocked(t, vfs.OS(), dir, dir)
	wantHeld(t, vfs.OS(), dir, true)
	if got := content(t, vfs.OS(), dir); got != "the game's" {
		t.Errorf("the game's file became %q", got)
	}
	p.end(t)
	release(t, acquire(t, vfs.OS(), dir))
}
