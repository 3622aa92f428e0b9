package undo

import (
	"errors"
	"io/fs"
	"iter"
	"math"
	"path/filepath"

	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

// Space is what keeping a change takes, and what there is.
type Space struct {
	Need int64 `json:"undo_bytes"` // at most
	Free int64 `json:"free_bytes"`
}

// Check returns a *SpaceError if it does not fit.
func (s Space) Check() error {
	if s.Need > s.Free {
		return &SpaceError{s}
	}
	return nil
}

// overhead is what a change takes beside what it keeps: two manifests and the
// ends of logs in blocks.
const overhead = 32 << 10

// Estimate says how much keeping objects and files would take at most. It reads
// headers of region files and the sizes of files; region files that cannot be
// opened count nothing.
func Estimate(s *store.Store, objects iter.Seq[store.Ref], files []string) (Space, error) {
	w := worldOf(s)
	e := estimate{w: w, need: overhead}
	var failed error
	for ref := range objects {
		if failed = e.add(ref); failed != nil {
			return Space{}, failed
		}
	}
	for _, path := range files {
		info, err := w.fs.Stat(path)
		if err == nil {
			e.need += info.Size
		} else if !errors.Is(err, fs.ErrNotExist) {
			return Space{}, err
		}
		e.need += 2 * (frameBytes + int64(len(path)))
	}
	free, err := w.fs.FreeBytes(w.main())
	if errors.Is(err, vfs.ErrUnsupported) {
		free, err = math.MaxInt64, nil
	}
	return Space{e.need, free}, err
}

// estimate adds up. The header at hand is that of one region: callers go
// through objects by their regions.
type estimate struct {
	w      *world
	need   int64
	at     store.RegionRef
	header *region.Header
}

func (e *estimate) add(ref store.Ref) error {
	at := store.RegionRef{Dim: ref.Dim, Kind: ref.Kind, Pos: ref.Pos.Region()}
	if e.header == nil || at != e.at {
		raw, err := e.w.s.Raw(ref.Dim, ref.Kind)
		if err != nil {
			return err
		}
		header, err := raw.Header(at.Pos)
		if errors.Is(err, fs.ErrNotExist) {
			header, err = new(region.Header), nil
		}
		if err != nil { // whoever wants to keep something of it will be told
			header = new(region.Header)
		}
		e.at, e.header = at, header
	}
	name := e.w.all.Dimensions[ref.Dim].Name
	e.need += 2 * (frameBytes + int64(len(name)))
	l := e.header.Location(ref.Pos.Slot())
	e.need += int64(l.Count()) * region.SectorBytes
	if l.Count() != 1 && l.Count() != 255 {
		return nil
	}
	// A stub has one sector, and its body is in a file.
	info, err := e.w.fs.Stat(filepath.Join(e.w.folder(name, ref.Kind), ref.Pos.ExternalName()))
	if err == nil {
		e.need += info.Size
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
