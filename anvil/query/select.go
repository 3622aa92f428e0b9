package query

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/expr-lang/expr/vm"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/region"
	"strata/region/codec"
)

// Options are how Select works. The zero value looks at all dimensions.
type Options struct {
	Dimensions []string
	Selection  *Selection // what the field selected tells
	Workers    int
	// Progress is called with the size of every file that has been looked at.
	Progress func(bytes int64)
}

// Result counts what Select looked at.
type Result struct {
	Looked   int64          `json:"looked_at"` // chunks
	Picked   int64          `json:"picked"`
	Failures int64          `json:"failed_expressions"`
	First    error          `json:"-"` // the first of them
	Failed   []anvil.Failed `json:"failed"`
}

// Select calls each with the rows that a query picks, in the order of files and
// slots, one at a time. A row is each's to keep. The error is each's or ctx's.
func Select(ctx context.Context, w *anvil.World, q *Query, o Options, each func(*Row) error) (*Result, error) {
	listing := scan.Files(w, o.Dimensions...)
	result := &Result{Failed: append([]anvil.Failed{}, listing.Failed...)}
	facts, failed := readFacts(w, q.need, listing.Files)
	result.Failed = append(result.Failed, failed...)
	s := &selecting{world: w, query: q, facts: facts, selection: o.Selection, folders: make(map[string]anvil.Dimension)}
	for _, d := range w.Dimensions() {
		s.folders[d.ID] = d
	}
	var files []scan.File
	for _, f := range listing.Files {
		if f.Kind == store.Chunks {
			files = append(files, f)
		}
	}
	return result, scan.Run(ctx, files, o.Workers, s.file, func(f scan.File, found found, err error) error {
		if err != nil {
			result.Failed = append(result.Failed, anvil.Failed{Path: f.Path, Err: err})
		}
		result.Looked += found.looked
		result.Failures += found.failures
		if result.First == nil {
			result.First = found.first
		}
		for _, row := range found.rows {
			result.Picked++
			if err := each(row); err != nil {
				return err
			}
		}
		if o.Progress != nil {
			o.Progress(f.Bytes)
		}
		return nil
	})
}

// selecting is one Select.
type selecting struct {
	world     *anvil.World
	query     *Query
	facts     *facts
	selection *Selection
	folders   map[string]anvil.Dimension
}

// found is what was found in one file.
type found struct {
	rows             []*Row
	looked, failures int64
	first            error
}

// file looks at the chunks of a region file.
func (s *selecting) file(ctx context.Context, reader *scan.Reader, f scan.File) (found found, err error) {
	row := &Row{query: s.query, decoder: chunk.NewDecoder(s.query.tables), near: new([2]neighbour)}
	row.bind()
	var machine vm.VM
	try := func() {
		found.looked++
		picked, err := s.query.match(&machine, row)
		if err != nil {
			found.failures++
			if found.first == nil {
				found.first = err
			}
		}
		if picked {
			found.rows = append(found.rows, row.kept())
		}
	}
	if s.query.need&^(needPresence|needPlayers|needForced) == 0 {
		header, err := reader.Header(s.world.FS(), f)
		if err != nil {
			return found, err
		}
		for slot := range region.Slot(region.Slots) {
			if entry := header.Entry(slot); !entry.Empty() {
				s.place(row, f, f.Pos.Chunk(slot), entry)
				try()
			}
		}
		return found, nil
	}
	beside, err := s.openBeside(f)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, beside.close()) }()
	documents := s.query.need&needDocument != 0
	_, err = reader.Chunks(ctx, s.world.FS(), f, documents, func(c *scan.Chunk) bool {
		s.place(row, f, c.Pos, c.Entry)
		row.readRecord(c)
		if row.Readable && documents {
			row.readDocument(reader)
		}
		beside.read(row)
		try()
		return true
	})
	return found, err
}

// place sets what position and header tell, and empties the rest.
func (s *selecting) place(row *Row, f scan.File, pos region.ChunkPos, entry region.Entry) {
	fresh := Row{query: row.query, decoder: row.decoder, near: row.near}
	for i := range fresh.near {
		fresh.near[i].data = fresh.near[i].data[:0]
	}
	fresh.keepFunctions(row)
	*row = fresh
	row.pos = pos
	row.Dimension, row.X, row.Z = f.Dimension, int(pos.X), int(pos.Z)
	row.RegionX, row.RegionZ = int(f.Pos.X), int(f.Pos.Z)
	row.Timestamp = int(entry.Timestamp)
	row.Saved = time.Unix(int64(entry.Timestamp), 0).UTC()
	row.Sectors = int(entry.Location.Count())
	at := place{f.Dimension, pos}
	row.Spawn = s.facts.spawn == at
	row.Players, row.Respawns, row.Forced = s.facts.players[at], s.facts.respawns[at], s.facts.forced[at]
	row.Selected = s.selection != nil && s.selection.Has(pos)
	if s.query.need&needPresence != 0 {
		row.Border = s.facts.border(f.Dimension, pos)
	}
}

