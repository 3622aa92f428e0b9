package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
)

// maxLine is the longest request and reply, in bytes.
const maxLine = 64 << 10

// hello is the first line of the peer.
type hello struct {
	Peer    string   `json:"peer"`
	Version string   `json:"version"` // of the library's module
	Go      string   `json:"go"`
	Ops     []string `json:"ops"`
}

// request is one line of the other side.
type request struct {
	Op string `json:"op"`
	// The rest belongs to "load".
	Sample  string   `json:"sample"`
	Regions []string `json:"regions"`
	Dir     string   `json:"dir"`
}

// reply answers one request.
type reply struct {
	Op     string `json:"op"`
	Chunks int    `json:"chunks"`
	Bytes  int64  `json:"bytes"` // uncompressed payloads
	timing
	Error string `json:"error,omitempty"`
}

// timing is what a pass took, in nanoseconds, and allocated.
type timing struct {
	Clock      string `json:"clock,omitempty"` // of NS
	NS         int64  `json:"ns,omitempty"`
	WallNS     int64  `json:"wall_ns,omitempty"`
	ProcessNS  int64  `json:"process_ns,omitempty"` // CPU time of the process, 0 if not known
	Mallocs    uint64 `json:"mallocs,omitempty"`
	AllocBytes uint64 `json:"alloc_bytes,omitempty"`
}

const opLoad = "load"

// serve answers requests until in ends. It locks the calling goroutine to its
// thread meanwhile, whose clock it reads.
func serve(in io.Reader, out io.Writer, version, goVersion string) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := &server{}
	defer s.close()
	if err := writeLine(out, hello{Peer: "go-mc", Version: version, Go: goVersion, Ops: opNames()}); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 4096), maxLine)
	for lines.Scan() {
		var req request
		if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
			return fmt.Errorf("request %.100q: %w", lines.Text(), err)
		}
		if err := writeLine(out, s.answer(req)); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a request has more than %d bytes", maxLine)
	}
	return lines.Err()
}

// writeLine writes v at once: a line in two parts could be taken for two.
func writeLine(out io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = out.Write(append(line, '\n'))
	return err
}

// server is the state between requests.
type server struct {
	sample *sample // nil before the first load
}

func (s *server) close() {
	if s.sample != nil {
		s.sample.closeFiles()
	}
}

func (s *server) answer(req request) reply {
	r, err := s.do(req)
	r.Op = req.Op
	if err != nil {
		r.Error = clip(err.Error(), 4000)
	}
	return r
}

func (s *server) do(req request) (reply, error) {
	if req.Op == opLoad {
		next, err := loadSample(req)
		if err != nil {
			return reply{}, err
		}
		s.close()
		s.sample = next
		return reply{Chunks: len(next.chunks), Bytes: next.bytes}, nil
	}
	o, ok := opNamed(req.Op)
	if !ok {
		return reply{}, errors.New("there is no such op")
	}
	if s.sample == nil {
		return reply{}, errors.New("nothing is loaded")
	}
	t, err := s.sample.run(o)
	return reply{Chunks: len(s.sample.chunks), Bytes: s.sample.bytes, timing: t}, err
}

// clip shortens a text that would not fit into a reply.
func clip(text string, n int) string {
	if len(text) > n {
		return text[:n] + "..."
	}
	return text
}
