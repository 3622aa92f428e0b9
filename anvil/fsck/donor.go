package fsck

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"strata/anvil"
	"strata/anvil/store"
	"strata/region"
	"strata/region/codec"
)

// ErrNoDonation says that a donor does not have the chunk.
var ErrNoDonation = errors.New("has no such chunk")

// Donor has other copies of a world's chunks: another world, or a backup.
type Donor interface {
	// Name says for people who it is.
	Name() string
	// Record returns a chunk as it is stored there, in buf if it has room. The
	// error wraps ErrNoDonation if there is none.
	Record(ctx context.Context, dimension string, kind store.Kind, pos region.ChunkPos, buf []byte) (region.Record, error)
	// Positions lists the chunks that there are of a region. The error wraps
	// ErrNoDonation if there is no such region.
	Positions(ctx context.Context, dimension string, kind store.Kind, p region.Pos) ([]region.ChunkPos, error)
}

// WorldDonor is another world, which is only read.
type WorldDonor struct {
	s    *store.Store
	name string
	dims map[string]store.Dim
}

var _ Donor = (*WorldDonor)(nil)

// NewWorldDonor makes a donor of a world that was opened for reading.
func NewWorldDonor(w *anvil.World) (*WorldDonor, error) {
	where, err := store.WorldOf(w)
	if err != nil {
		return nil, err
	}
	s, err := store.OpenRead(where, store.Options{Memory: 16 << 20})
	if err != nil {
		return nil, err
	}
	return &WorldDonor{s, w.Path(), dimsOf(s)}, nil
}

// Name is the world's folder.
func (d *WorldDonor) Name() string { return d.name }

// Close closes the world.
func (d *WorldDonor) Close() error { return d.s.Close() }

// Record implements Donor.
func (d *WorldDonor) Record(_ context.Context, dimension string, kind store.Kind, pos region.ChunkPos, buf []byte) (region.Record, error) {
	raw, err := rawOf(d.s, d.dims, folderRef{dimension, kind})
	if errors.Is(err, anvil.ErrNoDimension) {
		return region.Record{}, ErrNoDonation
	}
	if err != nil {
		return region.Record{}, err
	}
	rec, err := raw.Read(pos, buf)
	if errors.Is(err, store.ErrAbsent) {
		err = ErrNoDonation
	}
	return rec, err
}

// Positions implements Donor.
func (d *WorldDonor) Positions(_ context.Context, dimension string, kind store.Kind, p region.Pos) (all []region.ChunkPos, err error) {
	raw, err := rawOf(d.s, d.dims, folderRef{dimension, kind})
	if errors.Is(err, anvil.ErrNoDimension) {
		return nil, ErrNoDonation
	}
	if err != nil {
		return nil, err
	}
	h, err := raw.Header(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoDonation
	}
	if err != nil {
		return nil, err
	}
	for s := range region.Slot(region.Slots) {
		if !h.Entry(s).Empty() {
			all = append(all, p.Chunk(s))
		}
	}
	return all, nil
}

// maxDocument is the largest chunk that is looked at, inflated.
const maxDocument = 256 << 20

// maxInline is the longest stream that needs no external file.
const maxInline = 255*region.SectorBytes - region.RecordHeaderBytes

// judge looks at records that are to be put into a place.
type judge struct {
	i       *inspector
	decoder codec.Decoder
	data    []byte
}

func newJudge(r rules) *judge { return &judge{i: newInspector(r)} }

// sound reports why a record may not be put at a position: it is damaged, is
// another chunk, is newer than the world, or is too large for it.
func (j *judge) sound(rec *region.Record, pos region.ChunkPos) (in region.Inspection, err error) {
	data, err := rec.AppendDecoded(&j.decoder, j.data[:0], maxDocument)
	if err != nil {
		return in, err
	}
	j.data = data
	return j.document(data, len(rec.Data), pos)
}

// document is sound of a document whose stream takes so many bytes.
func (j *judge) document(data []byte, stream int, pos region.ChunkPos) (in region.Inspection, err error) {
	j.i.begin()
	if in, err = j.i.inspect(pos, data); err != nil {
		return in, err
	}
	switch worst, why := j.i.worst(pos); {
	case worst >= region.SeverityError:
		return in, errors.New(why)
	case in.HasPosition && in.Position != pos:
		return in, fmt.Errorf("says that it is chunk %v", in.Position)
	case j.i.kind != store.POI && !in.HasPosition:
		return in, errors.New("does not say which chunk it is")
	case stream > maxInline && !anvil.ExternalChunks.Has(j.i.world):
		return in, fmt.Errorf("its %d bytes need an external file, which worlds have since 1.15 (DataVersion 2203)", stream)
	}
	return in, nil
}
