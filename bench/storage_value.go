package bench

import (
	"fmt"
	"math/bits"

	"github.com/cespare/xxhash/v2"

	"strata/nbt"
)

// verifyValue fails unless two documents of a chunk say the same. They may
// differ in what the chunk model documents that it does not keep and the game
// cannot tell apart: see package anvil/chunk. The judge shares nothing with
// the model but the reading of NBT.
func verifyValue(got, want []byte) error {
	a, err := valueOf(got)
	if err != nil {
		return fmt.Errorf("%w: encoded again it is no NBT: %w", errWrong, err)
	}
	b, err := valueOf(want)
	if err != nil {
		return err
	}
	if a != b {
		return fmt.Errorf("%w: encoded again it is another chunk", errWrong)
	}
	return nil
}

// valueOf is a digest of what a chunk's document says.
func valueOf(document []byte) (uint64, error) {
	var tape nbt.Tape
	if err := tape.Parse(document); err != nil {
		return 0, err
	}
	if err := verifyTape(&tape, document); err != nil {
		return 0, err
	}
	version, _ := tape.Root().Get("DataVersion").Int()
	return chunkJudge{straddles: version < 2529}.tag("", tape.Root()), nil
}

// chunkJudge makes digests of tags.
type chunkJudge struct {
	// straddles: a packed value may lie in two longs, as in chunks from before
	// 20w17a (DataVersion 2529).
	straddles bool
}

// tag is the digest of a tag in the member in, which for what is in a list is
// that of the list.
func (j chunkJudge) tag(in string, t nbt.Tag) uint64 {
	switch t.Type() {
	case nbt.TypeCompound:
		if in == "block_states" && t.Get("palette").Exists() {
			return j.cells(4096, 4, t.Get("palette"), t.Get("data")) + j.compound(in, t)
		}
		if in == "biomes" && t.Get("palette").Exists() {
			return j.cells(64, 1, t.Get("palette"), t.Get("data")) + j.compound(in, t)
		}
		return j.compound(in, t)
	case nbt.TypeList:
		return j.list(in, t)
	}
	switch in {
	case "DataVersion", "xPos", "yPos", "zPos", "LastUpdate", "InhabitedTime", "Y":
		if v, ok := t.Int(); ok {
			return mix(1, uint64(v))
		}
	case "isLightOn":
		if v, ok := t.Int(); ok && v != 0 {
			return mix(1, 1)
		} else if ok {
			return mix(1, 0)
		}
	}
	return mix(uint64(t.Type()), xxhash.Sum64(t.Raw().Data))
}

// list is the digest of a list: of sections in any order.
func (j chunkJudge) list(in string, t nbt.Tag) uint64 {
	sections := in == "sections" || in == "Sections"
	if sections {
		sum := mix(2, uint64(t.Len()))
		for _, e := range t.Elements() {
			sum += mix(3, j.tag(in, e))
		}
		return sum
	}
	if t.Elem().Numeric() || t.Len() == 0 {
		return mix(4, xxhash.Sum64(t.Raw().Data))
	}
	sum := mix(5, uint64(t.Elem()))
	for _, e := range t.Elements() {
		sum = mix(sum, j.tag("", e))
	}
	return sum
}

// compound is the digest of the members in any order. Of several with a name
// the last one counts.
func (j chunkJudge) compound(in string, t nbt.Tag) uint64 {
	members := map[string]uint64{}
	for name, m := range t.Members() {
		switch name := string(name); {
		case (in == "block_states" || in == "biomes") && (name == "palette" || name == "data"):
		case in == "Sections" && name == "BlockStates":
			// Counts with the palette; without one there are no blocks.
		case in == "Sections" && name == "Palette":
			members[name] = j.cells(4096, 4, m, t.Get("BlockStates"))
		case in == "Heightmaps" && m.Type() == nbt.TypeLongArray:
			members[name] = j.heights(m)
		default:
			members[name] = j.tag(name, m)
		}
	}
	sum := mix(6, uint64(len(members)))
	for name, m := range members {
		sum += mix(xxhash.Sum64String(name), m)
	}
	return sum
}

// cells is the digest of a container: how many cells in a row have which entry.
// What cannot be read so counts as it stands.
func (j chunkJudge) cells(n, least int, palette, data nbt.Tag) uint64 {
	var entries []uint64
	for _, e := range palette.Elements() {
		entries = append(entries, j.entry(e))
	}
	if len(entries) == 1 {
		return mix(mix(7, entries[0]), uint64(n))
	}
	longs, _ := data.LongArray()
	sum, run, length := uint64(7), uint64(0), 0
	for _, index := range j.unpack(longs, n, j.width(n, least, len(entries), longs.Len())) {
		if index >= uint64(len(entries)) {
			length = 0
			break
		}
		if e := entries[index]; e != run || length == 0 {
			if length > 0 {
				sum = mix(mix(sum, run), uint64(length))
			}
			run, length = e, 0
		}
		length++
	}
	if length == 0 {
		return mix(xxhash.Sum64(palette.Raw().Data), xxhash.Sum64(data.Raw().Data))
	}
	return mix(mix(sum, run), uint64(length))
}

// entry is the digest of a palette's entry, in which Properties without any
// are none.
func (j chunkJudge) entry(t nbt.Tag) uint64 {
	sum := j.tag("", t)
	if p := t.Get("Properties"); p.Type() == nbt.TypeCompound && p.Len() == 0 {
		members := uint64(t.Len())
		sum -= mix(xxhash.Sum64String("Properties"), j.tag("", p))
		sum += mix(6, members-1) - mix(6, members)
	}
	return sum
}

// width is how many bits an index has in so many longs, 0 if there can be no
// such array: at least what the palette needs, and more in old chunks.
func (j chunkJudge) width(n, least, entries, longs int) int {
	if j.straddles {
		if width := longs * 64 / n; width <= 32 {
			return width
		}
		return 0
	}
	for width := max(least, bits.Len(uint(max(entries, 1)-1))); width <= 32; width++ {
		if perLong := 64 / width; (n+perLong-1)/perLong == longs {
			return width
		}
	}
	return 0
}

// unpack returns n values of width bits, none if width is 0.
func (j chunkJudge) unpack(longs nbt.Longs, n, width int) []uint64 {
	if width == 0 {
		return nil
	}
	values := make([]uint64, 0, n)
	mask := uint64(1)<<width - 1
	if j.straddles {
		for i := range n {
			at, shift := i*width/64, i*width%64
			v := uint64(longs.At(at)) >> shift
			if shift+width > 64 {
				v |= uint64(longs.At(at+1)) << (64 - shift)
			}
			values = append(values, v&mask)
		}
		return values
	}
	for i := 0; len(values) < n; i++ {
		long := uint64(longs.At(i))
		for k := 0; k < 64/width && len(values) < n; k++ {
			values = append(values, long&mask)
			long >>= width
		}
	}
	return values
}

// heights is the digest of a heightmap: for 256 heights of nine bits, seven in
// a long, without the bits that are not used.
func (j chunkJudge) heights(t nbt.Tag) uint64 {
	longs, _ := t.LongArray()
	if j.straddles || longs.Len() != 37 {
		return mix(8, xxhash.Sum64(t.Raw().Data))
	}
	sum := uint64(9)
	for _, h := range j.unpack(longs, 256, 9) {
		sum = mix(sum, h)
	}
	return sum
}

// mix is a digest of two numbers in this order: no defence against anybody.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, 0xd1342543de82ef95)
	h := (high ^ low ^ b) * 0xaf251af3b0f025b5
	return h ^ h>>32
}
