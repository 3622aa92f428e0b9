package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"

	"github.com/cespare/xxhash/v2"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/bench/corpus"
	"strata/region"
	"strata/region/codec"
)

// The limits and defaults of SampleOptions.
const (
	DefaultSample = 300
	MaxSample     = 100_000
	// MaxSampleBytes bounds the documents of a kind: a sample is smaller than
	// asked for rather than larger than this.
	MaxSampleBytes = 1 << 30
	// FewChunks is how many make a row of a report sound; fewer are warned of.
	FewChunks = 200
	// drawn is how many chunks are looked at for each that is wanted, since a
	// header does not say which of them are full.
	drawn = 8
)

// The kinds of documents, which are measured apart.
const (
	KindFull     = "full"     // chunks that players can enter
	KindProto    = "proto"    // chunks that generation has not finished
	KindEntities = "entities" // the entities of a chunk
	KindPOI      = "poi"      // points of interest
)

// SampleOptions say what is drawn from a world.
type SampleOptions struct {
	// Seed of the draw: the same seed draws the same chunks of the same world.
	Seed uint64
	// PerKind is how many documents of a kind are wanted, 1 to MaxSample, 0
	// means DefaultSample.
	PerKind int
	// Dimensions are the ids to draw from, by default all.
	Dimensions []string
}

// Document is one document of a sample.
type Document struct {
	Data []byte // uncompressed
	// What is stored for it: the payload with its five-byte record header, the
	// space of that in whole sectors, and the hash of its stream. 0 if unknown.
	StoredPayload, StoredSectors int
	// HeaderSectors is what the header reserves for it, which estimates for the
	// whole world start from.
	HeaderSectors int
	StoredDigest  uint64
	StoredScheme  codec.Scheme
}

// Sample is what [Compression] measures on.
type Sample struct {
	Seed  uint64
	Kinds []SampleKind
	// Unreadable is how many of the drawn records could not be read.
	Unreadable int
	// Failed are folders and files that could not be looked at.
	Failed []anvil.Failed
}

// SampleKind is the documents of one kind, in random order.
type SampleKind struct {
	Kind      string
	Documents []Document
	// Whole is the world they were drawn from.
	Whole Whole
}

// Whole says how the world looks that a sample was drawn from, as far as that
// is known.
type Whole struct {
	// Entries and Sectors are those of all headers of the folders that hold
	// the kind, other kinds included.
	Entries, Sectors int64
	// Drawn of them were looked at, and OfKind of those are of the kind.
	Drawn, OfKind int
	// share is the kind's part of the drawn sectors, with its relative
	// variance.
	share, shareVariance float64
}

// Count is how many documents of the kind the world has: an estimate unless
// everything was looked at.
func (w Whole) Count() float64 {
	if w.Drawn == 0 {
		return 0
	}
	return float64(w.Entries) * float64(w.OfKind) / float64(w.Drawn)
}

// Exact reports whether every entry was looked at.
func (w Whole) Exact() bool { return int64(w.Drawn) == w.Entries }

// sampleDraw is one entry of a header that was drawn.
type sampleDraw struct {
	file    int // index into the list of files
	slot    region.Slot
	sectors int
}

// SampleWorld draws a fair random sample from the headers of a world's region
// files: each entry is as likely as any other of its kind of folder. Nothing
// is written, and a running server does not mind.
func SampleWorld(ctx context.Context, w *anvil.World, o SampleOptions) (*Sample, error) {
	if o.PerKind == 0 {
		o.PerKind = DefaultSample
	}
	if o.PerKind < 1 || o.PerKind > MaxSample {
		return nil, fmt.Errorf("a sample of %d: want 1 to %d", o.PerKind, MaxSample)
	}
	s := &Sample{Seed: o.Seed}
	list := scan.Files(w, o.Dimensions...)
	s.Failed = append(s.Failed, list.Failed...)
	for _, kind := range []store.Kind{store.Chunks, store.Entities, store.POI} {
		files := slices.DeleteFunc(slices.Clone(list.Files), func(f scan.File) bool { return f.Kind != kind })
		if err := s.drawFolder(ctx, w, kind, files, o); err != nil {
			return nil, fmt.Errorf("sample %s: %w", w.Path(), err)
		}
	}
	order := []string{KindFull, KindProto, KindEntities, KindPOI}
	slices.SortStableFunc(s.Kinds, func(a, b SampleKind) int {
		return cmp.Compare(slices.Index(order, a.Kind), slices.Index(order, b.Kind))
	})
	return s, nil
}

