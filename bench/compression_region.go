package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"strata/anvil"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/region"
)

// RegionMap is what the sectors of a region file are used for, as it is and
// after compacting a copy of it.
type RegionMap struct {
	Name   string    `json:"name"` // of the file
	Before SectorMap `json:"before"`
	After  SectorMap `json:"after"`
}

// SectorMap is a region file seen as sectors.
type SectorMap struct {
	Sectors int `json:"sectors"`
	// Chunks are the records that entries name, in the order of sectors.
	Chunks []SectorRun `json:"chunks"`
	// Free is how many sectors no entry names, the header's two apart.
	Free int `json:"free"`
}

// SectorRun is the sectors of one record.
type SectorRun struct {
	First int `json:"first"`
	Count int `json:"count"`
}

// maxMappedRegion bounds the region file that is copied to show what
// compacting does.
const maxMappedRegion = 256 << 20

// MapRegion shows the chunk region file of a world that has the most free
// sectors, and among equals the most chunks. A copy is compacted in a temporary
// folder; the world is only read. It is nil if there is no file to show.
func MapRegion(ctx context.Context, w *anvil.World, dimensions ...string) (*RegionMap, error) {
	files := slices.DeleteFunc(scan.Files(w, dimensions...).Files, func(f scan.File) bool {
		return f.Kind != store.Chunks || f.Bytes > maxMappedRegion
	})
	var best *SectorMap
	var file scan.File
	read := func(_ context.Context, r *scan.Reader, f scan.File) (SectorMap, error) {
		header, err := r.Header(w.FS(), f)
		if err != nil {
			return SectorMap{}, err
		}
		return newSectorMap(header, f.Bytes), nil
	}
	err := scan.Run(ctx, files, 0, read, func(f scan.File, m SectorMap, err error) error {
		// What cannot be read is not what to show; the sample has said so.
		shown := err == nil && len(m.Chunks) > 0
		if shown && (best == nil || m.Free > best.Free || m.Free == best.Free && len(m.Chunks) > len(best.Chunks)) {
			best, file = &m, f
		}
		return nil
	})
	if err != nil || best == nil {
		return nil, err
	}
	after, err := compactCopy(w, file)
	if err != nil {
		return nil, fmt.Errorf("compact a copy of %s: %w", filepath.Base(file.Path), err)
	}
	return &RegionMap{Name: filepath.Base(file.Path), Before: *best, After: after}, nil
}

func newSectorMap(header *region.Header, bytes int64) SectorMap {
	m := SectorMap{Sectors: int((bytes + sectorBytes - 1) / sectorBytes)}
	for slot := range region.Slot(region.Slots) {
		l := header.Location(slot)
		if first := int(l.Sector()); l != 0 && first >= region.HeaderSectors && first < m.Sectors {
			m.Chunks = append(m.Chunks, SectorRun{first, min(int(l.Count()), m.Sectors-first)})
		}
	}
	slices.SortFunc(m.Chunks, func(a, b SectorRun) int { return a.First - b.First })
	end := min(region.HeaderSectors, m.Sectors)
	for _, c := range m.Chunks { // which may overlap in a damaged file
		m.Free += max(0, c.First-end)
		end = max(end, c.First+c.Count)
	}
	m.Free += max(0, m.Sectors-end)
	return m
}

func compactCopy(w *anvil.World, f scan.File) (m SectorMap, err error) {
	dir, err := os.MkdirTemp("", "strata-bench-")
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, filepath.Base(f.Path))
	if err := copyOut(w, f, path); err != nil {
		return m, err
	}
	file, err := region.Open(path, region.Options{})
	if err != nil {
		return m, err
	}
	err = file.Compact()
	if err == nil {
		total, _ := file.Size()
		m = newSectorMap(file.Header(), total)
	}
	return m, errors.Join(err, file.Close())
}

func copyOut(w *anvil.World, f scan.File, path string) (err error) {
	in, err := w.FS().OpenFile(f.Path, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.NewSectionReader(in, 0, f.Bytes))
	return errors.Join(err, out.Close())
}
