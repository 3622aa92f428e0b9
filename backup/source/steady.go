package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// ErrUnstable says that something changed whenever it was read, which is no
// damage.
var ErrUnstable = errors.New("changed whenever it was read")

// How often, and for how long, what changes is read again: 2 s in all.
const (
	attempts  = 5
	firstWait = 100 * time.Millisecond
)

// Read calls visit with what the slots hold, each slot once, and Header has the
// entries they were read by. Contents hold until visit returns. Beside a program
// that may write, a record is read again until its entry is the same before and
// after and it is what it should be; of one that never is, Err wraps ErrUnstable.
func (r *Region) Read(ctx context.Context, slots []region.Slot, visit func(*Record) error) error {
	if !r.w.Moves() {
		return r.read(&r.Header, slots, visit)
	}
	s := &steady{r: r, strikes: map[region.Slot]int{}}
	pause := firstWait
	for attempt := 0; len(slots) > 0; attempt++ {
		if attempt > 0 {
			if err := wait(ctx, pause); err != nil {
				return err
			}
			pause = min(2*pause, 800*time.Millisecond)
			if err := r.again(); err != nil {
				return err
			}
		}
		var err error
		if slots, err = s.round(slots, attempt == attempts, visit); err != nil {
			return err
		}
	}
	return nil
}

// again reads header and size once more.
func (r *Region) again() error {
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	r.Size = info.Size
	return r.readHeader(&r.Header)
}

// steady reads records beside a program that may write.
type steady struct {
	r       *Region
	strikes map[region.Slot]int // times a record was unsound and its entry the same
	decoder codec.Decoder
	data    []byte
	tape    nbt.Tape
}

// round reads slots and returns those that have to be read again.
func (s *steady) round(slots []region.Slot, last bool, visit func(*Record) error) (again []region.Slot, err error) {
	h := s.r.Header
	for _, slot := range slots {
		if h.Location(slot) == 0 {
			continue // deleted since: the header says so
		}
		one := []region.Slot{slot}
		err := s.r.read(&h, one, func(rec *Record) error {
			now, err := s.entry(slot)
			if err != nil {
				return err
			}
			steady := now == rec.Entry
			sound := rec.Err == nil && s.sound(rec)
			if steady && !sound {
				s.strikes[slot]++
			}
			switch {
			case steady && (sound || s.strikes[slot] > 2):
				return visit(rec)
			case last:
				rec.Err, rec.Content = ErrUnstable, nil
				return visit(rec)
			}
			again = append(again, slot)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return again, nil
}

// entry reads one entry of the header.
func (s *steady) entry(slot region.Slot) (e region.Entry, err error) {
	var h region.Header
	for _, at := range []int{4 * int(slot), region.SectorBytes + 4*int(slot)} {
		if n, err := s.r.file.ReadAt(h[at:at+4], int64(at)); n < 4 {
			return e, fmt.Errorf("read header again: %w", err)
		}
	}
	return h.Entry(slot), nil
}

// maxDocument bounds the memory of a check.
const maxDocument = 256 << 20

// sound reports whether a record decodes and says that it is the chunk that it
// should be. What we cannot decode counts as sound.
func (s *steady) sound(rec *Record) bool {
	scheme := Scheme(rec.Content)
	if !scheme.Known() {
		return true
	}
	data, err := s.decoder.Append(s.data[:0], scheme, rec.Content[1:], maxDocument)
	if err != nil {
		return false
	}
	s.data = data
	if s.tape.Parse(data) != nil {
		return false
	}
	c, says := position(s.tape.Root())
	return !says || c == s.r.f.Pos.Chunk(rec.Slot)
}

// position is where a document says that it belongs: a chunk, one from before
// 1.18, or entities.
func position(root nbt.Tag) (c region.ChunkPos, ok bool) {
	x, xOK := root.Get("xPos").Int()
	z, zOK := root.Get("zPos").Int()
	if !xOK || !zOK {
		level := root.Get("Level")
		x, xOK = level.Get("xPos").Int()
		z, zOK = level.Get("zPos").Int()
	}
	if xOK && zOK {
		return region.ChunkPos{X: int32(x), Z: int32(z)}, true
	}
	if p, ok := root.Get("Position").IntArray(); ok && p.Len() == 2 {
		return region.ChunkPos{X: p.At(0), Z: p.At(1)}, true
	}
	return c, false
}

// ReadFile calls visit with the pieces of a file, one after the other, each of at
// most size bytes. Beside a program that may write, the file is read to the end
// and again until it did not change meanwhile: visit is told to start over. It
// returns what the file was when it was read.
func (w *World) ReadFile(ctx context.Context, f File, size int, start func() error, visit func([]byte) error) (vfs.FileInfo, error) {
	pause := firstWait
	for attempt := 0; ; attempt++ {
		info, same, err := w.readOnce(ctx, f, size, start, visit)
		if err == nil && (same || !w.Moves()) {
			return info, nil
		}
		// A file that is just being replaced may be absent for an instant.
		if err != nil && !(w.Moves() && errors.Is(err, fs.ErrNotExist)) {
			return info, err
		}
		if attempt == attempts {
			return info, errors.Join(ErrUnstable, err)
		}
		if err := wait(ctx, pause); err != nil {
			return info, err
		}
		pause = min(2*pause, 800*time.Millisecond)
	}
}

func (w *World) readOnce(ctx context.Context, f File, size int, start func() error, visit func([]byte) error) (before vfs.FileInfo, same bool, err error) {
	if err := start(); err != nil {
		return before, false, err
	}
	file, err := w.fs.OpenFile(f.Abs, os.O_RDONLY, 0)
	if err != nil {
		return before, false, err
	}
	defer file.Close()
	if before, err = file.Stat(); err != nil {
		return before, false, err
	}
	buf := make([]byte, min(int64(size), max(1, before.Size)))
	at := int64(0)
	for at < before.Size {
		if err := ctx.Err(); err != nil {
			return before, false, err
		}
		n, err := file.ReadAt(buf[:min(int64(len(buf)), before.Size-at)], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return before, false, err
		}
		if n == 0 {
			break // it became shorter
		}
		if err := visit(buf[:n]); err != nil {
			return before, false, err
		}
		at += int64(n)
	}
	if at < before.Size && !w.Moves() {
		return before, false, fmt.Errorf("%d bytes of %d could be read", at, before.Size)
	}
	after, err := file.Stat()
	return before, err == nil && at == before.Size && after.Size == before.Size &&
		after.ModTime.Equal(before.ModTime) && after.ChangeTime.Equal(before.ChangeTime), err
}
