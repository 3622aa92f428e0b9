package region

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"strata/region/vfs"
)

// orderWatch looks at every operation of a workload before it is carried out
// and notes those that break the order on disk.
type orderWatch struct {
	mem    *vfs.Mem
	broken []string
	regs   map[string]*watchedFile // region files and temporary ones, by name
	bodies map[string]bool         // external bodies: is the content flushed?
	moved  map[string]bool         // names renamed since the folder was flushed
	names  int                     // names of region files not flushed yet
}

// watchedFile is what is known of the inode that a name stands for.
type watchedFile struct {
	payload bool    // written and not flushed
	header  bool    // written and not flushed
	flushed *Header // the last durable header, nil before the first
}

func watchOrder(r *rig) *orderWatch {
	w := &orderWatch{mem: r.mem, regs: map[string]*watchedFile{}, bodies: map[string]bool{}, moved: map[string]bool{}}
	r.fault.Add(vfs.Rule{Ops: vfs.OpMutating, Forever: true, Hook: w.before})
	return w
}

func (w *orderWatch) breach(in vfs.OpInfo, format string, args ...any) {
	w.broken = append(w.broken, fmt.Sprintf("%v: ", in)+fmt.Sprintf(format, args...))
}

func (w *orderWatch) file(name string) *watchedFile {
	if w.regs[name] == nil {
		w.regs[name] = &watchedFile{flushed: w.headerOf(name)}
	}
	return w.regs[name]
}

func (w *orderWatch) headerOf(name string) *Header {
	f, err := w.mem.OpenFile(name, 0, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	h := new(Header)
	if _, err := readFull(f, h[:], 0); err != nil {
		return nil
	}
	return h
}

// live is the name under which an open file is found: a handle keeps the name
// it was opened with when the file is renamed.
func (w *orderWatch) live(name string) string {
	base := filepath.Base(name)
	if rest, ok := strings.CutPrefix(base, TemporaryPrefix+"r."); ok {
		if _, err := w.mem.Stat(name); err != nil {
			i := strings.Index(rest, ".mca")
			return filepath.Join(filepath.Dir(name), "r."+rest[:i]+".mca")
		}
	}
	return name
}

func isRegionName(name string) bool {
	return strings.Contains(filepath.Base(name), ".mca")
}

func (w *orderWatch) before(in vfs.OpInfo) {
	name := w.live(in.Name)
	_, final := ParseName(filepath.Base(name))
	switch {
	case in.Op == vfs.OpCreate && final:
		w.names++
	case in.Op == vfs.OpSyncDir:
		w.moved, w.names = map[string]bool{}, 0
	case in.Op == vfs.OpRename && isRegionName(in.Name):
		if f := w.file(in.Name); f.payload || f.header {
			w.breach(in, "renamed before it is flushed")
		}
		w.regs[in.NewName] = w.regs[in.Name]
		delete(w.regs, in.Name)
		w.names++
	case in.Op == vfs.OpRename:
		if !w.bodies[in.Name] {
			w.breach(in, "body renamed before it is flushed")
		}
		delete(w.bodies, in.Name)
		w.moved[in.NewName] = true
	case in.Op == vfs.OpRemove:
		delete(w.bodies, in.Name)
		w.removes(in)
	case !isRegionName(name):
		w.bodies[name] = in.Op == vfs.OpSync
	case in.Op == vfs.OpSync:
		f := w.file(name)
		if f.header {
			w.flushesHeader(in, name, f)
		}
		f.payload, f.header = false, false
	case in.Op == vfs.OpWrite && in.Off == 0:
		w.writesHeader(in, name, final)
	case in.Op == vfs.OpWrite || in.Op == vfs.OpPunch:
		w.writesSectors(in, name, final)
	case in.Op == vfs.OpTruncate:
		w.writesSectors(vfs.OpInfo{Op: in.Op, Name: in.Name, Off: in.Off, Len: 1 << 40}, name, final)
	}
}

func (w *orderWatch) writesHeader(in vfs.OpInfo, name string, final bool) {
	f := w.file(name)
	if final {
		if f.payload {
			w.breach(in, "header written before the payloads are flushed")
		}
		if len(w.moved) > 0 {
			w.breach(in, "header written before the external bodies' names are flushed")
		}
		if w.names > 0 {
			w.breach(in, "header written before the file's name is flushed")
		}
		if info, err := w.mem.Stat(name); err != nil || info.Links > 1 {
			w.breach(in, "header of a linked file written (%v)", err)
		}
	}
	f.header = true
}

// flushesHeader refuses a header with a new stub whose body still has its
// temporary name.
func (w *orderWatch) flushesHeader(in vfs.OpInfo, name string, f *watchedFile) {
	old, now := f.flushed, w.headerOf(name)
	f.flushed = now
	p, final := ParseName(filepath.Base(name))
	if !final || now == nil || old == nil {
		return
	}
	for s := range Slot(Slots) {
		if now.Location(s) == old.Location(s) {
			continue
		}
		waiting := filepath.Join(filepath.Dir(name), TemporaryPrefix+p.Chunk(s).ExternalName())
		for body := range w.bodies {
			if strings.HasPrefix(body, waiting) && w.isStub(name, now.Location(s)) {
				w.breach(in, "the stub of slot %d is flushed before %s has its name", s, body)
			}
		}
	}
}

func (w *orderWatch) isStub(path string, l Location) bool {
	file, err := w.mem.OpenFile(path, 0, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	_, external, _, _ := readRecord(file, l, DefaultMaxStream, nil)
	return external
}

// writesSectors refuses what touches sectors that the durable header names.
func (w *orderWatch) writesSectors(in vfs.OpInfo, name string, final bool) {
	f := w.file(name)
	f.payload = f.payload || in.Op == vfs.OpWrite
	if !final || f.flushed == nil {
		return
	}
	for s := range Slot(Slots) {
		l := f.flushed.Location(s)
		from := int64(l.Sector()) * SectorBytes
		to := from + int64(l.Count())*SectorBytes
		if from < in.Off+in.Len && in.Off < to {
			w.breach(in, "the durable header names this for slot %d", s)
		}
	}
}

// removes refuses the removal of a body whose stub the durable header names.
func (w *orderWatch) removes(in vfs.OpInfo) {
	c, ok := ParseExternalName(filepath.Base(in.Name))
	if !ok {
		return
	}
	path := filepath.Join(filepath.Dir(in.Name), c.Region().Name())
	f := w.file(path)
	if f.flushed == nil || f.flushed.Location(c.Slot()) == 0 {
		return
	}
	if w.isStub(path, f.flushed.Location(c.Slot())) {
		w.breach(in, "the durable header has a stub for this body")
	}
}

// TestOrderOnDisk watches each operation of each workload: payloads are
// flushed before the header that names them is written, old sectors are
// written, punched and cut off only after the header that released them is
// flushed; bodies are flushed, renamed and their folder flushed before the
// stub's header, and removed only after the header without the stub is
// flushed; a file's name is flushed before its header; and no header is
// written into a linked file.
func TestOrderOnDisk(t *testing.T) {
	for i := range workloads {
		w := &workloads[i]
		t.Run(w.name, func(t *testing.T) {
			r := w.start(vfs.MemOptions{})
			watch := watchOrder(r)
			w.play(r)
			for _, b := range watch.broken {
				t.Error(b)
			}
			if t.Failed() {
				for _, op := range r.fault.Ops() {
					t.Log(op)
				}
			}
		})
	}
}
