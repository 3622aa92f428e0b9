package vfs

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// modelSteps bounds a run of FuzzMemBehavesLikeOS.
const modelSteps = 60

// FuzzMemBehavesLikeOS carries out the same operations on both and wants the
// same errors, bytes, sizes, link counts and names.
func FuzzMemBehavesLikeOS(f *testing.F) {
	f.Add([]byte("\x00\x01\x10\x01\x10\x50\x02\x20\x03\x30\x04\x05\x06\x07\x08\x09"))
	f.Add(bytes.Repeat([]byte{0, 1, 200, 17, 3, 1, 90, 2, 5, 1, 0, 4, 1, 2, 6, 0, 1, 7, 2}, 8))
	f.Add(fill(400, 7))
	f.Fuzz(func(t *testing.T, script []byte) { playBoth(t, t.TempDir(), script) })
}

// TestMemBehavesLikeOS is the same with scripts of its own.
func TestMemBehavesLikeOS(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	runs := 40
	if testing.Short() {
		runs = 20
	}
	dir := t.TempDir()
	for i := range runs {
		script := make([]byte, 400)
		for j := range script {
			script[j] = byte(r.Uint32())
		}
		sub := filepath.Join(dir, fmt.Sprint(i))
		must(t, os.Mkdir(sub, 0o755))
		playBoth(t, sub, script)
	}
}

// playBoth carries out script in dir and in a Mem and compares.
func playBoth(t *testing.T, dir string, script []byte) {
	if runtime.GOOS != "linux" {
		t.Skip("Mem is modelled on Linux; other systems lack some operations")
	}
	mem := NewMem(MemOptions{})
	a := &player{fsys: OS(), dir: dir, script: script, open: map[byte]File{}}
	b := &player{fsys: mem, dir: "/", script: script, open: map[byte]File{}}
	for _, p := range []*player{a, b} {
		defer p.closeAll()
		for slot := range byte(3) {
			p.open[slot] = create(t, p.fsys, filepath.Join(p.dir, fmt.Sprint("f", slot)))
		}
	}
	for step := 0; step < modelSteps && len(a.script) > 0; step++ {
		x, y := a.step(), b.step()
		if x != y {
			t.Fatalf("step %d: OS %s\nMem %s", step, x, y)
		}
	}
	if x, y := tree(t, a.fsys, a.dir), tree(t, b.fsys, b.dir); x != y {
		t.Fatalf("OS holds  %q\nMem holds %q", x, y)
	}
	// A crash that keeps all leaves exactly that.
	if x, y := tree(t, mem, "/"), tree(t, mem.CrashClone(CrashOptions{Keep: KeepAll}), "/"); x != y {
		t.Fatalf("Mem holds %q\nclone     %q", x, y)
	}
}

// player reads operations off a script.
type player struct {
	fsys   FS
	dir    string
	script []byte
	open   map[byte]File
}

func (p *player) next() byte {
	if len(p.script) == 0 {
		return 0
	}
	b := p.script[0]
	p.script = p.script[1:]
	return b
}

// name is one of eight files, half of them in a folder that may not exist.
func (p *player) name() string {
	b := p.next()
	if b&4 != 0 {
		return filepath.Join(p.dir, "d", fmt.Sprint("f", b&3))
	}
	return filepath.Join(p.dir, fmt.Sprint("f", b&3))
}

// offset is anywhere in the first 16 KiB, on or beside boundaries.
func (p *player) offset() int64 { return int64(p.next()&31)*512 + int64(p.next()&3) - 1 }

func (p *player) handle() (File, bool) {
	f, ok := p.open[p.next()&3]
	return f, ok
}

func (p *player) closeAll() {
	for _, f := range p.open {
		_ = f.Close()
	}
}

// step carries out one operation and returns what it showed.
func (p *player) step() string {
	op := p.next() % 14
	if op >= 6 {
		return p.stepName(op)
	}
	f, ok := p.handle()
	if !ok {
		op = 6
		return p.stepName(op)
	}
	switch op {
	case 0:
		size, off, seed := p.offset()+2, p.offset(), p.next()
		n, err := f.WriteAt(fill(int(size), seed), off)
		return fmt.Sprint("write ", n, err == nil)
	case 1:
		buf, off := make([]byte, p.offset()+1), p.offset()
		n, err := f.ReadAt(buf, off)
		return fmt.Sprintf("read %d %v %v %x", n, err == nil, err == io.EOF, buf[:n])
	case 2:
		return fmt.Sprint("truncate ", f.Truncate(p.offset()) == nil)
	case 3:
		off, n := p.offset(), p.offset()
		if err := f.PunchHole(off, n); err != nil && off >= 0 && n > 0 {
			return "punch unsupported" // then the two differ and the run says so
		}
		return "punch"
	case 4:
		return fmt.Sprint("preallocate ", f.Preallocate(p.offset(), p.offset()) == nil)
	default:
		fi, err := f.Stat()
		return fmt.Sprint("stat ", fi.Size, fi.Links, fi.Mode, err, f.Sync())
	}
}

func (p *player) stepName(op byte) string {
	switch op {
	case 6, 7:
		slot, name := p.next()&3, p.name()
		flag := []int{os.O_RDWR, os.O_RDWR | os.O_CREATE, os.O_RDWR | os.O_CREATE | os.O_EXCL, os.O_RDWR | os.O_TRUNC, os.O_RDONLY}[p.next()%5]
		f, err := p.fsys.OpenFile(name, flag, 0o644)
		if err == nil {
			if old, ok := p.open[slot]; ok {
				_ = old.Close()
			}
			p.open[slot] = f
		}
		return fmt.Sprint("open ", flag, err == nil)
	case 8:
		return fmt.Sprint("rename ", p.fsys.Rename(p.name(), p.name()) == nil)
	case 9:
		return fmt.Sprint("link ", p.fsys.Link(p.name(), p.name()) == nil)
	case 10:
		return fmt.Sprint("remove ", p.fsys.Remove(p.name()) == nil)
	case 11:
		d := filepath.Join(p.dir, "d")
		return fmt.Sprint("mkdir ", p.fsys.Mkdir(d, 0o755) == nil, p.fsys.SyncDir(d) == nil)
	case 12:
		fi, err := p.fsys.Stat(p.name())
		return fmt.Sprint("stat ", fi.Name, fi.Size, fi.Links, fi.Mode, err == nil)
	default:
		_, err := CopyFile(p.fsys, p.name(), p.name())
		return fmt.Sprint("copy ", err == nil)
	}
}
