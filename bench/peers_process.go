package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// The peers' protocol: see bench/peers/doc.go.
const (
	peerLine   = 64 << 10 // longest request and reply
	peerOpLoad = "load"
	// peerGrace is how long a peer may take to end when its input has ended.
	peerGrace = 5 * time.Second
)

type peerHello struct {
	Peer    string   `json:"peer"`
	Version string   `json:"version"`
	Go      string   `json:"go"`
	Node    string   `json:"node"`
	Ops     []string `json:"ops"`
}

type peerRequest struct {
	Op      string   `json:"op"`
	Sample  string   `json:"sample,omitempty"`
	Regions []string `json:"regions,omitempty"`
	Dir     string   `json:"dir,omitempty"`
}

type peerReply struct {
	PeerPass
	Error string `json:"error"`
}

// peerProcess is the program and the goroutine that waits for it. One call at
// a time, but for kill.
type peerProcess struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	stderr tail
	grace  time.Duration

	lines    chan []byte   // of its output
	stop     chan struct{} // closed when nobody takes lines any more
	stopOnce sync.Once
	done     chan struct{} // closed when the process is gone; after that:
	exit     error         // how it ended
	bad      error         // what was wrong with its output

	closeOnce sync.Once
	closed    error
}

// startPeers starts the program and waits for its hello. dir is removed by
// Close, not if this fails.
func startPeers(ctx context.Context, dir string, cmd *exec.Cmd, grace time.Duration) (*Peers, error) {
	process, err := startPeerProcess(cmd, dir, grace)
	if err != nil {
		return nil, fmt.Errorf("start the peer: %w", err)
	}
	p := &Peers{process: process, dir: dir}
	err = process.ask(ctx, nil, &p.hello)
	if err == nil && (p.hello.Peer == "" || p.hello.Version == "" || len(p.hello.Ops) == 0) {
		err = fmt.Errorf("its first line does not say what it is: %+v", p.hello)
	}
	if err != nil {
		process.kill()
		<-process.done
		return nil, fmt.Errorf("start the peer: %w", err)
	}
	return p, nil
}

func startPeerProcess(cmd *exec.Cmd, dir string, grace time.Duration) (*peerProcess, error) {
	p := &peerProcess{
		cmd: cmd, grace: grace,
		lines: make(chan []byte), stop: make(chan struct{}), done: make(chan struct{}),
	}
	cmd.Dir = dir
	cmd.Stderr = &p.stderr
	cmd.WaitDelay = grace // for a child of its own that has its stderr
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.stdout, err = cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go p.listen() // until the process is gone; close waits for it
	return p, nil
}

// listen passes on the output and waits for the process.
func (p *peerProcess) listen() {
	defer close(p.done)
	in := bufio.NewScanner(p.stdout)
	in.Buffer(make([]byte, 0, 4096), peerLine)
	for in.Scan() {
		select {
		case p.lines <- bytes.Clone(in.Bytes()):
		case <-p.stop:
		}
	}
	switch err := in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		p.bad = fmt.Errorf("it wrote a line of more than %d bytes", peerLine)
		p.kill()
	case err != nil && !errors.Is(err, os.ErrClosed): // which is kill
		p.bad = err
		p.kill()
	}
	// A program that has closed its output cannot be asked anything more.
	late := time.AfterFunc(p.grace, p.kill)
	p.exit = p.cmd.Wait()
	late.Stop()
}

// kill ends the process at once. It does nothing to one that is gone. What is
// left of the output is dropped, also if a child of the process still has it
// open.
func (p *peerProcess) kill() {
	p.dropLines()
	_ = p.cmd.Process.Kill() // fails only if it is gone
	_ = p.stdout.Close()     // as above
}

func (p *peerProcess) dropLines() { p.stopOnce.Do(func() { close(p.stop) }) }

// ask sends a request, if there is one, and reads the line that follows into
// reply. If ctx ends, or the reply is none, the process is killed.
func (p *peerProcess) ask(ctx context.Context, req, reply any) error {
	// To kill it unblocks all that waits for it below.
	unwatch := context.AfterFunc(ctx, p.kill)
	err := p.exchange(req, reply)
	if !unwatch() {
		<-p.done
		return context.Cause(ctx)
	}
	return err
}

func (p *peerProcess) exchange(req, reply any) error {
	if req != nil {
		line, err := json.Marshal(req)
		if err != nil {
			return err
		}
		if len(line) >= peerLine {
			return fmt.Errorf("a request of %d bytes is longer than the protocol allows", len(line))
		}
		// A process that is gone says more than a pipe that is broken.
		if _, err := p.stdin.Write(append(line, '\n')); err != nil {
			p.kill()
			<-p.done
			return p.ended()
		}
	}
	select {
	case line := <-p.lines:
		if err := json.Unmarshal(line, reply); err != nil {
			p.kill()
			return fmt.Errorf("it wrote %.100q: %w", line, err)
		}
		return nil
	case <-p.done:
		return p.ended()
	}
}

// ended says how the process ended, after it has.
func (p *peerProcess) ended() error {
	what := p.bad
	if what == nil {
		what = errors.New("it ended")
		if p.exit != nil {
			what = fmt.Errorf("it ended with %w", p.exit)
		}
	}
	if text := p.stderr.String(); text != "" {
		return fmt.Errorf("%w: %s", what, text)
	}
	return what
}

// close ends the process and waits until it is gone.
func (p *peerProcess) close() error {
	p.closeOnce.Do(func() {
		p.dropLines()
		_ = p.stdin.Close() // fails only if the process is gone
		select {
		case <-p.done:
			if p.exit != nil || p.bad != nil {
				p.closed = p.ended()
			}
		case <-time.After(p.grace):
			p.kill()
			<-p.done
			p.closed = fmt.Errorf("it did not end within %v and was killed", p.grace)
		}
	})
	return p.closed
}

// tail keeps the end of what is written to it.
type tail struct {
	mu sync.Mutex
	b  []byte // guarded by mu
}

const tailBytes = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p[max(0, len(p)-tailBytes):]...)
	t.b = append(t.b[:0], t.b[max(0, len(t.b)-tailBytes):]...)
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.b))
}
