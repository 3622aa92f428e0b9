package scan

import (
	"context"
	"encoding/binary"
	"slices"
	"time"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/store"
	"strata/nbt"
	"strata/region"
)

// Depth is how much of a world Summarize reads.
type Depth uint8

// The depths.
const (
	Headers   Depth = iota // headers of region files
	Records                // and every record, still compressed
	Documents              // and every document
)

// Options are how Summarize works. The zero value reads headers.
type Options struct {
	Depth Depth
	// Workers is how many files are read at the same time, by default one for
	// each processor.
	Workers int
	// Dimensions are the ids to look at, by default all.
	Dimensions []string
	// Progress is called with the size of every file that has been read.
	Progress func(bytes int64)
}

// Summary is what is in the region files of a world.
type Summary struct {
	Dimensions []Dimension    `json:"dimensions"`
	Failed     []anvil.Failed `json:"failed"`
	// Depth says which of the counts there are.
	Depth Depth `json:"-"`
	Took  Took  `json:"took"`
}

// Took is the time of a run, all workers together.
type Took struct {
	Slots    int64         `json:"slots"`    // entries of headers that were looked at
	Bytes    int64         `json:"bytes"`    // of documents
	Records  int64         `json:"records"`  // that were read
	Duration time.Duration `json:"duration"` // of the workers, summed
}

// Dimension is what is in a dimension's region files.
type Dimension struct {
	ID       string `json:"name"`
	Chunks   Folder `json:"chunks"`
	Entities Folder `json:"entities"`
	POI      Folder `json:"poi"`
}

// Folder is what is in the region files of one kind.
type Folder struct {
	Regions  int   `json:"regions"`  // region files
	Empty    int   `json:"empty"`    // of them without a chunk
	Chunks   int64 `json:"chunks"`   // entries in headers, readable or not
	External int   `json:"external"` // .mcc files
	Bytes    int64 `json:"bytes"`    // of both kinds of files

	// Since Records. Payloads have their length and scheme, and no padding.
	PayloadBytes int64            `json:"payload_bytes"`
	PaddingBytes int64            `json:"padding_bytes"`
	FreeBytes    int64            `json:"free_bytes"` // of sectors without a chunk
	Unreadable   int64            `json:"unreadable"`
	Schemes      map[string]int64 `json:"schemes"`

	// Since Documents.
	DocumentBytes int64            `json:"document_bytes"`
	Statuses      map[string]int64 `json:"statuses,omitempty"` // of chunks
	DataVersions  map[int32]int64  `json:"data_versions"`
	Entities      int64            `json:"entities,omitempty"` // in entity chunks
	Misplaced     int64            `json:"misplaced"`          // that give another position
	// Inhabited is the sum of InhabitedTime, and Uninhabited how many chunks
	// have 0.
	Inhabited   int64 `json:"inhabited_ticks,omitempty"`
	Uninhabited int64 `json:"uninhabited,omitempty"`
}

// Of returns the folder of a kind.
func (d *Dimension) Of(kind store.Kind) *Folder {
	switch kind {
	case store.Entities:
		return &d.Entities
	case store.POI:
		return &d.POI
	default:
		return &d.Chunks
	}
}

// Summarize counts what is in a world. The only error is that of ctx.
func Summarize(ctx context.Context, w *anvil.World, o Options) (*Summary, error) {
	s := &Summary{Depth: o.Depth, Failed: []anvil.Failed{}, Dimensions: []Dimension{}}
	list := Files(w, o.Dimensions...)
	s.Failed = append(s.Failed, list.Failed...)
	index := make(map[string]int)
	for _, d := range w.Dimensions() {
		if len(o.Dimensions) == 0 || slices.Contains(o.Dimensions, d.ID) {
			index[d.ID] = len(s.Dimensions)
			s.Dimensions = append(s.Dimensions, Dimension{ID: d.ID})
		}
	}
	for _, e := range list.External {
		folder := s.Dimensions[index[e.Dimension]].Of(e.Kind)
		folder.External += e.Files
		folder.Bytes += e.Bytes
	}
	read := func(ctx context.Context, r *Reader, f File) (counted, error) { return r.count(ctx, w, f, o.Depth) }
	return s, Run(ctx, list.Files, o.Workers, read, func(f File, c counted, err error) error {
		if err != nil {
			s.Failed = append(s.Failed, anvil.Failed{Path: f.Path, Err: err})
		}
		s.Took.add(c.took)
		folder := s.Dimensions[index[f.Dimension]].Of(f.Kind)
		folder.Regions++
		folder.Bytes += f.Bytes
		folder.add(&c.folder)
		if o.Progress != nil {
			o.Progress(f.Bytes)
		}
		return nil
	})
}

