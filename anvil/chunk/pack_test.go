package chunk

import (
	"encoding/binary"
	"math/rand"
	"slices"
	"testing"

	"strata/bench/testbed"
)

// naiveLongs packs bit by bit, big-endian.
func naiveLongs(cells []uint16, width int, straddling bool) []byte {
	per := 64 / width
	longs := (len(cells) + per - 1) / per
	if straddling {
		longs = (len(cells)*width + 63) / 64
	}
	out := make([]uint64, longs)
	for i, v := range cells {
		for b := range width {
			bit := i/per*64 + i%per*width + b
			if straddling {
				bit = i*width + b
			}
			out[bit/64] |= uint64(v>>b&1) << (bit % 64)
		}
	}
	var data []byte
	for _, v := range out {
		data = binary.BigEndian.AppendUint64(data, v)
	}
	return data
}

func randomCells(r *rand.Rand, n, below int) []uint16 {
	cells := make([]uint16, n)
	for i := range cells {
		cells[i] = uint16(r.Intn(below))
	}
	return cells
}

func TestPlacesAreExact(t *testing.T) {
	for width := 1; width <= 16; width++ {
		per := 64 / width
		for i := range SectionCells {
			long, shift := place(i, uint8(width))
			if long != i/per || shift != i%per*width {
				t.Fatalf("width %d, cell %d: long %d, shift %d", width, i, long, shift)
			}
		}
	}
}

func TestPackingAgreesWithBitByBit(t *testing.T) {
	r := rand.New(rand.NewSource(testbed.Seed(t)))
	for width := 1; width <= 16; width++ {
		for _, n := range []int{64, 256, 4096} {
			cells := randomCells(r, n, 1<<width)
			want := naiveLongs(cells, width, false)
			longs := make([]uint64, longsFor(n, width))
			pack(longs, cells, uint8(width))
			if got := appendLongs(nil, longs); !slices.Equal(got, want) {
				t.Fatalf("width %d, %d cells: packed otherwise", width, n)
			}
			loaded := make([]uint64, len(longs))
			if !loadLongs(loaded, want, uint8(width), 1<<width, n) || !slices.Equal(loaded, longs) {
				t.Fatalf("width %d, %d cells: loaded otherwise", width, n)
			}
			spread := make([]uint16, n)
			unpack(spread, loaded, uint8(width))
			if !slices.Equal(spread, cells) {
				t.Fatalf("width %d, %d cells: unpacked otherwise", width, n)
			}
			straddling := naiveLongs(cells, width, true)
			if got := appendStraddling(nil, cells, uint8(width)); !slices.Equal(got, straddling) {
				t.Fatalf("width %d, %d cells: packed over longs otherwise", width, n)
			}
			clear(spread)
			unpackStraddling(spread, straddling, uint8(width))
			if !slices.Equal(spread, cells) {
				t.Fatalf("width %d, %d cells: unpacked over longs otherwise", width, n)
			}
			for range 100 {
				i, v := r.Intn(n), uint16(r.Intn(1<<width))
				setCell(longs, uint8(width), i, v)
				cells[i] = v
				if cellAt(longs, uint8(width), i) != v {
					t.Fatalf("width %d: cell %d is not what was set", width, i)
				}
			}
			unpack(spread, longs, uint8(width))
			if !slices.Equal(spread, cells) {
				t.Fatalf("width %d: setting a cell changed another", width)
			}
		}
	}
}

// TestLoadFindsIndicesOutsideThePalette tries every palette size with one
// cell too large anywhere, and garbage in bits that hold no cell.
func TestLoadFindsIndicesOutsideThePalette(t *testing.T) {
	r := rand.New(rand.NewSource(testbed.Seed(t)))
	for n := 2; n <= 256; n++ {
		for _, total := range []int{64, 4096} {
			width := paletteWidth(n, 1)
			if total == 4096 {
				width = paletteWidth(n, 4)
			} else if n > 64 {
				continue
			}
			cells := randomCells(r, total, n)
			data := naiveLongs(cells, width, false)
			littered := slices.Clone(data)
			per := 64 / width
			for bit := range len(data) * 8 {
				i := bit/64*per + bit%64/width
				if bit%64 >= per*width || i >= total {
					littered[bit/64*8+7-bit%64/8] |= byte(r.Intn(2)) << (bit % 8)
				}
			}
			clean, dirty := make([]uint64, len(data)/8), make([]uint64, len(data)/8)
			if !loadLongs(clean, data, uint8(width), n, total) || !loadLongs(dirty, littered, uint8(width), n, total) {
				t.Fatalf("%d entries, %d cells: refused", n, total)
			}
			if !slices.Equal(clean, dirty) {
				t.Fatalf("%d entries, %d cells: unused bits were kept", n, total)
			}
			if n == 1<<width {
				continue
			}
			for range 8 {
				i := r.Intn(total)
				if r.Intn(3) == 0 {
					i = total - 1 - r.Intn(per)
				}
				old := cells[i]
				cells[i] = uint16(n + r.Intn(1<<width-n))
				if loadLongs(clean, naiveLongs(cells, width, false), uint8(width), n, total) {
					t.Fatalf("%d entries, %d cells: cell %d of %d was taken", n, total, i, cells[i])
				}
				cells[i] = old
			}
		}
	}
}
