package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// testRoots are a split world: the main folder and the nether's.
var testRoots = []Root{{"", "w"}, {"nether", "n"}}

// world is what a world holds, chunk by chunk and file by file: the digest of
// each content by its path, and for chunks "path#slot".
type world map[string]string

func digest(b []byte) string { return fmt.Sprintf("%d:%016x", len(b), xxhash.Sum64(b)) }

// change is one object of an epoch.
type change struct {
	path    string
	slot    region.Slot  // of region files
	size    int          // 0 deletes
	scheme  codec.Scheme // none if 0
	keepOld bool         // of data files
	by      bool         // Replace instead of Write
}

func (c *change) isChunk() bool { return strings.HasSuffix(c.path, ".mca") }

func (c *change) key() string {
	if c.isChunk() {
		return fmt.Sprintf("%s#%d", c.path, c.slot)
	}
	return c.path
}

// rig plays epochs over a file system in memory and knows what the world must
// hold. Steps that fail are noted, and the play goes on as a server would.
type rig struct {
	mem     *vfs.Mem
	fault   *vfs.Fault
	journal *Journal
	files   map[string]*region.File

	saves     int
	base      world           // what is acknowledged
	candidate world           // what is being committed, nil if nothing is
	ignored   map[string]bool // keys that a failed ordinary write leaves open
	links     map[string]string
	acked     int
	// flushFails: a fault is planned that fails flushes.
	flushFails bool
	errs       []error
	broken     []string // promises that did not hold
	reports    []*Report
}

func newRig(memory vfs.MemOptions) *rig {
	r := &rig{mem: vfs.NewMem(memory), files: map[string]*region.File{}, base: world{},
		ignored: map[string]bool{}, links: map[string]string{}}
	r.fault = vfs.NewFault(r.mem)
	for _, dir := range []string{"w/region", "w/entities", "w/playerdata", "n/DIM-1/region"} {
		if err := vfs.MkdirAllSync(r.mem, dir, 0o755); err != nil {
			panic(err)
		}
	}
	return r
}

func (r *rig) options() Options { return Options{FS: r.fault, Roots: testRoots} }

func (r *rig) failed(err error) bool {
	if err != nil {
		r.errs = append(r.errs, err)
	}
	return err != nil
}

// use returns the open journal, opening it if it is not; nil if that fails.
func (r *rig) use() *Journal {
	if r.journal == nil {
		j, err := Open(r.options())
		if r.failed(err) {
			return nil
		}
		j.pause = 0
		r.journal = j
		r.reports = append(r.reports, j.Report())
		if j.Report().Outcome == SetAside {
			r.breach("the journal was set aside: %v", j.Report().Reason)
		}
		r.settle()
	}
	return r.journal
}

// settle finds out which of two possible worlds an opening has left.
func (r *rig) settle() {
	if r.candidate == nil {
		return
	}
	live, err := look(r.mem)
	if err != nil {
		r.breach("look at the live world: %v", err)
		return
	}
	if r.differ(live, r.candidate) == "" {
		r.base = r.candidate
	}
	r.candidate = nil
}

func (r *rig) breach(format string, args ...any) {
	r.broken = append(r.broken, fmt.Sprintf(format, args...))
}

func (r *rig) region(path string) *region.File {
	f := r.files[path]
	if f == nil {
		var err error
		// A clock that stands still is the hardest for timestamps.
		f, err = region.Open(path, region.Options{FS: r.fault, Now: func() time.Time { return time.Unix(1_700_000_000, 0) }})
		if r.failed(err) {
			return nil
		}
		r.files[path] = f
	}
	return f
}

// stage stages the chunks among the changes and returns the world as it will
// be; ok is false if it could not.
func (r *rig) stage(e *Epoch, changes []change) (next world, ok bool) {
	next = maps.Clone(r.base)
	writes := map[string][]region.Write{}
	for i := range changes {
		c := &changes[i]
		r.saves++
		data := made(c.key(), r.saves, c.size)
		if c.size == 0 {
			delete(next, c.key())
		} else {
			next[c.key()] = digest(data)
		}
		if c.isChunk() {
			w := region.Write{Slot: c.slot, Delete: c.size == 0, Scheme: codec.None, Data: data, Journaled: true}
			if c.scheme != 0 && c.size > 0 {
				w.Scheme, w.Data = c.scheme, packed(c.scheme, data)
			}
			writes[c.path] = append(writes[c.path], w)
			continue
		}
		if c.keepOld {
			if old, there := r.base[c.path]; there {
				next[c.path+"_old"] = old
			}
			if r.failed(e.KeepOld(c.path)) {
				return nil, false
			}
		}
		if r.failed(r.stageFile(e, c, data)) {
			return nil, false
		}
	}
	for _, path := range slices.Sorted(maps.Keys(writes)) {
		f := r.region(path)
		if f == nil {
			return nil, false
		}
		g, err := f.Stage(writes[path]...)
		if r.failed(err) {
			return nil, false
		}
		if r.failed(e.Add(g)) {
			g.Abort()
			return nil, false
		}
	}
	return next, true
}

