package chunk

import (
	"testing"
)

func TestBytesAfterTheDocumentAreCountedAndGo(t *testing.T) {
	for _, version := range []int32{1451, 2586, 4790, 4903} {
		var e Encoder
		c := chunkOf(t, version)
		if version < flatVersion {
			var err error
			if c, err = New(NewTables(), c.Pos(), Options{DataVersion: version, Sections: 16}); err != nil {
				t.Fatal(err)
			}
		}
		data, err := e.Encode(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		d := NewDecoder(c.Tables())
		for _, n := range []int{0, 1, 7, 4096, 0} {
			// What follows may be whatever: zeros, or another document.
			tail := make([]byte, n)
			copy(tail, data)
			got, err := d.Decode(append(data[:len(data):len(data)], tail...))
			if err != nil {
				t.Fatalf("%d and %d bytes: %v", version, n, err)
			}
			if d.Trailing() != n {
				t.Errorf("%d: %d of %d bytes counted", version, d.Trailing(), n)
			}
			if err := sameModel(c, got); err != nil {
				t.Errorf("%d and %d bytes: %v", version, n, err)
			}
			if again, err := e.Encode(nil, got); err != nil || string(again) != string(data) {
				t.Errorf("%d and %d bytes: encodes to %d bytes, not %d: %v", version, n, len(again), len(data), err)
			}
		}
		// A document that does not decode has none.
		if _, err := d.Decode(data[:len(data)-1]); err == nil || d.Trailing() != 0 {
			t.Errorf("%d: cut off: %v, %d bytes", version, err, d.Trailing())
		}
	}
}