// counted is what is in one file.
type counted struct {
	folder Folder
	took   Took
}

// count reads a file.
func (r *Reader) count(ctx context.Context, w *anvil.World, f File, depth Depth) (c counted, err error) {
	start := time.Now()
	defer func() { c.took.Duration = time.Since(start) }()
	if depth == Headers {
		header, err := r.Header(w.FS(), f)
		if err != nil {
			return c, err
		}
		for slot := range region.Slot(region.Slots) {
			if header.Location(slot) != 0 {
				c.folder.Chunks++
			}
		}
		c.took.Slots = region.Slots
	} else {
		c.folder.Schemes = make(map[string]int64)
		c.folder.Statuses = make(map[string]int64)
		c.folder.DataVersions = make(map[int32]int64)
		free, err := r.Chunks(ctx, w.FS(), f, depth == Documents, func(one *Chunk) bool {
			c.addRecord(f, one)
			return true
		})
		if err != nil {
			return c, err
		}
		c.took.Slots = region.Slots
		c.folder.FreeBytes = free
	}
	if c.folder.Chunks == 0 {
		c.folder.Empty = 1
	}
	return c, nil
}

// addRecord counts a record.
func (c *counted) addRecord(f File, one *Chunk) {
	folder := &c.folder
	folder.Chunks++
	if one.Err != nil {
		folder.Unreadable++
		return
	}
	c.took.Records++
	folder.Schemes[one.Record.Scheme.String()]++
	folder.PayloadBytes += one.PayloadBytes()
	if !one.Record.External {
		sectors := int64(region.RecordSectors(len(one.Record.Data)))
		folder.PaddingBytes += sectors*region.SectorBytes - one.PayloadBytes()
	}
	if one.Data != nil && !c.addDocument(f, one) {
		folder.Unreadable++
	}
}

// addDocument counts a document and reports whether it could be read.
func (c *counted) addDocument(f File, one *Chunk) bool {
	folder := &c.folder
	c.took.Bytes += int64(len(one.Data))
	folder.DocumentBytes += int64(len(one.Data))
	if f.Kind == store.Entities {
		return c.addEntities(one)
	}
	header, err := chunk.ReadHeader(one.Data)
	if err != nil {
		return false
	}
	folder.DataVersions[header.DataVersion]++
	if f.Kind != store.Chunks {
		return true
	}
	status := header.Status
	if status == "" {
		status = "none"
	}
	folder.Statuses[status]++
	folder.Inhabited += header.InhabitedTime
	if header.InhabitedTime == 0 {
		folder.Uninhabited++
	}
	if header.HasPos && header.Pos != one.Pos {
		folder.Misplaced++
	}
	return true
}

// addEntities counts an entity chunk.
func (c *counted) addEntities(one *Chunk) bool {
	version, count := int64(0), int64(0)
	err := nbt.ScanRoot(one.Data, nbt.Limits{}, func(name []byte, value nbt.Raw) bool {
		switch string(name) {
		case "DataVersion":
			version, _ = value.Int()
		case "Entities":
			if value.Type == nbt.TypeList && len(value.Data) >= 5 {
				count = int64(binary.BigEndian.Uint32(value.Data[1:]))
			}
		}
		return true
	})
	if err != nil {
		return false
	}
	c.folder.DataVersions[int32(version)]++
	c.folder.Entities += count
	return true
}

func (f *Folder) add(o *Folder) {
	f.Empty += o.Empty
	f.Chunks += o.Chunks
	f.PayloadBytes += o.PayloadBytes
	f.PaddingBytes += o.PaddingBytes
	f.FreeBytes += o.FreeBytes
	f.Unreadable += o.Unreadable
	f.DocumentBytes += o.DocumentBytes
	f.Entities += o.Entities
	f.Misplaced += o.Misplaced
	f.Inhabited += o.Inhabited
	f.Uninhabited += o.Uninhabited
	f.Schemes = addCounts(f.Schemes, o.Schemes)
	f.Statuses = addCounts(f.Statuses, o.Statuses)
	f.DataVersions = addCounts(f.DataVersions, o.DataVersions)
}

func addCounts[K comparable](to, from map[K]int64) map[K]int64 {
	if to == nil {
		to = make(map[K]int64)
	}
	for key, n := range from {
		to[key] += n
	}
	return to
}

func (t *Took) add(o Took) {
	t.Slots += o.Slots
	t.Bytes += o.Bytes
	t.Records += o.Records
	t.Duration += o.Duration
}
