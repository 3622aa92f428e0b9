package nbt

import (
	"bytes"
	"testing"
)

var sampleChunks [][]byte

// everySeventh is a sample of the corpus that a test with -race is quick on.
func everySeventh(tb testing.TB) [][]byte {
	if sampleChunks == nil { // tests here run one after another
		for i, chunk := range corpusChunks(tb) {
			if i%7 == 0 {
				sampleChunks = append(sampleChunks, chunk)
			}
		}
	}
	return sampleChunks
}

func TestAnyKeepsEveryByteOfRealChunks(t *testing.T) {
	for i, chunk := range everySeventh(t) {
		var v any
		if err := Unmarshal(chunk, &v); err != nil {
			t.Fatalf("chunk %d: %v", i, err)
		}
		back, err := Marshal(v)
		if err != nil {
			t.Fatalf("chunk %d: %v", i, err)
		}
		if !bytes.Equal(chunk, back) {
			t.Fatalf("chunk %d: other bytes", i)
		}
	}
}

// restSection knows little of a section and keeps the rest.
type restSection struct {
	Y           int8
	BlockStates struct {
		Palette []struct {
			Name string
			Rest []RawMember `nbt:",rest"`
		} `nbt:"palette"`
		Rest Compound `nbt:",rest"`
	} `nbt:"block_states,omitzero"`
	Rest map[string]any `nbt:",rest"`
}

type restChunk struct {
	DataVersion int32
	Status      string
	Sections    []restSection `nbt:"sections"`
	Rest        []RawMember   `nbt:",rest"`
}

func TestRestFieldsKeepWhatAStructDoesNotKnow(t *testing.T) {
	for i, chunk := range everySeventh(t) {
		var want, got any
		var c restChunk
		if err := Unmarshal(chunk, &want); err != nil {
			t.Fatalf("chunk %d: %v", i, err)
		}
		if err := Unmarshal(chunk, &c); err != nil {
			t.Fatalf("chunk %d: %v", i, err)
		}
		back, err := Marshal(c)
		if err != nil {
			t.Fatalf("chunk %d: %v", i, err)
		}
		if err := Unmarshal(back, &got); err != nil {
			t.Fatalf("chunk %d: %v", i, err)
		}
		if len(back) != len(chunk) || !Equal(want, got) {
			t.Fatalf("chunk %d: %d bytes became %d, with other values", i, len(chunk), len(back))
		}
	}
}

func TestTypedChunksSurviveBothWays(t *testing.T) {
	for i, chunk := range everySeventh(t) {
		for _, views := range []bool{false, true} {
			d := Decoder{Views: views}
			var c benchChunk
			if err := d.Unmarshal(chunk, &c); err != nil {
				t.Fatalf("chunk %d: %v", i, err)
			}
			c.CarvingMasks = nil
			first, err := Marshal(&c)
			if err != nil {
				t.Fatalf("chunk %d: %v", i, err)
			}
			var again benchChunk
			if err := Unmarshal(first, &again); err != nil {
				t.Fatalf("chunk %d: %v", i, err)
			}
			second, err := AppendMarshal(nil, again)
			if err != nil || !bytes.Equal(first, second) {
				t.Fatalf("chunk %d: differs the second time: %v", i, err)
			}
		}
	}
}