func (r *rig) stageFile(e *Epoch, c *change, data []byte) error {
	switch {
	case c.size == 0:
		return e.Remove(c.path)
	case !c.by:
		return e.Write(c.path, data, 0o644)
	}
	if err := vfs.MkdirAllSync(r.fault, filepath.Dir(c.path), 0o755); err != nil {
		return err
	}
	f, err := vfs.CreateTemp(r.fault, filepath.Dir(c.path), 0o600)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(data, 0); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return e.Replace(c.path, f.Name())
}

// epoch commits the changes as one.
func (r *rig) epoch(changes ...change) {
	j := r.use()
	if j == nil || r.fault.Crashed() {
		return
	}
	e, err := j.Begin()
	if r.failed(err) {
		if errors.Is(err, ErrBroken) {
			r.close()
		}
		return
	}
	next, ok := r.stage(e, changes)
	if !ok {
		e.Abort()
		return
	}
	r.candidate = next
	err = e.Commit(context.Background())
	r.failed(err)
	switch {
	case err == nil:
		r.base, r.candidate = next, nil
		r.acked++
	case errors.Is(err, ErrIncomplete) && !r.fault.Crashed():
		// A process that was killed has not been told.
		r.base, r.candidate = next, nil
		r.acked++
		r.stranded(changes)
		r.close()
	case errors.Is(err, ErrInDoubt):
		r.stranded(changes)
		r.close()
	case !r.fault.Crashed():
		r.candidate = nil // nothing of it has happened
	}
}

// stranded checks that nothing gets into the region files of an epoch that
// the next opening has to complete.
func (r *rig) stranded(changes []change) {
	for _, c := range changes {
		if f := r.files[c.path]; f != nil && !r.fault.Crashed() {
			err := f.Write(context.Background(), region.Write{Slot: 900, Scheme: codec.None, Data: []byte{1}})
			if !errors.Is(err, region.ErrStranded) {
				r.breach("%s takes writes before the replay: %v", c.path, err)
			}
		}
	}
}

// abort makes an epoch and gives it up.
func (r *rig) abort(changes ...change) {
	j := r.use()
	if j == nil {
		return
	}
	e, err := j.Begin()
	if r.failed(err) {
		return
	}
	r.stage(e, changes)
	e.Abort()
}

// write is an ordinary commit of one chunk beside the journal.
func (r *rig) write(c change) {
	if r.use() == nil || r.fault.Crashed() {
		return // a world is opened with its journal
	}
	f := r.region(c.path)
	if f == nil {
		return
	}
	r.saves++
	data := made(c.key(), r.saves, c.size)
	next := maps.Clone(r.base)
	next[c.key()] = digest(data)
	w := region.Write{Slot: c.slot, Scheme: codec.None, Data: data}
	if c.size == 0 {
		delete(next, c.key())
		w.Delete = true
	}
	r.candidate = next
	if r.failed(f.Write(context.Background(), w)) {
		if !r.fault.Crashed() {
			r.candidate = nil
			r.ignored[c.key()] = true
		}
		return
	}
	r.base, r.candidate = next, nil
}

// link makes a hard link of a file, as a foreign snapshot does: its bytes may
// not change from then on.
func (r *rig) link(path, name string) {
	file, err := r.fault.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		err = errors.Join(file.Sync(), file.Close())
	}
	if r.failed(err) {
		return
	}
	if r.failed(r.fault.Link(path, name)) || r.failed(r.fault.SyncDir(filepath.Dir(name))) {
		return
	}
	data, err := vfs.ReadFile(r.mem, name, 1<<30)
	if err != nil {
		panic(err)
	}
	r.links[name] = string(data)
}

