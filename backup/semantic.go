package backup

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"strata/backup/pack"
	"strata/backup/source"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// In a semantic repository a chunk of which only LastUpdate is another than in the
// snapshot before is kept as the object of that one and the new value. What comes
// back is encoded anew, into the sectors that the record had: it is known to fit,
// since it was tried when the snapshot was made and the encoders always give the
// same.

// refit are the levels that are tried, until a stream fits.
var refit = []codec.Level{codec.Sector, 9, codec.MaxLevel}

// elider works on the documents of chunks. The zero value is ready; it belongs to
// one goroutine.
type elider struct {
	decoder  codec.Decoder
	tape     nbt.Tape
	encoders map[encoderKey]*codec.Encoder
}

type encoderKey struct {
	scheme codec.Scheme
	level  codec.Level
}

// document inflates an object and finds where its LastUpdate lies.
func (x *elider) document(object []byte) (data []byte, at int, err error) {
	data, err = x.decoder.Append(nil, codec.Scheme(object[0]), object[1:], maxDocument)
	if err != nil {
		return nil, 0, err
	}
	if err := x.tape.Parse(data); err != nil {
		return nil, 0, err
	}
	for _, tag := range []nbt.Tag{x.tape.Root().Get("LastUpdate"), x.tape.Root().Get("Level").Get("LastUpdate")} {
		if tag.Exists() && tag.Type() == nbt.TypeLong {
			return data, tag.Offset(), nil
		}
	}
	return nil, 0, fmt.Errorf("chunk without LastUpdate")
}

// elide returns the slot of a record that differs in LastUpdate alone from what is
// in the slot, of which base is the object.
func (x *elider) elide(old slot, base []byte, rec *source.Record) (slot, bool) {
	if rec.External || old.flags&^slotElided != 0 || base[0] != rec.Content[0] {
		return slot{}, false
	}
	was, at, err := x.document(base)
	if err != nil {
		return slot{}, false
	}
	now, nowAt, err := x.document(rec.Content)
	if err != nil || nowAt != at || len(was) != len(now) {
		return slot{}, false
	}
	last := binary.BigEndian.Uint64(now[at:])
	if !bytes.Equal(was[:at], now[:at]) || !bytes.Equal(was[at+8:], now[at+8:]) {
		return slot{}, false
	}
	s := slot{entry: rec.Entry, flags: slotElided, id: old.id, last: last}
	_, err = x.restore(&s, base)
	return s, err == nil
}

// restore makes the object of an elided record out of the one that it shares.
func (x *elider) restore(s *slot, base []byte) ([]byte, error) {
	data, at, err := x.document(base)
	if err != nil {
		return nil, fmt.Errorf("object %v: %w: %w", s.id, ErrDamaged, err)
	}
	binary.BigEndian.PutUint64(data[at:], s.last)
	scheme := codec.Scheme(base[0])
	for _, level := range refit {
		e, err := x.encoder(scheme, level)
		if err != nil {
			return nil, err
		}
		object, err := e.Append([]byte{base[0]}, data)
		if err != nil {
			return nil, err
		}
		if region.RecordSectors(len(object)-1) <= s.entry.Location.Count() && len(object)-1 <= maxInFile {
			return object, nil
		}
	}
	return nil, fmt.Errorf("object %v does not fit into %d sectors: %w", s.id, s.entry.Location.Count(), ErrDamaged)
}

func (x *elider) encoder(scheme codec.Scheme, level codec.Level) (*codec.Encoder, error) {
	key := encoderKey{scheme, level}
	if e := x.encoders[key]; e != nil {
		return e, nil
	}
	e, err := codec.NewEncoder(scheme, level)
	if err != nil {
		return nil, err
	}
	if x.encoders == nil {
		x.encoders = map[encoderKey]*codec.Encoder{}
	}
	x.encoders[key] = e
	return e, nil
}

// record returns the object of a slot, which is in buf unless it is elided.
func (o objects) record(s *slot, buf []byte) ([]byte, error) {
	object, err := o.store.Get(s.id, buf)
	if err != nil {
		return nil, damaged(err)
	}
	if s.flags&slotElided == 0 {
		return object, nil
	}
	var x elider
	made, err := x.restore(s, object[len(buf):])
	if err != nil {
		return nil, err
	}
	return append(slices.Clip(buf), made...), nil
}

// elided tries to keep a record as the one that the parent has of the slot.
func (r *regionReader) elided(rec *source.Record) (slot, bool) {
	c := r.c
	if !c.r.config.Semantic || c.o.Exact || r.e.record != 0 || r.old == nil || !r.old[rec.Slot].readable() {
		return slot{}, false
	}
	old := r.old[rec.Slot]
	if pack.IDOf(rec.Content) == old.id {
		return slot{}, false // it is that one
	}
	base, err := c.j.store.Get(old.id, nil)
	if err != nil {
		return slot{}, false
	}
	return c.elider.elide(old, base, rec)
}