// SampleCorpus draws from the chunks of a corpus, which are taken for full
// ones. Of these the stored size is known and nothing else.
func SampleCorpus(chunks []corpus.Chunk, o SampleOptions) (*Sample, error) {
	if o.PerKind == 0 {
		o.PerKind = DefaultSample
	}
	if o.PerKind < 1 || o.PerKind > MaxSample {
		return nil, fmt.Errorf("a sample of %d: want 1 to %d", o.PerKind, MaxSample)
	}
	k := SampleKind{Kind: KindFull}
	sectors := make([]int, len(chunks))
	for i, c := range chunks {
		if c.StoredBytes > 0 {
			sectors[i] = recordSectors(c.StoredBytes)
		}
		k.Whole.Sectors += int64(sectors[i])
	}
	k.Whole.Entries, k.Whole.Drawn, k.Whole.OfKind, k.Whole.share = int64(len(chunks)), len(chunks), len(chunks), 1
	for _, i := range rand.New(rand.NewPCG(o.Seed, 0)).Perm(len(chunks))[:min(o.PerKind, len(chunks))] {
		c := chunks[i]
		d := Document{Data: c.NBT, StoredScheme: codec.Zlib}
		if c.StoredBytes > 0 {
			d.StoredPayload, d.StoredSectors = recordHeaderBytes+c.StoredBytes, sectors[i]
			d.HeaderSectors = sectors[i]
		}
		k.Documents = append(k.Documents, d)
	}
	return &Sample{Seed: o.Seed, Kinds: []SampleKind{k}}, nil
}

// recordSectors is what a stream takes in a region file. One that is too large
// for it has a sector there and a file of its own, which takes whole blocks.
func recordSectors(stream int) int {
	n := (recordHeaderBytes + stream + sectorBytes - 1) / sectorBytes
	if n > 255 {
		return 1 + (stream+sectorBytes-1)/sectorBytes
	}
	return n
}

// drawFolder draws from the files of one kind of folder and adds what it gives.
func (s *Sample) drawFolder(ctx context.Context, w *anvil.World, kind store.Kind, files []scan.File, o SampleOptions) error {
	random := rand.New(rand.NewPCG(o.Seed, uint64(kind)+1))
	limit := o.PerKind
	if kind == store.Chunks {
		limit *= drawn
	}
	pool, whole, err := s.drawEntries(ctx, w, files, random, limit)
	if err != nil {
		return err
	}
	random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	d := documentReader{w: w, files: files, folders: make(map[string]*region.Folder)}
	kinds, err := s.readDrawn(ctx, &d, kind, pool, o.PerKind)
	if err = errors.Join(err, d.close()); err != nil {
		return err
	}
	for _, k := range kinds {
		k.setWhole(whole)
		if len(k.Documents) > 0 {
			s.Kinds = append(s.Kinds, k.SampleKind)
		}
	}
	return nil
}

// drawEntries reads all headers and keeps limit of their entries: the i-th
// replaces one of those kept with probability limit/i.
func (s *Sample) drawEntries(ctx context.Context, w *anvil.World, files []scan.File, random *rand.Rand, limit int) (pool []sampleDraw, whole Whole, err error) {
	index := make(map[string]int, len(files))
	for i, f := range files {
		index[f.Path] = i
	}
	read := func(_ context.Context, r *scan.Reader, f scan.File) ([]sampleDraw, error) {
		header, err := r.Header(w.FS(), f)
		if err != nil {
			return nil, err
		}
		var all []sampleDraw
		for slot := range region.Slot(region.Slots) {
			if l := header.Location(slot); l != 0 {
				all = append(all, sampleDraw{index[f.Path], slot, int(l.Count())})
			}
		}
		return all, nil
	}
	err = scan.Run(ctx, files, 0, read, func(f scan.File, all []sampleDraw, err error) error {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			s.Failed = append(s.Failed, anvil.Failed{Path: f.Path, Err: err})
		}
		for _, d := range all {
			whole.Entries++
			whole.Sectors += int64(d.sectors)
			if len(pool) < limit {
				pool = append(pool, d)
			} else if at := random.Int64N(whole.Entries); at < int64(limit) {
				pool[at] = d
			}
		}
		return nil
	})
	return pool, whole, err
}

