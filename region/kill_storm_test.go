package region

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"strata/region/codec"
	"strata/region/vfs"
)

// A storm is a child process that saves chunks to a folder until it is
// killed, and tells on a pipe what it submits and what was acknowledged. It
// is this test binary, started with these variables.
const (
	stormFolder = "STRATA_STORM_FOLDER"
	stormSeed   = "STRATA_STORM_SEED"
	stormFirst  = "STRATA_STORM_FIRST" // its first version
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(stormFolder); dir != "" {
		if err := runStorm(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// message is what a storm tells of a chunk.
type message struct {
	kind    byte // 's' submitted, 'a' acknowledged
	at      ChunkPos
	version uint32
}

const messageBytes = 16

func (m message) append(b []byte) []byte {
	b = append(b, m.kind, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(m.at.X))
	b = binary.LittleEndian.AppendUint32(b, uint32(m.at.Z))
	return binary.LittleEndian.AppendUint32(b, m.version)
}

func parseMessage(b []byte) message {
	x, z := binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
	return message{b[0], ChunkPos{int32(x), int32(z)}, binary.LittleEndian.Uint32(b[12:])}
}

// stormData is the content of a version, the same in child and parent; nil is
// a deletion.
func stormData(c ChunkPos, version uint32) []byte {
	r := rand.New(rand.NewPCG(uint64(version), 99))
	switch n := r.IntN(160); {
	case n < 16:
		return nil
	case n < 17:
		return payload(c.Slot(), int(version), big+r.IntN(1000))
	}
	return payload(c.Slot(), int(version), min(16+int(r.ExpFloat64()*6000), 60_000))
}

// runStorm is the child.
func runStorm(dir string) error {
	seed, err := strconv.ParseUint(os.Getenv(stormSeed), 10, 64)
	if err != nil {
		return err
	}
	first, err := strconv.ParseUint(os.Getenv(stormFirst), 10, 32)
	if err != nil {
		return err
	}
	d, err := OpenFolder(dir, FolderOptions{})
	if err != nil {
		return err
	}
	pipe := os.NewFile(3, "pipe")
	r := rand.New(rand.NewPCG(seed, 1))
	for version := uint32(first); ; {
		if version, err = stormBatch(d, pipe, r, version); err != nil {
			return err
		}
	}
}

// stormBatch saves a few chunks at once and now and then compacts.
func stormBatch(d *Folder, pipe io.Writer, r *rand.Rand, version uint32) (uint32, error) {
	p := Pos{int32(r.IntN(2)), -1}
	f, release, err := d.Acquire(p, true)
	if err != nil {
		return 0, err
	}
	defer release()
	if r.IntN(40) == 0 {
		if err := f.Compact(); err != nil {
			return 0, err
		}
	}
	var told []byte
	var batch []message
	var writes []Write
	for range 1 + r.IntN(10) {
		m := message{'s', p.Chunk(Slot(r.IntN(24) * 42)), version}
		if slices.ContainsFunc(batch, func(o message) bool { return o.at == m.at }) {
			continue
		}
		version++
		data := stormData(m.at, m.version)
		batch, told = append(batch, m), m.append(told)
		writes = append(writes, Write{Slot: m.at.Slot(), Scheme: codec.None, Data: data, Delete: data == nil})
	}
	if _, err := pipe.Write(told); err != nil {
		return 0, err
	}
	commits := make([]*Commit, len(writes))
	for i := range writes {
		commits[i] = f.Submit(writes[i])
	}
	for i, c := range commits {
		if err := c.Wait(context.Background()); err != nil {
			return 0, err
		}
		batch[i].kind = 'a'
		if _, err := pipe.Write(batch[i].append(nil)); err != nil {
			return 0, err
		}
	}
	return version, nil
}

// stormed is the history of a chunk in a storm.
type stormed struct {
	at      ChunkPos
	newest  int      // acknowledged
	pending []uint32 // submitted and not acknowledged
}

func (h *stormed) acked() int { return h.newest }

func (h *stormed) match(data []byte) (int, bool) {
	if len(data) < 16 {
		return 0, false
	}
	v := binary.LittleEndian.Uint64(data[8:])
	if v > 1<<32-1 || !bytes.Equal(data, stormData(h.at, uint32(v))) {
		return 0, false
	}
	return int(v), int(v) <= h.newest || slices.Contains(h.pending, uint32(v))
}

func (h *stormed) absent() bool {
	if h.newest < 0 || stormData(h.at, uint32(h.newest)) == nil {
		return true
	}
	return slices.ContainsFunc(h.pending, func(v uint32) bool { return stormData(h.at, v) == nil })
}

// hear notes what the storm tells.
func (l *ledger) hear(m message) {
	h, _ := l.chunks[m.at].(*stormed)
	if h == nil {
		h = &stormed{at: m.at, newest: -1}
		l.chunks[m.at] = h
	}
	if m.kind == 's' {
		h.pending = append(h.pending, m.version)
		return
	}
	h.newest = int(m.version)
	h.pending = slices.DeleteFunc(h.pending, func(v uint32) bool { return v <= m.version })
}

// saveStorm is the parent's side.
type saveStorm struct {
	cmd    *exec.Cmd
	pipe   *os.File
	stderr bytes.Buffer
	rest   []byte // of a message that has not arrived whole
	ledger *ledger
	next   uint32 // version
	acks   int
}

// startStorm starts a child in dir, under the commands of wrap if there are
// any. Versions before first have been used.
func startStorm(t *testing.T, dir string, l *ledger, seed uint64, first uint32, wrap ...string) *saveStorm {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	args := append(wrap, os.Args[0])
	s := &saveStorm{cmd: exec.Command(args[0], args[1:]...), pipe: r, ledger: l, next: first}
	s.cmd.Env = append(os.Environ(), stormFolder+"="+dir,
		fmt.Sprintf("%s=%d", stormSeed, seed), fmt.Sprintf("%s=%d", stormFirst, first))
	s.cmd.ExtraFiles = []*os.File{w}
	s.cmd.Stderr = &s.stderr
	if err := s.cmd.Start(); err != nil {
		r.Close()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if s.cmd.ProcessState == nil { // the test ended early
			s.abandon()
		}
	})
	return s
}

// listen hears the storm until the time or its end.
func (s *saveStorm) listen(t *testing.T, until time.Time) (ended bool) {
	t.Helper()
	if err := s.pipe.SetReadDeadline(until); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := s.pipe.Read(buf)
		s.rest = append(s.rest, buf[:n]...)
		for len(s.rest) >= messageBytes {
			m := parseMessage(s.rest)
			s.rest = s.rest[messageBytes:]
			s.ledger.hear(m)
			s.next = max(s.next, m.version+1)
			if m.kind == 'a' {
				s.acks++
			}
		}
		switch {
		case err == io.EOF:
			return true
		case errors.Is(err, os.ErrDeadlineExceeded):
			return false
		case err != nil:
			t.Fatal(err)
		}
	}
}

// begun waits until the storm has told of an acknowledged write.
func (s *saveStorm) begun(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(stormLimit); s.acks == 0; {
		if s.listen(t, time.Now().Add(time.Millisecond)) || time.Now().After(end) {
			s.abandon()
			t.Fatalf("the child tells nothing: %s", s.stderr.String())
		}
	}
}

// stormLimit is how long a child may take for what takes milliseconds.
const stormLimit = time.Minute

// abandon ends a child that does not behave. One that strace has let go of
// ends when it finds nobody listening.
func (s *saveStorm) abandon() {
	s.cmd.Process.Kill()
	s.pipe.Close()
	s.cmd.Wait()
}

// end hears the rest of a child that has been or will be killed, and waits
// for it. A child that failed fails the test.
func (s *saveStorm) end(t *testing.T) {
	t.Helper()
	if !s.listen(t, time.Now().Add(stormLimit)) {
		s.abandon()
		t.Fatal("the child was not killed")
	}
	s.pipe.Close()
	if err := s.cmd.Wait(); err == nil || s.stderr.Len() > 0 {
		t.Fatalf("the child ended by itself: %v %s", err, s.stderr.String())
	}
}

// afterKill checks a folder in which a storm was killed, writes one more
// chunk to each region file, and checks it again.
func (y *tally) afterKill(dir string, l *ledger, version int) {
	y.states++
	y.inspect(vfs.OS(), dir, l)
	entries, err := os.ReadDir(dir)
	if err != nil {
		y.problem(&y.unreadable, "%v", err)
	}
	for _, e := range entries {
		p, ok := ParseName(e.Name())
		if !ok {
			if strings.HasPrefix(e.Name(), TemporaryPrefix) {
				err = os.Remove(filepath.Join(dir, e.Name())) // as the lock's next holder does
			}
		} else {
			data := payload(1000, version, 5000)
			if err = writeTo(vfs.OS(), filepath.Join(dir, e.Name()), data, Options{}); err == nil {
				l.chunks[p.Chunk(1000)] = &listed{versions: [][]byte{data}}
			}
		}
		if err != nil {
			y.problem(&y.unreadable, "after the kill: %v", err)
		}
	}
	y.inspect(vfs.OS(), dir, l)
}
