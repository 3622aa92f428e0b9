package protocol

import (
	"testing"

	"strata/anvil/registry"
)

// benchPackets are of three kinds: small and frequent, nested, and large.
func benchPackets() map[string]Packet {
	items := make([]ItemStack, 46)
	for i := range items {
		items[i] = ItemStack{Count: 3, ID: int32(i), Patch: ComponentPatch{Added: []Component{
			{ComponentDamage, &VarIntValue{4}}, {ComponentCustomName, &NBTValue{nbtText("name")}},
		}}}
	}
	return map[string]Packet{
		"move":      &MoveEntityPosRot{EntityID: 700, DX: 100, DY: -3, DZ: 5},
		"container": &ContainerSetContent{Items: items},
		"chunk":     &LevelChunkWithLight{ChunkData: make([]byte, 40000), Light: Light{Sky: [][]byte{make([]byte, 2048)}}},
	}
}

func BenchmarkEncode(b *testing.B) {
	for name, p := range benchPackets() {
		b.Run("packet="+name, func(b *testing.B) {
			var w Writer
			for b.Loop() {
				w.Reset()
				if err := Encode(&w, registry.V26_1, p); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(w.Len()))
			b.ReportAllocs()
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for name, p := range benchPackets() {
		b.Run("packet="+name, func(b *testing.B) {
			var w Writer
			if err := EncodePacket(&w, registry.V26_1, registry.Play, registry.Clientbound, p); err != nil {
				b.Fatal(err)
			}
			var r Reader
			b.SetBytes(int64(w.Len()))
			b.ReportAllocs()
			for b.Loop() {
				r.Reset(w.Bytes())
				if _, err := DecodePacket(&r, registry.V26_1, registry.Play, registry.Clientbound); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCipher(b *testing.B) {
	c, err := NewEncrypter(make([]byte, SecretSize))
	if err != nil {
		b.Fatal(err)
	}
	data := make([]byte, 16<<10)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		c.XORKeyStream(data, data)
	}
}