// kindDraw is a SampleKind in the making.
type kindDraw struct {
	SampleKind
	bytes  int
	drawn  []float64 // header sectors of all that was looked at
	ofKind []float64 // the same, 0 for other kinds
}

// readDrawn reads what was drawn, in random order, and keeps the first perKind
// documents of each kind. All are looked at, so that the share of a kind does
// not depend on where the reading would have stopped.
func (s *Sample) readDrawn(ctx context.Context, d *documentReader, kind store.Kind, pool []sampleDraw, perKind int) ([]*kindDraw, error) {
	names := map[store.Kind][]string{store.Chunks: {KindFull, KindProto}, store.Entities: {KindEntities}, store.POI: {KindPOI}}[kind]
	kinds := make([]*kindDraw, len(names))
	for i, name := range names {
		kinds[i] = &kindDraw{SampleKind: SampleKind{Kind: name}}
	}
	for _, draw := range pool {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		doc, err := d.read(draw)
		if err != nil {
			s.Unreadable++
			continue
		}
		at := 0
		if kind == store.Chunks {
			if at, err = chunkKind(doc.Data); err != nil {
				s.Unreadable++
				continue
			}
		}
		for i, k := range kinds {
			k.add(draw, doc, i == at, perKind)
		}
	}
	return kinds, nil
}

// chunkKind is 0 for a full chunk and 1 for one that is not.
func chunkKind(data []byte) (int, error) {
	header, err := chunk.ReadHeader(data)
	if err != nil {
		return 0, err
	}
	switch header.Status {
	case "minecraft:full", "full", "fullchunk", "postprocessed", "mobs_spawned", "":
		return 0, nil // the last ones: names of old versions, and before 1.13 there was none
	}
	return 1, nil
}

func (k *kindDraw) add(draw sampleDraw, doc Document, mine bool, perKind int) {
	k.drawn = append(k.drawn, float64(draw.sectors))
	if !mine {
		k.ofKind = append(k.ofKind, 0)
		return
	}
	k.ofKind = append(k.ofKind, float64(draw.sectors))
	k.Whole.OfKind++
	if len(k.Documents) < perKind && k.bytes+len(doc.Data) <= MaxSampleBytes {
		doc.Data = slices.Clone(doc.Data)
		k.bytes += len(doc.Data)
		k.Documents = append(k.Documents, doc)
	}
}

func (k *kindDraw) setWhole(whole Whole) {
	k.Whole.Entries, k.Whole.Sectors, k.Whole.Drawn = whole.Entries, whole.Sectors, len(k.drawn)
	k.Whole.share, k.Whole.shareVariance = ratioEstimate(k.ofKind, k.drawn, float64(whole.Entries))
}

// documentReader reads single chunks and keeps region files open.
type documentReader struct {
	w       *anvil.World
	files   []scan.File
	folders map[string]*region.Folder
	decoder codec.Decoder
	stream  []byte
	data    []byte
}

// read returns a document whose Data holds until the next call.
func (d *documentReader) read(draw sampleDraw) (doc Document, err error) {
	f := d.files[draw.file]
	key := f.Dimension
	folder := d.folders[key]
	if folder == nil {
		dimension, err := d.w.Dimension(f.Dimension)
		if err != nil {
			return doc, err
		}
		dir := map[store.Kind]string{store.Chunks: dimension.Region, store.Entities: dimension.Entities, store.POI: dimension.POI}[f.Kind]
		if folder, err = region.OpenFolder(dir, region.FolderOptions{Options: region.Options{FS: d.w.FS(), ReadOnly: true}, MaxOpen: 64}); err != nil {
			return doc, err
		}
		d.folders[key] = folder
	}
	record, err := folder.Read(f.Pos.Chunk(draw.slot), d.stream)
	if err != nil {
		return doc, err
	}
	d.stream = record.Buffer()
	if doc.Data, err = record.AppendDecoded(&d.decoder, d.data[:0], scan.MaxDocument); err != nil {
		return doc, err
	}
	d.data = doc.Data
	doc.StoredPayload = recordHeaderBytes + len(record.Data)
	doc.StoredSectors = recordSectors(len(record.Data))
	doc.HeaderSectors = draw.sectors
	doc.StoredDigest, doc.StoredScheme = xxhash.Sum64(record.Data), record.Scheme
	return doc, nil
}

func (d *documentReader) close() (err error) {
	for _, folder := range d.folders {
		err = errors.Join(err, folder.Close())
	}
	return err
}
