package region

import (
	"errors"
	"io/fs"
	"os"
	"sync"

	"github.com/cespare/xxhash/v2"

	"strata/region/codec"
	"strata/region/vfs"
)

// Inspection is what a caller reads from a chunk's decompressed bytes.
type Inspection struct {
	// Position is where the chunk itself says that it is, if HasPosition.
	// Points of interest do not say.
	Position    ChunkPos
	HasPosition bool
	// LastUpdate orders versions of one chunk, the newest being the largest;
	// 0 for all if the content does not tell.
	LastUpdate int64
}

// Inspect looks at the decompressed bytes of a chunk, which are valid during
// the call. c is the chunk of the slot; for a record that no entry names it
// is the first chunk of the region. An error means that the content is
// damaged (BadContent).
type Inspect func(c ChunkPos, data []byte) (Inspection, error)

// examiner judges records: whether they are whole, decode, and are what the
// callback takes for a chunk. It belongs to one goroutine.
type examiner struct {
	fs         vfs.FS
	path       string
	pos        Pos
	named      bool
	maxStream  int
	inspect    Inspect
	skipDecode bool
	file       vfs.File
	size       int64 // of file, in bytes
	// failed is the first error of the system. A repair does not decide on
	// what could not be read.
	failed error
	*scratch
}

func (x *examiner) fail(err error) error {
	if x.failed == nil {
		x.failed = err
	}
	return err
}

// scratch is what an examiner reads and decodes into. It grows with what the
// files hold: up to 1 MiB for a record, and to the limit for larger streams.
type scratch struct {
	dec               codec.Decoder
	rec, body, window []byte
	raw               []byte

	windowAt, windowSectors uint32 // what window holds
}

// maxKeptScratch is the largest decoding buffer that outlives its file.
const maxKeptScratch = 8 << 20

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) release() {
	if cap(s.raw) > maxKeptScratch {
		s.raw = nil
	}
	if cap(s.body) > maxKeptScratch {
		s.body = nil
	}
	scratches.Put(s)
}

// verdict is what an examiner found out about one record.
type verdict struct {
	class  Class // what makes the record unusable, "" if nothing does
	err    error // the cause, may be nil
	opaque bool  // the scheme is none that we decode: kept, not judged

	size     int64 // bytes of the record in the region file, from its first sector on; 0 if not told
	scheme   codec.Scheme
	actual   codec.Scheme // the scheme that does decode, if not the named one
	external bool
	inline   int64 // bytes of a stream beside an external stub
	stream   int64 // bytes of the stream, wherever it is
	used     int64 // bytes of it that decoding took, 0 if it was not decoded
	stale    int   // bytes other than zero behind the record in its last sector

	seen    Inspection
	sum     uint64 // of the stream
	content uint64 // of the decoded bytes
}

// sectors is how many sectors the record needs, 0 if it does not tell.
func (v *verdict) sectors() uint32 { return sectorsFor(v.size) }

// slack reports whether the stream ends so long before the record's length
// says that whole sectors are left over. Then the length is not the writer's,
// and the sectors may be another record's.
func (v *verdict) slack() bool {
	return !v.external && v.used > 0 && sectorsFor(RecordHeaderBytes+v.used) < v.sectors()
}

// trim makes the record as long as its stream.
func (v *verdict) trim() { v.stream, v.size = v.used, RecordHeaderBytes+v.used }

// usable reports whether the record was read, decoded and accepted.
func (v *verdict) usable() bool { return v.class == "" && !v.opaque }

// examine judges the record at location l, which is not empty, of slot s.
func (x *examiner) examine(l Location, s Slot) (v verdict) {
	rec, external, class, err := x.read(l)
	if class != "" {
		v.class, v.err = class, err
		return v
	}
	at := int64(l.Sector()) * SectorBytes
	v.scheme, v.external = rec.Scheme, external
	v.stream = int64(len(rec.Data))
	v.size = RecordHeaderBytes + v.stream
	v.stale = x.staleBytes(at, v.size)
	if external {
		v.inline = v.stream
		if rec.Data, class, err = x.readExternal(s); class != "" {
			v.class, v.err = class, err
			return v
		}
		v.stream = int64(len(rec.Data))
	}
	x.judge(&v, rec.Data, s)
	return v
}

// examineInline judges the stream that a stub holds beside its external flag.
func (x *examiner) examineInline(l Location, s Slot) (v verdict) {
	rec, _, class, err := x.read(l)
	if class != "" || len(rec.Data) == 0 {
		v.class, v.err = class, err
		if class == "" {
			v.class = BadLength
		}
		return v
	}
	v.scheme, v.stream = rec.Scheme, int64(len(rec.Data))
	v.size = RecordHeaderBytes + v.stream
	x.judge(&v, rec.Data, s)
	return v
}

