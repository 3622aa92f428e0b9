package protocol

import (
	"fmt"
	"sync"

	"strata/anvil/registry"
)

// Packet is one of the packets in this package, always a pointer.
type Packet interface {
	wirer
	// PacketName returns the game's name, without namespace.
	PacketName() string
}

// packetType is a packet of one state and direction.
type packetType struct {
	name string
	make func() Packet
}

// Known reports whether packets of a version can be encoded and decoded.
func Known(v registry.Version) bool { return v == registry.V26_1 || v == registry.V26_2 }

// New returns an empty packet by its number, and false if there is none.
// Numbers are the same in all versions here.
func New(s registry.State, d registry.Direction, id int32) (Packet, bool) {
	if int(s) >= len(packetTypes) || int(d) >= len(packetTypes[s]) || id < 0 || int(id) >= len(packetTypes[s][d]) {
		return nil, false
	}
	return packetTypes[s][d][id].make(), true
}

// ID returns the number of a packet, and false if the state has none of its
// name in that direction.
func ID(s registry.State, d registry.Direction, p Packet) (int32, bool) {
	if int(s) >= len(packetTypes) || int(d) >= len(packetTypes[s]) {
		return 0, false
	}
	id, ok := packetIDs()[s][d][p.PacketName()]
	return id, ok
}

// packetIDs are the numbers by names.
var packetIDs = sync.OnceValue(func() *[len(packetTypes)][2]map[string]int32 {
	var ids [len(packetTypes)][2]map[string]int32
	for s := range packetTypes {
		for d := range packetTypes[s] {
			ids[s][d] = make(map[string]int32, len(packetTypes[s][d]))
			for id, p := range packetTypes[s][d] {
				ids[s][d][p.name] = int32(id)
			}
		}
	}
	return &ids
})

// Encode appends the fields of a packet. It changes nothing in the packet, so
// that one may be encoded by several goroutines at a time.
func Encode(w *Writer, v registry.Version, p Packet) error {
	w.c.begin(w, nil, v)
	if !Known(v) {
		w.fail(p.PacketName(), ErrUnsupported)
		return w.err
	}
	p.wire(&w.c, p.PacketName())
	return w.err
}

// Decode fills an empty packet with all that is left of the frame. Byte arrays
// and NBT in it are views of the frame.
func Decode(r *Reader, v registry.Version, p Packet) error {
	r.c.begin(nil, r, v)
	if !Known(v) {
		r.fail(p.PacketName(), ErrUnsupported)
		return r.err
	}
	p.wire(&r.c, p.PacketName())
	return r.End()
}

// EncodePacket appends the number of a packet and its fields.
func EncodePacket(w *Writer, v registry.Version, s registry.State, d registry.Direction, p Packet) error {
	id, ok := ID(s, d, p)
	if !ok {
		w.c.begin(w, nil, v)
		w.fail(p.PacketName(), fmt.Errorf("in state %v, %v: %w", s, d, ErrUnsupported))
		return w.err
	}
	w.VarInt(id)
	if err := Encode(w, v, p); err != nil {
		return err
	}
	if err := checkPayload(d, p); err != nil {
		w.c.begin(w, nil, v)
		w.fail("custom_payload.data", err)
	}
	return w.err
}

// checkPayload holds what clients send on plugin channels to their own limit,
// which is lower than that of the server.
func checkPayload(d registry.Direction, p Packet) error {
	payload, ok := p.(*CustomPayload)
	if ok && d == registry.Serverbound && len(payload.Data) > MaxServerPayload {
		return fmt.Errorf("%d bytes, limit %d: %w", len(payload.Data), MaxServerPayload, ErrTooLong)
	}
	return nil
}

// DecodePacket reads the number of a packet and its fields from the frame.
func DecodePacket(r *Reader, v registry.Version, s registry.State, d registry.Direction) (Packet, error) {
	r.c.begin(nil, r, v)
	id := r.VarInt("packet id")
	if r.err != nil {
		return nil, r.err
	}
	p, ok := New(s, d, id)
	if !ok {
		r.fail("packet id", fmt.Errorf("%d in state %v, %v: %w", id, s, d, ErrUnsupported))
		return nil, r.err
	}
	if err := Decode(r, v, p); err != nil {
		return p, err
	}
	if err := checkPayload(d, p); err != nil {
		r.fail("custom_payload.data", err)
	}
	return p, r.err
}
