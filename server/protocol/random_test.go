package protocol

import (
	"math/rand/v2"
	"strings"

	"strata/anvil/registry"
)

// source makes up what a reader is about to read, so that each packet is
// filled with values that its own walk allows.
type source struct {
	*rand.Rand
	// avoid are kinds of components and metadata that a judge cannot read, by
	// their numbers on the wire.
	avoid map[int32]bool
	// plain keeps to what the judge understands; see judge_test.go.
	plain bool
	// inline are the offsets of the zeros before values in place of entries.
	inline []int
	// last is the enumeration that was read last.
	last int32
}

const (
	// manyBytes is from where a packet under way is brought to an end.
	manyBytes = 3000
	deepSteps = 14
)

func (s *source) fill(r *Reader, k kind, n int, field string) {
	tired := len(r.data) > manyBytes || r.c.depth > deepSteps
	r.data = s.append(r, k, n, field, tired)
}

func (s *source) append(r *Reader, k kind, n int, field string, tired bool) []byte {
	dst := r.data
	switch k {
	case kindVarInt:
		return AppendVarInt(dst, s.number(field))
	case kindVarLong:
		w := Writer{buf: dst}
		v := int64(s.Uint64()) >> s.IntN(64)
		if s.plain {
			v = int64(s.Uint32() >> 1)
		}
		w.VarLong(v)
		return w.buf
	case kindHolder:
		v := s.number(field)
		if v == 0 {
			s.inline = append(s.inline, len(dst))
		}
		return AppendVarInt(dst, v)
	case kindNumber:
		s.last = s.enum(n, field, tired)
		return AppendVarInt(dst, s.last)
	case kindByteNumber:
		return append(dst, s.byteNumber(n, field))
	case kindLength:
		if tired {
			n = 0
		}
		length := s.IntN(min(n, 3) + 1)
		if strings.HasSuffix(field, "count") && length == 0 {
			length = 1 // a holder set with a tag has its name next
		}
		return AppendVarInt(dst, int32(length))
	case kindBool:
		noValue := s.plain && field == "present" && s.last == int32(DebugSubscriptionVillageSections)
		return append(dst, uint8(s.IntN(2))*bit(!tired && !noValue))
	case kindFloat:
		w := Writer{buf: dst}
		w.Float(float32(s.NormFloat64()))
		return w.buf
	case kindDouble:
		w := Writer{buf: dst}
		w.Double(s.NormFloat64() * 1000)
		return w.buf
	case kindFixed:
		return s.fixed(dst, n, field)
	case kindText:
		text := s.text(n)
		if field == "suggestions" || field == "tag" {
			text = "minecraft:x"
		}
		w := Writer{buf: dst}
		w.String(text)
		return w.buf
	case kindNBT:
		return s.nbt(dst)
	case kindOptionalNBT:
		if s.IntN(2) == 0 {
			return append(dst, 0)
		}
		return s.nbt(dst)
	case kindRest:
		return s.bytes(dst, s.IntN(20))
	case kindMore:
		return append(dst, uint8(s.IntN(6))|0x80*bit(!tired && n < 5 && s.IntN(3) > 0))
	case kindIndex:
		if tired || s.IntN(6) == 0 {
			return append(dst, metadataEnd)
		}
		return append(dst, uint8(n))
	case kindLowPrecision:
		return s.velocity(dst)
	}
	panic("unknown kind")
}

func bit(set bool) uint8 {
	if set {
		return 1
	}
	return 0
}

func (s *source) number(field string) int32 {
	if s.plain && field == "id" && s.IntN(2) == 0 {
		return int32(s.IntN(35)) // attributes, of which the schema knows 35
	}
	switch s.IntN(10) {
	case 0:
		return int32(s.Uint32())
	case 1, 2, 3:
		return int32(s.IntN(1000))
	}
	return int32(s.IntN(7))
}

func (s *source) enum(n int, field string, tired bool) int32 {
	for range 100 {
		v := int32(s.IntN(n + 1))
		if tired {
			v = int32(s.IntN(min(n, 2) + 1))
		}
		if field == "type" && n == 109 && s.avoid[v] {
			continue
		}
		if s.plain && n == int(MetadataTypeHumanoidArm) && v == int32(MetadataTypePaintingVariant) {
			continue
		}
		return v
	}
	return 0
}

func (s *source) byteNumber(n int, field string) uint8 {
	for {
		v := uint8(s.IntN(n + 1))
		kind := CommandNodeKind(v & nodeKindMask)
		if field == "flags" && n == 0x3f && (kind > ArgumentNode || kind != ArgumentNode && v&nodeSuggestions != 0) {
			continue
		}
		return v
	}
}

func (s *source) fixed(dst []byte, n int, field string) []byte {
	start := len(dst)
	dst = s.bytes(dst, n)
	if !s.plain {
		return dst
	}
	switch {
	case field == "flags" && n == 4:
		dst[start], dst[start+1], dst[start+2] = 0, 0, dst[start+2]&1
	case field == "actions":
		dst[start] = dst[start]&0x3f | 0xc0*(dst[start]>>7)
	}
	return dst
}

func (s *source) bytes(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, uint8(s.Uint32()))
	}
	return dst
}

func (s *source) text(limit int) string {
	letters := []rune("abcxyz_:/0 é鐵\U0001F600")
	var b strings.Builder
	for range s.IntN(min(limit/2, 8) + 1) {
		b.WriteRune(letters[s.IntN(len(letters))])
	}
	return b.String()
}

// nbt appends a document of some types.
func (s *source) nbt(dst []byte) []byte {
	str := func(text string) {
		dst = append(dst, 0, uint8(len(text)))
		dst = append(dst, text...)
	}
	if s.IntN(2) == 0 {
		dst = append(dst, 8)
		str("hello")
		return dst
	}
	dst = append(dst, 10)
	for i := range s.IntN(4) {
		dst = append(dst, []uint8{1, 3, 8, 9}[i])
		str("key" + string(rune('a'+i)))
		switch i {
		case 0:
			dst = s.bytes(dst, 1)
		case 1:
			dst = s.bytes(dst, 4)
		case 2:
			str("text")
		case 3:
			dst = append(dst, 2, 0, 0, 0, 2, 1, 2, 3, 4)
		}
	}
	return append(dst, 0)
}

// velocity appends one that is the same when it is sent on.
func (s *source) velocity(dst []byte) []byte {
	scale := []float64{0, 0.3, 2, 100}[s.IntN(4)]
	v := Velocity{s.NormFloat64() * scale, s.NormFloat64() * scale, s.NormFloat64() * scale}
	var w Writer
	for range 4 {
		w.Reset()
		w.velocity(v)
		v = NewReader(w.Bytes()).velocity("")
	}
	w.Reset()
	w.velocity(v)
	return append(dst, w.Bytes()...)
}

// randomPacket returns a packet's fields, as its walk asked for them.
func randomPacket(s *source, v registry.Version, p Packet) ([]byte, error) {
	r := &Reader{supply: s.fill}
	s.inline = s.inline[:0]
	err := Decode(r, v, p)
	return r.data, err
}
