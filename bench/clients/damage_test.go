package clients

import (
	"math"
	"strings"
	"testing"
)

// TestLibrariesAcceptSomeDamage keeps the list in doc.go true: what a library
// accepts here it must not be asked to judge.
func TestLibrariesAcceptSomeDamage(t *testing.T) {
	judge := StartNBT(t)
	for _, tc := range []struct {
		name   string
		digits string
		lib    Library
		want   Document
	}{
		{"no end tag", "0a 0000  01 0001 61 05", Prismarine, in(Byte(5))},
		{"list of end tags", "0a 0000  09 0001 61 00 00000002  00", Prismarine, in(List(TypeEnd, Value{Type: TypeEnd}, Value{Type: TypeEnd}))},
		{"negative list", "0a 0000  09 0001 61 03 ffffffff  00", Prismarine, in(List(TypeInt))},
		{"negative list", "0a 0000  09 0001 61 03 ffffffff  00", NBTify, in(List(TypeInt))},
		{"negative array", "0a 0000  0b 0001 61 ffffffff  00", Prismarine, in(IntArray())},
		{"malformed string", "0a 0000  08 0001 61 0003 78 ff 79  00", Prismarine, in(String("x\ufffdy"))},
		{"malformed string", "0a 0000  08 0001 61 0003 78 ff 79  00", NBTify, in(String("x\ufffdy"))},
		{"four-byte character", "0a 0000  08 0001 61 0004 f09f9880  00", Prismarine, in(String("😀"))},
		{"four-byte character", "0a 0000  08 0001 61 0004 f09f9880  00", NBTify, in(String("\ufffd\ufffd\ufffd\ufffd"))},
		{"overlong form", "0a 0000  08 0001 61 0002 c1a1  00", NBTify, in(String("a"))},
	} {
		t.Run(tc.name+"/"+string(tc.lib), func(t *testing.T) {
			got, err := judge.Decode(tc.lib, File, bytesOf(t, tc.digits))
			if err != nil {
				t.Fatal(err)
			}
			if diff := DiffDocuments(got, tc.want); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNBTifyCutsTheLengthOfOverlongStrings(t *testing.T) {
	judge := StartNBT(t)
	document := in(String(Text(strings.Repeat("x", math.MaxUint16+2))))
	data, err := judge.Encode(NBTify, File, document)
	if err != nil {
		t.Fatal(err)
	}
	if length := data[len("\x0a\x00\x00\x08\x00\x01a"):][:2]; string(length) != "\x00\x01" {
		t.Errorf("length %x", length)
	}
	if _, err := judge.Encode(Prismarine, File, document); err == nil {
		t.Error("prismarine-nbt wrote it")
	}
}