// close closes region files and journal, as a server does at its end.
func (r *rig) close() {
	for _, path := range slices.Sorted(maps.Keys(r.files)) {
		r.failed(r.files[path].Close())
	}
	clear(r.files)
	if r.journal != nil {
		r.failed(r.journal.Close())
		r.journal = nil
	}
}

// differ compares what is there with what must be; "" if it is the same.
func (r *rig) differ(is, want world) string {
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if is[k] != want[k] && !r.ignored[k] {
			fmt.Fprintf(&b, " %s is %q, want %q;", k, is[k], want[k])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(is)) {
		if _, ok := want[k]; !ok && !r.ignored[k] {
			fmt.Fprintf(&b, " %s is %q, want nothing;", k, is[k])
		}
	}
	return b.String()
}

// judge compares a world that was opened again with the ones it may be.
func (r *rig) judge(is world) string {
	d := r.differ(is, r.base)
	if d == "" {
		return ""
	}
	if r.candidate == nil {
		return "not the acknowledged world:" + d
	}
	if c := r.differ(is, r.candidate); c != "" {
		return "neither the acknowledged world:" + d + "\n  nor the one that was being committed:" + c
	}
	return ""
}

// look reads a whole world. Every chunk that a header names must be readable.
func look(fsys vfs.FS) (world, error) {
	is := world{}
	for _, root := range testRoots {
		if err := lookAt(fsys, root.Dir, is); err != nil {
			return nil, err
		}
	}
	return is, nil
}

func lookAt(fsys vfs.FS, dir string, is world) error {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		path := filepath.ToSlash(filepath.Join(dir, e.Name()))
		switch {
		case e.IsDir() && e.Name() == journalDir:
		case e.IsDir():
			err = lookAt(fsys, path, is)
		case strings.HasPrefix(e.Name(), vfs.TempPrefix), strings.HasSuffix(e.Name(), ".mcc"), strings.HasPrefix(e.Name(), "snapshot"):
		case strings.HasSuffix(e.Name(), ".mca"):
			err = lookAtRegion(fsys, path, is)
		default:
			var data []byte
			data, err = vfs.ReadFile(fsys, path, 1<<30)
			is[path] = digest(data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var looking = sync.Pool{New: func() any { return new(lookBuffer) }}

type lookBuffer struct {
	dec      codec.Decoder
	raw, out []byte
}

func lookAtRegion(fsys vfs.FS, path string, is world) error {
	f, err := region.Open(path, region.Options{FS: fsys, ReadOnly: true})
	if err != nil {
		return err
	}
	defer f.Close()
	b := looking.Get().(*lookBuffer)
	defer looking.Put(b)
	used := map[uint32]bool{}
	for s := range region.Slot(region.Slots) {
		l := f.Entry(s).Location
		if l == 0 {
			continue
		}
		for i := range l.Count() {
			if used[l.Sector()+i] {
				return fmt.Errorf("%s: slot %d overlaps another", path, s)
			}
			used[l.Sector()+i] = true
		}
		var rec region.Record
		b.out, rec, err = f.Decode(s, &b.dec, b.raw, b.out[:0])
		if cap(rec.Buffer()) > cap(b.raw) {
			b.raw = rec.Buffer()
		}
		if err != nil {
			return err
		}
		is[fmt.Sprintf("%s#%d", path, s)] = digest(b.out)
	}
	return nil
}

// contents caches what made and packed make.
var contents sync.Map

type contentKey struct {
	key           string
	version, size int
}

// made is the version-th content of an object: random bytes that name it.
func made(key string, version, size int) []byte {
	k := contentKey{key, version, size}
	if b, ok := contents.Load(k); ok {
		return b.([]byte)
	}
	b := make([]byte, size)
	src := rand.NewPCG(xxhash.Sum64String(key), uint64(version))
	for i := 0; i+8 <= size; i += 8 {
		binary.LittleEndian.PutUint64(b[i:], src.Uint64())
	}
	contents.Store(k, b)
	return b
}

type packKey struct {
	scheme codec.Scheme
	sum    uint64
}

func packed(s codec.Scheme, data []byte) []byte {
	k := packKey{s, xxhash.Sum64(data)}
	if b, ok := contents.Load(k); ok {
		return b.([]byte)
	}
	enc, err := codec.NewEncoder(s, 1)
	var b []byte
	if err == nil {
		b, err = enc.Append(nil, data)
	}
	if err != nil {
		panic(err)
	}
	contents.Store(k, b)
	return b
}
