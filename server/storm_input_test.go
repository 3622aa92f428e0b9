package server

import (
	"bytes"
	"compress/zlib"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// inputs makes up what a hostile client sends.
type inputs struct {
	*rand.Rand
	version registry.Version
	// polite keeps to packets and numbers that do not end a connection.
	polite bool
}

// ends are packets of the play state that end the connection of who sends them at the
// wrong time, or too often.
var ends = map[string]bool{
	"keep_alive": true, "set_carried_item": true, "chat": true, "chat_command": true, "chat_command_signed": true,
}

// packet is the number and fields of a packet of a state, with values that are at the
// edge of what can be.
func (in *inputs) packet(s registry.State, d registry.Direction) []byte {
	for range 300 {
		p, ok := protocol.New(s, d, int32(in.IntN(80)))
		if !ok || in.polite && ends[p.PacketName()] && in.IntN(20) > 0 {
			continue
		}
		in.fill(reflect.ValueOf(p).Elem(), 0)
		var w protocol.Writer
		err := protocol.EncodePacket(&w, in.version, s, d, p)
		if in.polite && err == nil {
			_, err = protocol.DecodePacket(protocol.NewReader(w.Bytes()), in.version, s, d)
		}
		if err == nil {
			return w.Bytes()
		}
		if in.polite {
			continue
		}
		id, _ := protocol.ID(s, d, p)
		return in.noise(protocol.AppendVarInt(nil, id), 40)
	}
	return in.noise([]byte{0}, 40) // there are states and directions without packets
}

// fill gives all fields of a value values.
func (in *inputs) fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(in.IntN(2) == 0)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		v.SetInt(in.integer())
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
		v.SetUint(uint64(in.integer()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(in.float())
	case reflect.String:
		v.SetString(in.text())
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes(in.noise(nil, 200))
			return
		}
		if depth > 4 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), in.IntN(4), 4))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			in.fill(v.Index(i), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				in.fill(v.Field(i), depth+1)
			}
		}
	default: // what holds one of several types stays empty
	}
}

var edges = [...]int64{0, 0, 0, 1, 1, 2, 3, 5, 6, 8, 9, 36, 40, 45, 46, 100, 255, 256, 1 << 15, 1<<15 - 1, 1<<31 - 1, -1, -2, -1 << 15, -1 << 31, 1<<63 - 1, -1 << 63}

func (in *inputs) integer() int64 {
	if in.IntN(4) == 0 {
		return in.Int64() >> in.IntN(64)
	}
	return edges[in.IntN(len(edges))]
}

func (in *inputs) float() float64 {
	switch in.IntN(8) {
	case 0:
		if !in.polite {
			return []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.SmallestNonzeroFloat64}[in.IntN(5)]
		}
		return []float64{3e7, -3e7, 1e38, 2e7, math.Copysign(0, -1)}[in.IntN(5)]
	case 1, 2:
		return in.Float64()
	case 3:
		return in.NormFloat64() * 1e6
	}
	return 8.5 + in.NormFloat64()*4 // near the spawn
}

func (in *inputs) text() string {
	switch in.IntN(8) {
	case 0:
		return ""
	case 1:
		return strings.Repeat("ÿ", in.IntN(400))
	case 2:
		return strings.Repeat("[", in.IntN(200))
	case 3:
		return "/execute as @e[distance=..1e308] run say {a:[[[[["
	case 4:
		return string(in.noise(nil, 60))
	case 5:
		return "minecraft:" + strings.Repeat("stone", in.IntN(8))
	}
	return "tp @s ~ ~ ~"
}

// noise appends up to n bytes.
func (in *inputs) noise(dst []byte, n int) []byte {
	for range in.IntN(n + 1) {
		dst = append(dst, byte(in.Uint32()))
	}
	return dst
}

// mutated is a packet of which something is not as it was.
func (in *inputs) mutated(s registry.State) []byte {
	body := in.packet(s, registry.Serverbound)
	for range 1 + in.IntN(3) {
		at := in.IntN(len(body))
		switch in.IntN(5) {
		case 0:
			body[at] ^= 1 << in.IntN(8)
		case 1:
			body = body[:at+1]
		case 2:
			body = in.noise(body, 30)
		case 3:
			body = append(body[:at:at], append([]byte{0xff, 0xff, 0xff, 0xff, 0x07}, body[at:]...)...)
		case 4:
			body[at] = byte(in.Uint32())
		}
	}
	return body
}

// claims is a packet of the state whose first length is far more than there is.
func (in *inputs) claims(registry.State) []byte {
	body := protocol.AppendVarInt(nil, int32(in.IntN(70)))
	body = protocol.AppendVarInt(body, []int32{1<<31 - 1, 1 << 21, 65536, -1, 32768}[in.IntN(5)])
	return in.noise(body, 20)
}

// frame is bytes on the wire that are no good frame, with or without compression.
func (in *inputs) frame(compressed bool) []byte {
	switch in.IntN(8) {
	case 0:
		return []byte{0}
	case 1:
		return []byte{0xff, 0xff, 0xff, 0xff, 0x0f}
	case 2:
		return in.noise([]byte{0xff, 0xff, 0x7f}, 100) // the longest, of which little comes
	case 3:
		return in.noise([]byte{0x80, 0x80}, 5)
	}
	if !compressed {
		return in.noise(nil, 300)
	}
	var body []byte
	switch in.IntN(5) {
	case 0: // as it is, though long enough to be compressed
		body = append([]byte{0}, make([]byte, 300+in.IntN(600))...)
	case 1: // a size that is not that
		body = append(protocol.AppendVarInt(nil, int32(256+in.IntN(1<<16))), deflated(make([]byte, in.IntN(1000)))...)
	case 2:
		body = in.noise(protocol.AppendVarInt(nil, int32(in.integer())), 100)
	case 3: // 64 KiB that were promised to be 8 MiB
		body = append(protocol.AppendVarInt(nil, 8<<20), deflated(make([]byte, 64<<10))...)
	case 4:
		body = protocol.AppendVarInt(nil, -1)
	}
	return append(protocol.AppendVarInt(nil, int32(len(body))), body...)
}

func deflated(data []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(data) // into memory
	_ = z.Close()
	return b.Bytes()
}
