package pack

import (
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"
)

// Writer adds objects to a store.
type Writer struct {
	s       *Store
	encoder *zstd.Encoder
	open    *output // nil until there is something to write
	// pending are the objects that were put, by the beginnings of their IDs.
	pending map[[PrefixBytes]byte]pendingObject
	done    []*packFile // finished and in the folder
	dry     bool
	flush   errgroup.Group
	mend    bool
	added   Added
	err     error
}

// Added counts what a Writer has stored.
type Added struct {
	Objects int64
	Bytes   int64 // of the objects
	// Stored is what the store has grown by, indexes included.
	Stored int64
}

// NewWriter begins to add objects. A dry one stores nothing and counts.
func (s *Store) NewWriter(dry bool) *Writer {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault),
		zstd.WithWindowSize(FrameBytes), zstd.WithEncoderCRC(false))
	if err != nil {
		panic(err) // the options are constants
	}
	return &Writer{s: s, encoder: e, pending: map[[PrefixBytes]byte]pendingObject{}, dry: dry}
}

// Mend has Put read what the store has already, and store anew what is damaged.
func (w *Writer) Mend() { w.mend = true }

// damaged reports whether no copy of an object can be read.
func (s *Store) damaged(id ID) bool {
	_, err := s.Get(id, nil)
	return errors.Is(err, ErrDamaged)
}

// Put adds an object unless the store has it. The first byte is the kind. The
// object is not kept. After an error the Writer is good for Abort only.
func (w *Writer) Put(object []byte) (id ID, added bool, err error) {
	if len(object) == 0 || len(object) > MaxObject {
		return id, false, fmt.Errorf("an object of %d bytes", len(object))
	}
	id = IDOf(object)
	if _, has := w.pendingSize(id); has {
		return id, false, nil
	}
	begin := [PrefixBytes]byte(id[:])
	_, taken := w.pending[begin]
	switch other := w.s.Complete(begin); {
	case !taken && other == id && w.mend && w.s.damaged(id):
		// A second copy takes the place of the one that cannot be read.
	case !taken && other == id:
		return id, false, nil
	case taken || other != withZeros(begin):
		return id, false, fmt.Errorf("object %v: %w", id, ErrCollision)
	}
	return id, true, w.add(id, object)
}

// pendingObject is the rest of an ID, and the length of the object.
type pendingObject struct {
	rest [PrefixBytes]byte
	size uint32
}

func (w *Writer) pendingSize(id ID) (int, bool) {
	p, has := w.pending[[PrefixBytes]byte(id[:])]
	return int(p.size), has && p.rest == [PrefixBytes]byte(id[PrefixBytes:])
}

// withZeros is what Complete returns for what is not there.
func withZeros(begin [PrefixBytes]byte) (id ID) {
	copy(id[:], begin[:])
	return id
}

// add adds an object that is not pending.
func (w *Writer) add(id ID, object []byte) error {
	if w.err != nil {
		return w.err
	}
	w.pending[[PrefixBytes]byte(id[:])] = pendingObject{[PrefixBytes]byte(id[PrefixBytes:]), uint32(len(object))}
	w.added.Objects++
	w.added.Bytes += int64(len(object))
	if w.open == nil {
		if w.open, w.err = w.begin(); w.err != nil {
			return w.err
		}
	}
	w.open.put(id, object)
	if w.open.length() >= packBytes {
		w.err = w.finish()
	}
	return w.err
}

// Size returns how long an object is that was put, or that the store has.
func (w *Writer) Size(id ID) (int, error) {
	if n, has := w.pendingSize(id); has {
		return n, nil
	}
	return w.s.Size(id)
}

// Err is the first error of storing.
func (w *Writer) Err() error { return w.err }

// Added counts what was added so far.
func (w *Writer) Added() Added { return w.added }

// Finish writes out what was added and begins to make it durable. Added counts all
// of it then. More may be added.
func (w *Writer) Finish() error {
	if w.err == nil && w.open != nil {
		w.err = w.finish()
	}
	return w.err
}

// Commit makes what was added durable. Objects may be referred to afterwards.
// The Writer is at its end.
func (w *Writer) Commit() error {
	if err := w.Finish(); err == nil {
		w.err = w.flush.Wait()
	}
	if w.err == nil && len(w.done) > 0 {
		w.err = w.s.fs.SyncDir(w.s.dir)
	}
	if w.err != nil {
		w.Abort()
		return w.err
	}
	w.s.mu.Lock()
	for _, p := range w.done {
		w.s.enter(p)
	}
	w.s.mu.Unlock()
	w.done = nil
	return w.encoder.Close()
}

// Abort gives up what was not committed. Packs that were finished stay and are
// garbage, which does no harm.
func (w *Writer) Abort() {
	if w.open != nil {
		w.open.abort(w.s.fs)
		w.open = nil
	}
	if err := w.flush.Wait(); w.err == nil {
		w.err = err
	}
	if w.err == nil {
		w.err = fmt.Errorf("write packs: aborted")
	}
}

// finish writes the open pack out. It is made durable, and gets its name, while the
// next one is filled; the folder's flush in Commit makes the name durable.
func (w *Writer) finish() error {
	o := w.open
	w.open = nil
	err := o.finish()
	if err != nil {
		o.remove(w.s.fs)
		return err
	}
	w.added.Stored += o.size
	if w.dry {
		return nil
	}
	w.s.mu.Lock()
	name := packName(w.s.next, o.sum.Sum(nil))
	w.s.next++
	w.s.mu.Unlock()
	x := o.index
	w.done = append(w.done, &packFile{name: name, size: o.size, index: &x})
	w.flush.Go(func() error {
		err := o.file.Sync()
		if cerr := o.file.Close(); err == nil {
			err = cerr
		}
		o.file = nil
		if err == nil {
			err = w.s.fs.Rename(o.name, w.s.path(name))
		}
		if err != nil {
			o.remove(w.s.fs)
		}
		return err
	})
	return nil
}
