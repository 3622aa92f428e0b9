package bench

import (
	"encoding/binary"
	"os"
	"time"

	"strata/region"
)

// osyncFile writes a region file in the order in which the game does with its
// default, sync-chunk-writes=true, up to 26.2: for each chunk one synchronous
// write of its sectors, then one of the whole header. A record goes to the
// first free run of sectors, and its old ones are free once the header is
// written. The game was not at hand; its order of writes is known from the
// patches that Paper makes to it.
type osyncFile struct {
	file   *os.File
	header region.Header
	used   []bool // sectors
	record []byte
	writes int64 // synchronous ones
}

func openOsync(path string) (*osyncFile, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|dsync, 0o644)
	if err != nil {
		return nil, err
	}
	w := &osyncFile{file: file, used: make([]bool, region.HeaderSectors)}
	w.mark(0, region.HeaderSectors, true)
	return w, nil
}

func (w *osyncFile) put(s region.Slot, rec region.Record) error {
	n := int(region.RecordSectors(len(rec.Data)))
	start := w.allocate(n)
	w.record = append(w.record[:0], 0, 0, 0, 0, byte(rec.Scheme))
	binary.BigEndian.PutUint32(w.record, uint32(len(rec.Data)+1))
	w.record = append(w.record, rec.Data...)
	w.record = append(w.record, make([]byte, n*region.SectorBytes-len(w.record))...)
	if err := w.write(w.record, int64(start)*region.SectorBytes); err != nil {
		return err
	}
	old := w.header.Location(s)
	w.header.Set(s, region.Entry{
		Location:  region.MakeLocation(uint32(start), uint32(n)),
		Timestamp: uint32(time.Now().Unix()),
	})
	if err := w.write(w.header[:], 0); err != nil {
		return err
	}
	w.mark(int(old.Sector()), int(old.Count()), false)
	return nil
}

func (w *osyncFile) write(b []byte, off int64) error {
	w.writes++
	_, err := w.file.WriteAt(b, off)
	return err
}

// allocate takes the first free run of n sectors.
func (w *osyncFile) allocate(n int) int {
	start := 0
	for s := range w.used {
		if w.used[s] {
			start = s + 1
		} else if s+1-start == n {
			break
		}
	}
	if missing := start + n - len(w.used); missing > 0 {
		w.used = append(w.used, make([]bool, missing)...)
	}
	w.mark(start, n, true)
	return start
}

func (w *osyncFile) mark(start, n int, used bool) {
	for s := start; s < start+n; s++ {
		w.used[s] = used
	}
}

func (w *osyncFile) flushes() int64 { return w.writes }

func (w *osyncFile) Close() error { return w.file.Close() }