// readRecord sets what the record tells.
func (r *Row) readRecord(c *scan.Chunk) {
	r.Readable = c.Err == nil
	if c.Err != nil {
		r.Error = c.Err.Error()
		return
	}
	r.Scheme, r.External, r.Bytes = c.Record.Scheme.String(), c.Record.External, int(c.PayloadBytes())
	r.data = c.Data
}

// readDocument sets what the document tells.
func (r *Row) readDocument(reader *scan.Reader) {
	tape, err := reader.Tape(r.data)
	if err != nil {
		r.Readable, r.Error, r.data = false, err.Error(), nil
		return
	}
	r.tape, r.NBTBytes = tape, len(r.data)
	header, err := chunk.ReadHeader(r.data)
	if err != nil {
		r.Readable, r.Error, r.data, r.tape = false, err.Error(), nil, nil
		return
	}
	r.DataVersion, r.Status = int(header.DataVersion), withoutNamespace(header.Status)
	r.LastUpdate, r.Inhabited = int(header.LastUpdate), int(header.InhabitedTime)
	r.NBTX, r.NBTZ = int(header.Pos.X), int(header.Pos.Z)
	r.Misplaced = header.HasPos && header.Pos != r.pos
	root := r.root()
	light, _ := root.Get("isLightOn").Int()
	populated, _ := root.Get("LightPopulated").Int()
	r.Light = light != 0 || populated != 0
	r.BlockCount = max(root.Get("block_entities").Len(), root.Get("TileEntities").Len())
	own := max(root.Get("entities").Len(), root.Get("Entities").Len())
	if r.Status == "full" || r.Status == "" {
		r.Entities = own
	} else {
		r.ProtoCount = own
	}
}

func withoutNamespace(name string) string {
	const namespace = "minecraft:"
	if len(name) > len(namespace) && name[:len(namespace)] == namespace {
		return name[len(namespace):]
	}
	return name
}

// kept is a copy of the row that keeps nothing of the reader's.
func (r *Row) kept() *Row {
	c := *r
	c.keepFunctions(&Row{})
	c.query, c.tape, c.decoder, c.decoded, c.data, c.near = nil, nil, nil, nil, nil, nil
	return &c
}

// keepFunctions takes the functions of another row.
func (r *Row) keepFunctions(of *Row) {
	r.Circle, r.Rectangle, r.Near = of.Circle, of.Rectangle, of.Near
	r.Block, r.Count, r.Biome = of.Block, of.Count, of.Biome
	r.Structure, r.Reference, r.Entity, r.BlockEntity = of.Structure, of.Reference, of.Entity, of.BlockEntity
	r.NBT, r.Has = of.NBT, of.Has
}

// beside are the files of entities and points of interest of one region.
type beside struct {
	files   [2]*region.File
	decoder codec.Decoder
	stream  []byte
}

// openBeside opens those that the query needs and that are there.
func (s *selecting) openBeside(f scan.File) (*beside, error) {
	b := &beside{}
	d := s.folders[f.Dimension]
	for i, dir := range []string{d.Entities, d.POI} {
		if s.query.need&[]need{needEntities, needPOI}[i] == 0 {
			continue
		}
		file, err := region.Open(filepath.Join(dir, f.Pos.Name()), region.Options{FS: s.world.FS(), ReadOnly: true})
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, errors.Join(err, b.close())
		}
		b.files[i] = file
	}
	return b, nil
}

func (b *beside) close() (err error) {
	for _, file := range b.files {
		if file != nil {
			err = errors.Join(err, file.Close())
		}
	}
	return err
}

// read sets what the files beside tell of a chunk. What cannot be read there
// counts as nothing.
func (b *beside) read(row *Row) {
	for i, file := range b.files {
		if file == nil {
			continue
		}
		near := &row.near[i]
		record, err := file.Read(row.pos.Slot(), b.stream)
		if err != nil {
			continue
		}
		b.stream = record.Buffer()
		data, err := record.AppendDecoded(&b.decoder, near.data[:0], scan.MaxDocument)
		if err != nil || near.tape.Parse(data) != nil {
			continue
		}
		near.data = data
		root := near.tape.Root()
		if i == 0 {
			row.Entities += root.Get("Entities").Len()
			continue
		}
		for _, section := range root.Get("Sections").Members() {
			row.POI += section.Get("Records").Len()
		}
	}
}