// examineUnsized judges the record at l, whose length is not to be believed,
// by its stream, which must show its own end.
func (x *examiner) examineUnsized(l Location, s Slot) (v verdict) {
	at, v := int64(l.Sector())*SectorBytes, verdict{class: BadLength}
	room := min(int64(max(l.Count(), 1))*SectorBytes, x.size-at)
	if l.Sector() < HeaderSectors || room <= RecordHeaderBytes {
		return v
	}
	x.rec = grow(x.rec, int(room))
	n, err := x.readFull(x.rec, at)
	if err != nil || n <= RecordHeaderBytes {
		return v
	}
	if v.scheme = codec.Scheme(x.rec[4]); !v.scheme.Known() || v.scheme == codec.None {
		return v
	}
	x.judge(&v, x.rec[RecordHeaderBytes:n], s)
	v.trim()
	return v
}

func (x *examiner) read(l Location) (rec Record, external bool, class Class, err error) {
	if l.Sector() >= HeaderSectors && l.Count() > 0 {
		if int64(l.Sector())*SectorBytes >= x.size {
			return rec, false, OutOfRange, nil // before a buffer is made for it
		}
		x.rec = grow(x.rec, int(l.Count())*SectorBytes)
	}
	rec, external, class, err = readRecord(x.file, l, x.maxStream, x.rec)
	if class == IOError {
		x.fail(err) //nolint:errcheck // the caller has it
	}
	return rec, external, class, err
}

// readFull reads as much of b as the file has at off.
func (x *examiner) readFull(b []byte, off int64) (int, error) {
	n, err := readFull(x.file, b, off)
	if err != nil {
		x.fail(err) //nolint:errcheck // the caller has it
	}
	return n, err
}

func (x *examiner) readExternal(s Slot) ([]byte, Class, error) {
	if !x.named {
		return nil, ExternalMissing, ErrNoPosition
	}
	file, err := x.fs.OpenFile(externalPath(x.path, x.pos.Chunk(s)), os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ExternalMissing, nil
	}
	if err != nil {
		return nil, IOError, x.fail(err)
	}
	defer file.Close()
	data, class, err := readBody(file, x.maxStream, x.body)
	switch class {
	case "":
		x.body = data
	case IOError:
		x.fail(err) //nolint:errcheck // the caller has it
	}
	return data, class, err
}

// judge decodes the stream and asks the callback. Of an external body whose
// named scheme fails the other ones are tried: after a crash a stub may name
// the scheme of the body before.
func (x *examiner) judge(v *verdict, data []byte, s Slot) {
	v.sum = xxhash.Sum64(data)
	if !v.scheme.Known() {
		v.opaque = true
		return
	}
	if x.skipDecode {
		return
	}
	v.class, v.err = x.judgeAs(v, v.scheme, data, s)
	if v.class == "" || !v.external {
		return
	}
	for _, other := range []codec.Scheme{codec.Zlib, codec.Gzip, codec.LZ4, codec.None} {
		if other == v.scheme || other == codec.None && x.inspect == nil {
			continue // bytes of any kind decode as none, so only a callback can tell
		}
		if class, _ := x.judgeAs(v, other, data, s); class == "" {
			v.class, v.err, v.actual = "", nil, other
			return
		}
	}
}

func (x *examiner) judgeAs(v *verdict, scheme codec.Scheme, data []byte, s Slot) (Class, error) {
	raw, n, err := x.dec.AppendN(x.raw[:0], scheme, data, x.maxStream)
	if err != nil {
		class := streamClass(err)
		if n := min(x.maxStream, maxKeptScratch); class == TooLarge && cap(x.raw) < n {
			x.raw = make([]byte, 0, n) // the next bomb need not grow its buffer step by step
		}
		return class, err
	}
	x.raw, v.used = raw, int64(n)
	v.content = xxhash.Sum64(raw)
	if x.inspect == nil {
		return "", nil
	}
	if v.seen, err = x.inspect(x.pos.Chunk(s), raw); err != nil {
		return BadContent, err
	}
	return "", nil
}

// staleBytes counts the bytes other than zero behind a record of size bytes
// at byte at, up to the end of its last sector. A failed read counts none: it
// would be reported for what is read of the record itself.
func (x *examiner) staleBytes(at, size int64) (n int) {
	end := min(int64(sectorsFor(size))*SectorBytes, x.size-at)
	if end <= size {
		return 0
	}
	var padding []byte
	if end <= int64(len(x.rec)) {
		padding = x.rec[size:end]
	} else {
		var b [SectorBytes]byte
		got, err := x.readFull(b[:end-size], at+size)
		if err != nil {
			return 0
		}
		padding = b[:got]
	}
	for _, b := range padding {
		if b != 0 {
			n++
		}
	}
	return n
}
