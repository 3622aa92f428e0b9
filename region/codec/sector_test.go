package codec

import (
	"bytes"
	"testing"
)

func TestWorthRetry(t *testing.T) {
	tests := []struct {
		record, permille int
		want             bool
	}{
		{0, 80, false},
		{100, 500, false},          // one sector stays one sector
		{4096, 500, false},         // exactly one
		{4097, 1, true},            // one byte over
		{4096 + 360, 80, false},    // 360 of 4456 is 8.1 %
		{4096 + 350, 80, true},     // 7.9 %
		{8192, 80, false},          // a full sector over the boundary below
		{8192 + 200, 25, true},     // 2.4 %
		{8192 + 220, 25, false},    // 2.6 %
		{120 * 4096, 25, true},     // 2.5 % of a long record is more than a sector
		{11*4096 - 100, 80, false}, // 3996 over, 8 % are 3596
		{12*4096 + 4000, 80, true}, // 4000 over, 8 % are 4252
	}
	for _, tt := range tests {
		if got := worthRetry(tt.record, tt.permille); got != tt.want {
			t.Errorf("worthRetry(%d, %d) = %v", tt.record, tt.permille, got)
		}
	}
}

// fixedLadder encodes src with every step of mode sector on its own and
// returns the streams: what the mode may choose from.
func fixedLadder(t *testing.T, src []byte) [][]byte {
	t.Helper()
	first, err := newFastDeflater(sectorFirst)
	if err != nil {
		t.Fatal(err)
	}
	streams := [][]byte{first.Append(nil, src)}
	for _, step := range sectorSteps {
		d, err := newDeflater(Level(step.level))
		if err != nil {
			t.Fatal(err)
		}
		streams = append(streams, d.Append(nil, src))
	}
	return streams
}

func TestSectorModeKeepsALaterStepOnlyIfItSavesASector(t *testing.T) {
	e := encoderKind{Zlib, Sector}.new(t)
	var kept [1 + len(sectorSteps)]int
	record := func(raw []byte) int { return recordHeaderSize + 6 + len(raw) }
	for i, src := range chunks(t, max(60, fewer(150))) {
		stream := encode(t, e, src)
		raw := stream[2 : len(stream)-4]
		choice := -1
		ladder := fixedLadder(t, src)
		for k, candidate := range ladder {
			if bytes.Equal(raw, candidate) {
				choice = k
				break
			}
		}
		if choice < 0 {
			t.Fatalf("chunk %d: not the stream of any step", i)
		}
		kept[choice]++
		if choice > 0 && sectors(record(raw)) >= sectors(record(ladder[0])) {
			t.Errorf("chunk %d: step %d kept without saving a sector", i, choice)
		}
	}
	t.Logf("kept by step: %v", kept)
	for k, n := range kept {
		if n == 0 && !reduced() {
			t.Errorf("step %d was never kept", k)
		}
	}
}

func TestSectorModeNeedsAsFewSectorsAsLevelEight(t *testing.T) {
	mode, strong := encoderKind{Zlib, Sector}.new(t), encoderKind{Zlib, 8}.new(t)
	var got, want int
	for _, src := range chunks(t, fewer(333)) {
		got += sectors(recordHeaderSize + len(encode(t, mode, src)))
		want += sectors(recordHeaderSize + len(encode(t, strong, src)))
	}
	if slack := want / 20; got > want && !reduced() || got > want+slack { // few samples scatter
		t.Errorf("%d sectors, level 8 needs %d", got, want)
	}
}

func TestSectorModeStaysUnder8420BytesOfSectorsAChunk(t *testing.T) {
	if raceEnabled {
		t.Skip("needs the whole corpus")
	}
	mode := encoderKind{Zlib, Sector}.new(t)
	sum := 0
	for _, src := range chunks(t, 998) {
		sum += sectors(recordHeaderSize + len(encode(t, mode, src)))
	}
	mean := float64(sum*sectorSize) / 998
	t.Logf("%.1f bytes of sectors a chunk", mean)
	if mean > 8420 {
		t.Errorf("%.1f bytes of sectors a chunk", mean)
	}
}
