package region

import (
	"errors"

	"strata/region/codec"
)

// kind is what we know of a slot's present record: nothing (0), or that it
// was readable when we last looked or wrote it, with its scheme and whether
// its stream is in an external file.
type kind uint32

const (
	kindReadable kind = 1 << 8
	kindExternal kind = 1 << 9
)

func kindOf(s codec.Scheme, external bool) kind {
	k := kindReadable | kind(s)
	if external {
		k |= kindExternal
	}
	return k
}

// learn notes the kind of a slot's record as of a version of the slot. What is
// learned of a version that has passed meanwhile counts for nothing.
func (f *File) learn(s Slot, version uint32, k kind) {
	f.known[s].Store(uint64(version)<<32 | uint64(k))
}

// knownKind is the kind of the slot's present record, 0 if it is not known.
func (f *File) knownKind(s Slot) kind {
	v := f.known[s].Load()
	if uint32(v>>32) != f.version[s].Load() {
		return 0
	}
	return kind(uint32(v))
}

func (k kind) external() bool       { return k&kindExternal != 0 }
func (k kind) scheme() codec.Scheme { return codec.Scheme(k) }

// checkOverwrite refuses a write over a record that cannot be read: it may be
// all that is left of a chunk, and no caller should replace it by accident.
// A slot is decoded at most once per opening, so the cost (about 50 us) falls
// on its first overwrite, and on none if the chunk was loaded through Decode.
func (f *File) checkOverwrite(w *Write) error {
	if w.Overwrite || f.Entry(w.Slot).Empty() || f.knownKind(w.Slot) != 0 {
		return nil
	}
	dec := decoders.Get().(*codec.Decoder)
	defer decoders.Put(dec)
	_, _, err := f.Decode(w.Slot, dec, nil, nil)
	if err == nil || errors.Is(err, ErrAbsent) || errors.Is(err, ErrClosed) {
		return nil
	}
	return f.fail("overwrite", int(w.Slot), -1, "", errors.Join(ErrUnreadable, err))
}

// slotKind is the kind of the slot's present record, read from the file if we
// do not know it. A record that cannot be read counts as inline: what an
// external file of it holds is left alone.
func (f *File) slotKind(s Slot) kind {
	if k := f.knownKind(s); k != 0 || f.Entry(s).Empty() {
		return k
	}
	for {
		gen := f.gen.Load()
		h, err := f.acquire()
		if err != nil {
			if f.awaitSwap(gen) {
				continue
			}
			return 0
		}
		rec, external, class, err := readRecord(h.file, f.Entry(s).Location, f.opts.MaxStream, nil)
		h.release() //nolint:errcheck // nothing was written through it here
		if class != "" || err != nil {
			return 0
		}
		return kindOf(rec.Scheme, external)
	}
}
