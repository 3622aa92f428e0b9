package protocol

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"strata/anvil/registry"
)

// FuzzDecodePacket gives any bytes to the decoder of any state. What it takes
// must be encoded and then decoded as the same.
func FuzzDecodePacket(f *testing.F) {
	random := &source{Rand: rand.New(rand.NewPCG(1, 5))}
	everyPacket(func(s registry.State, d registry.Direction, id int32, p Packet) {
		body, err := randomPacket(random, registry.V26_2, p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(s)<<2|uint8(d)<<1|1, append(AppendVarInt(nil, id), body...))
	})
	f.Fuzz(func(t *testing.T, where uint8, data []byte) {
		v := registry.V26_1 + registry.Version(where&1)
		s, d := registry.State(where>>2&7), registry.Direction(where>>1&1)
		p, err := DecodePacket(NewReader(data), v, s, d)
		if err != nil {
			return
		}
		var first, second Writer
		if err := EncodePacket(&first, v, s, d, p); err != nil {
			t.Fatalf("decoded, but not encoded: %v\n%+v", err, p)
		}
		again, err := DecodePacket(NewReader(first.Bytes()), v, s, d)
		if err != nil {
			t.Fatalf("not decoded again: %v\n% x", err, first.Bytes())
		}
		if err := EncodePacket(&second, v, s, d, again); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) && !hasVelocity(p) {
			t.Fatalf("% x\nbecame % x", first.Bytes(), second.Bytes())
		}
	})
}

// hasVelocity reports whether a packet has numbers that are rounded anew each
// time: a largest component just above a whole number has that as its scale.
func hasVelocity(p Packet) bool {
	switch p.(type) {
	case *AddEntity, *SetEntityMotion, *Interact:
		return true
	}
	return false
}

// FuzzFrames gives any bytes to the reader of frames, with compression or not.
func FuzzFrames(f *testing.F) {
	f.Add(int16(NoCompression), []byte{3, 1, 2, 3})
	f.Add(int16(256), []byte{4, 0, 1, 2, 3})
	f.Add(int16(64), deflated(1000, make([]byte, 1000), ""))
	f.Fuzz(func(t *testing.T, threshold int16, stream []byte) {
		r := NewFrameReader(bytes.NewReader(stream), MaxFrame)
		r.SetThreshold(max(int(threshold), NoCompression))
		for {
			packet, err := r.Next()
			if err != nil {
				return
			}
			if len(packet) == 0 || len(packet) > MaxInflated {
				t.Fatalf("a packet of %d bytes", len(packet))
			}
		}
	})
}

// FuzzRawComponent gives any bytes to the decoder of one component of an item
// that a client made up.
func FuzzRawComponent(f *testing.F) {
	f.Add(uint8(ComponentLore), []byte{1, 8, 0, 1, 'x'})
	f.Add(uint8(ComponentSulfurCubeContent), []byte{2, 1, 0, 0})
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		raw := RawComponent{Type: ComponentType(kind), Data: data}
		for _, v := range registry.Versions() {
			component, err := raw.Component(v)
			if err != nil {
				continue
			}
			if _, err := RawComponentOf(&component, v); err != nil {
				t.Fatalf("decoded, but not encoded: %v\n%+v", err, component)
			}
		}
	})
}

// FuzzSection gives any bytes to the decoder of chunk sections.
func FuzzSection(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 1, 0, 2})
	f.Add(append([]byte{0, 1, 0, 0, 4, 1, 9}, make([]byte, 2048+2)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(data)
		s := r.Section()
		if r.Err() != nil {
			return
		}
		for i := range statesSize {
			s.States.At(i)
		}
		for i := range biomesSize {
			s.Biomes.At(i)
		}
		out, err := AppendSection(nil, &s)
		if err != nil {
			t.Fatalf("decoded, but not encoded: %v\n%+v", err, s)
		}
		again := NewReader(out)
		if got := again.Section(); again.End() != nil || !reflect.DeepEqual(got, s) {
			t.Fatalf("%+v became %+v", s, got)
		}
	})
}
