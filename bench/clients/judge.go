package clients

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"testing"
	"time"
)

const (
	// maxLineBytes bounds a request and an answer. judge.mjs has it too.
	maxLineBytes = 64 << 20
	// maxStderrBytes is what is kept of a crash.
	maxStderrBytes = 4 << 10
	// maxHeapMiB makes Node give up before the machine does, when a library
	// believes a length in a damaged document.
	maxHeapMiB = 1024

	answerTimeout = 30 * time.Second
	exitTimeout   = 5 * time.Second
)

// judge is a Node process that answers requests, started when it is first
// needed and again after it failed.
type judge struct {
	node, folder, script string
	timeout              time.Duration
	limitBytes           int // of a request

	mu     sync.Mutex // held during a request; guards what follows
	run    *run       // nil: not running
	lastID int
	closed bool
}

// run is one life of the process.
type run struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	answers *bufio.Scanner
	stderr  tail
}

// startJudge prepares the judge of that script for the length of the test,
// which is skipped, or fails when testbed.MustRun, if it cannot run here.
func startJudge(t testing.TB, script string) *judge {
	t.Helper()
	node, folder := Installed(t)
	j := &judge{node: node, folder: folder, script: script, timeout: answerTimeout, limitBytes: maxLineBytes}
	t.Cleanup(func() {
		if err := j.close(); err != nil {
			t.Errorf("end of the judge %s: %v", script, err)
		}
	})
	return j
}

// call asks for op with the fields, and fills answer, a pointer to a struct.
// The error is a *Refusal, or wraps ErrNoAnswer or ErrTooLarge.
func (j *judge) call(op string, fields map[string]any, answer any) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lastID++
	request := map[string]any{"id": j.lastID, "op": op}
	for name, value := range fields {
		request[name] = value
	}
	line, err := json.Marshal(request)
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	if len(line) > j.limitBytes {
		return fmt.Errorf("%s: %d bytes: %w", op, len(line), ErrTooLarge)
	}
	reply, err := j.exchange(append(line, '\n'))
	if err != nil {
		return fmt.Errorf("%s: %w: %w", op, ErrNoAnswer, err)
	}
	var head struct {
		ID    int    `json:"id"`
		Error string `json:"error"`
	}
	if err := json.Unmarshal(reply, &head); err != nil || head.ID != j.lastID {
		return fmt.Errorf("%s: %w: asked %d, got %.80q (%v)", op, ErrNoAnswer, j.lastID, reply, errors.Join(err, j.stop()))
	}
	if head.Error != "" {
		return &Refusal{Op: op, Text: head.Error}
	}
	if err := json.Unmarshal(reply, answer); err != nil {
		return fmt.Errorf("%s: %w: %w", op, ErrNoAnswer, err)
	}
	return nil
}

// exchange sends a line and returns the next one, valid until the next
// exchange. After an error the process is gone.
func (j *judge) exchange(line []byte) ([]byte, error) {
	if j.closed {
		return nil, errors.New("its test is over")
	}
	if j.run == nil {
		run, err := j.launch()
		if err != nil {
			return nil, err
		}
		j.run = run
	}
	// Killing the process ends a blocked write and a blocked read alike.
	process := j.run.cmd.Process
	timer := time.AfterFunc(j.timeout, func() { _ = process.Kill() })
	_, err := j.run.stdin.Write(line)
	if err == nil && !j.run.answers.Scan() {
		if err = j.run.answers.Err(); err == nil {
			err = io.ErrUnexpectedEOF
		}
	}
	if !timer.Stop() {
		// The answer may have come in the last moment; the process is being
		// killed all the same.
		err = fmt.Errorf("nothing within %v", j.timeout)
	}
	if err != nil {
		return nil, errors.Join(err, j.stop())
	}
	return j.run.answers.Bytes(), nil
}

func (j *judge) launch() (*run, error) {
	r := &run{cmd: exec.Command(j.node, fmt.Sprintf("--max-old-space-size=%d", maxHeapMiB), j.script)}
	r.cmd.Dir = j.folder
	r.cmd.Stderr = &r.stderr
	r.cmd.WaitDelay = exitTimeout
	var err error
	if r.stdin, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	r.answers = bufio.NewScanner(stdout)
	r.answers.Buffer(nil, maxLineBytes)
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	return r, nil
}

// stop ends a process that failed, and returns how it ended and what it wrote
// on standard error.
func (j *judge) stop() error {
	_ = j.run.cmd.Process.Kill()
	return j.wait()
}

// wait closes the process's input, at whose end it goes, and waits for it.
func (j *judge) wait() error {
	r := j.run
	j.run = nil
	_ = r.stdin.Close()
	timer := time.AfterFunc(exitTimeout, func() { _ = r.cmd.Process.Kill() })
	defer timer.Stop()
	err := r.cmd.Wait()
	if text := r.stderr.String(); text != "" {
		err = errors.Join(err, errors.New(text))
	}
	return err
}

// close ends the judge. The error is that of a process that did not go by
// itself, or had something to say.
func (j *judge) close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	if j.run == nil {
		return nil
	}
	return j.wait()
}

// tail keeps the end of what is written to it.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - maxStderrBytes; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.kept) }
