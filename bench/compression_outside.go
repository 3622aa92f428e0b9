package bench

import (
	"bufio"
	"context"
	_ "embed" // the programs below
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The programs that measure C zlib and Java's Deflater. Their protocol is
// described at the head of deflate.py.
var (
	//go:embed outside/deflate.py
	outsidePython []byte
	//go:embed outside/Deflate.java
	outsideJava []byte
)

// Waits for an outside program. A JVM compiles its source first.
const (
	outsideStart = 60 * time.Second
	outsideEnd   = 5 * time.Second
	// maxOutsideStream bounds a stream that a program claims to have made:
	// deflate adds less than a thousandth and a few bytes.
	maxOutsideStream = 64 << 10
)

// outsideProgram is a process that compresses the sample on request and times
// itself. One goroutine at a time may use it.
type outsideProgram struct {
	name    string // of its rows
	version string
	cmd     *exec.Cmd
	dir     string
	in      io.WriteCloser
	to      *bufio.Writer
	from    *bufio.Reader
	stderr  tail
}

// outsideKind is a program: the name of its rows, its source and what runs it.
type outsideKind struct {
	name, file string
	source     []byte
	command    []string
}

// outsideKinds are the programs there are.
var outsideKinds = []outsideKind{
	{"zlib", "deflate.py", outsidePython, []string{"python3", "-I"}},
	{"java", "Deflate.java", outsideJava, []string{"java", "-XX:+UseSerialGC", "-Xss4m"}},
}

// startOutside starts the programs there are runtimes for. The others are
// named in leftOut. close them all.
func startOutside(ctx context.Context) (programs []*outsideProgram, leftOut []string) {
	for _, k := range outsideKinds {
		program, err := startOutsideProgram(ctx, k)
		if err != nil {
			leftOut = append(leftOut, fmt.Sprintf("%s: %v", k.name, err))
			continue
		}
		programs = append(programs, program)
	}
	return programs, leftOut
}

func startOutsideProgram(ctx context.Context, k outsideKind) (_ *outsideProgram, err error) {
	path, err := exec.LookPath(k.command[0])
	if err != nil {
		return nil, fmt.Errorf("no %s on this machine", k.command[0])
	}
	dir, err := os.MkdirTemp("", "strata-bench-")
	if err != nil {
		return nil, err
	}
	p := &outsideProgram{name: k.name, dir: dir}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	script := filepath.Join(dir, k.file)
	if err := os.WriteFile(script, k.source, 0o600); err != nil {
		return nil, err
	}
	p.cmd = exec.Command(path, append(k.command[1:len(k.command):len(k.command)], script)...)
	p.cmd.Stderr, p.cmd.WaitDelay = &p.stderr, outsideEnd
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.to, p.from = bufio.NewWriterSize(p.in, 1<<16), bufio.NewReaderSize(out, 1<<16)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	starting, cancel := context.WithTimeoutCause(ctx, outsideStart, errors.New("it takes too long to start"))
	defer cancel()
	return p, p.guard(starting, func() error {
		var n uint16
		if err := binary.Read(p.from, binary.LittleEndian, &n); err != nil {
			return err
		}
		version := make([]byte, n)
		_, err := io.ReadFull(p.from, version)
		p.version = string(version)
		return err
	})
}

// guard runs a conversation and ends the process if ctx ends meanwhile, which
// makes the conversation fail.
func (p *outsideProgram) guard(ctx context.Context, talk func() error) error {
	unwatch := context.AfterFunc(ctx, func() { _ = p.cmd.Process.Kill() }) // fails only if it is gone
	err := talk()
	if !unwatch() {
		return context.Cause(ctx)
	}
	if err != nil {
		if said := strings.TrimSpace(p.stderr.String()); said != "" {
			return fmt.Errorf("%w; it says: %s", err, said)
		}
	}
	return err
}

// load hands it the documents that passes work on.
func (p *outsideProgram) load(ctx context.Context, docs []Document) error {
	return p.guard(ctx, func() error {
		head := binary.LittleEndian.AppendUint32([]byte{'L'}, uint32(len(docs)))
		_, err := p.to.Write(head)
		for _, d := range docs {
			if err == nil {
				_, err = p.to.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(d.Data))))
			}
			if err == nil {
				_, err = p.to.Write(d.Data)
			}
		}
		return errors.Join(err, p.to.Flush())
	})
}

// pass asks for a pass over the documents; with streams it brings what came
// out.
func (p *outsideProgram) pass(ctx context.Context, docs []Document, level int, into *codecPass, streams bool) error {
	return p.guard(ctx, func() error {
		request := []byte{'P', byte(level), 0}
		if streams {
			request[2] = 1
		}
		if _, err := p.to.Write(request); err != nil {
			return err
		}
		if err := p.to.Flush(); err != nil {
			return err
		}
		return p.readPass(docs, into, streams)
	})
}

func (p *outsideProgram) readPass(docs []Document, into *codecPass, streams bool) error {
	var head [16]byte
	if _, err := io.ReadFull(p.from, head[:]); err != nil {
		return err
	}
	into.compressWall = time.Duration(binary.LittleEndian.Uint64(head[:]))
	into.decompressWall = time.Duration(binary.LittleEndian.Uint64(head[8:]))
	sizes := make([]int, len(docs))
	for i := range docs {
		var one [20]byte
		if _, err := io.ReadFull(p.from, one[:]); err != nil {
			return err
		}
		sizes[i] = int(binary.LittleEndian.Uint32(one[:]))
		if limit := len(docs[i].Data) + len(docs[i].Data)/256 + maxOutsideStream; sizes[i] > limit {
			return fmt.Errorf("a stream of %d bytes for a document of %d", sizes[i], len(docs[i].Data))
		}
		into.compress[i] = time.Duration(binary.LittleEndian.Uint64(one[4:]))
		into.decompress[i] = time.Duration(binary.LittleEndian.Uint64(one[12:]))
	}
	if !streams {
		return nil
	}
	into.streams.reset()
	for _, n := range sizes {
		at := len(into.streams.buf)
		into.streams.buf = append(into.streams.buf, make([]byte, n)...)
		if _, err := io.ReadFull(p.from, into.streams.buf[at:]); err != nil {
			return err
		}
		into.streams.ends = append(into.streams.ends, len(into.streams.buf))
	}
	return nil
}

// close ends the process, kindly at first, and removes its folder.
func (p *outsideProgram) close() error {
	if p.cmd != nil && p.cmd.Process != nil {
		_ = p.in.Close() // which is what asks it to end
		late := time.AfterFunc(outsideEnd, func() { _ = p.cmd.Process.Kill() })
		_ = p.cmd.Wait() // what it measured stands, however it ends
		late.Stop()
	}
	return os.RemoveAll(p.dir)
}

// outsideCodec is an outside program at one level.
type outsideCodec struct {
	program *outsideProgram
	level   int
}

func (c *outsideCodec) pass(ctx context.Context, r *compressionRun, into *codecPass, check bool) error {
	if err := c.program.pass(ctx, r.docs, c.level, into, check); err != nil || !check {
		return err
	}
	// The program has compared what its own decoder makes of the streams.
	return r.decodeWithOurs(&into.streams)
}

var _ compressionContender = (*outsideCodec)(nil)
