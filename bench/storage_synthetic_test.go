package bench

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/cespare/xxhash/v2"

	"strata/region"
	"strata/region/codec"
)

// skimNBT walks one tag's content and counts the named tags in it by path.
func skimNBT(b []byte, kind byte, path string, seen map[string]int) (rest []byte, err error) {
	take := func(n int) []byte {
		if n < 0 || n > len(b) {
			panic(fmt.Sprintf("%s: %d bytes of %d", path, n, len(b)))
		}
		head := b[:n]
		b = b[n:]
		return head
	}
	count := func() int { return int(int32(binary.BigEndian.Uint32(take(4)))) }
	text := func() string { return string(take(int(binary.BigEndian.Uint16(take(2))))) }
	switch kind {
	case tagByte:
		take(1)
	case tagInt:
		take(4)
	case tagLong:
		take(8)
	case tagByteArray:
		take(count())
	case tagLongArray:
		take(8 * count())
	case tagString:
		text()
	case tagList:
		inner, n := take(1)[0], count()
		for range n {
			if b, err = skimNBT(b, inner, path+"[]", seen); err != nil {
				return nil, err
			}
		}
	case tagCompound:
		for {
			inner := take(1)[0]
			if inner == 0 {
				return b, nil
			}
			name := path + "/" + text()
			seen[name]++
			if b, err = skimNBT(b, inner, name, seen); err != nil {
				return nil, err
			}
		}
	default:
		return nil, fmt.Errorf("%s: tag of type %d", path, kind)
	}
	return b, nil
}

func TestSyntheticChunksAreWellFormed(t *testing.T) {
	for i, c := range SyntheticChunks(8) {
		seen := map[string]int{}
		if c[0] != tagCompound || c[1] != 0 || c[2] != 0 {
			t.Fatalf("chunk %d begins with % x", i, c[:3])
		}
		rest, err := skimNBT(c[3:], tagCompound, "", seen)
		if err != nil || len(rest) > 0 {
			t.Fatalf("chunk %d: %v, %d bytes behind the root", i, err, len(rest))
		}
		for path, want := range map[string]int{
			"/DataVersion": 1, "/xPos": 1, "/Status": 1, "/sections": 1, "/Heightmaps/OCEAN_FLOOR": 1,
			"/sections[]/Y": synSections, "/sections[]/block_states/palette": synSections, "/sections[]/biomes": synSections,
		} {
			if seen[path] != want {
				t.Errorf("chunk %d has %d of %s, want %d", i, seen[path], path, want)
			}
		}
		if n := seen["/sections[]/block_states/data"]; n < 6 || n > 14 {
			t.Errorf("chunk %d: %d sections of more than one block", i, n)
		}
	}
}

func TestSyntheticChunksAreTheSameEverywhere(t *testing.T) {
	sum := xxhash.New()
	for _, c := range SyntheticChunks(33) {
		sum.Write(c)
	}
	if got, want := fmt.Sprintf("%016x", sum.Sum64()), "58d0cf0fe24323cf"; got != want {
		t.Errorf("digest %s, want %s: figures of other builds do not compare any more", got, want)
	}
}

// Full chunks of real worlds have 44.8 kB of NBT and, in mode sector, 6.5 kB
// of payload in 8.4 kB of sectors.
func TestSyntheticChunksWeighAboutWhatRealOnesDo(t *testing.T) {
	enc, err := codec.NewEncoder(codec.Zlib, codec.Sector)
	if err != nil {
		t.Fatal(err)
	}
	const n = 33
	var raw, payload, sectors int
	for _, c := range SyntheticChunks(n) {
		stream, err := enc.Append(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		raw += len(c)
		payload += region.RecordHeaderBytes + len(stream)
		sectors += int(region.RecordSectors(len(stream))) * region.SectorBytes
	}
	t.Logf("%d B of NBT, %d B of payload, %d B of sectors a chunk", raw/n, payload/n, sectors/n)
	if raw/n < 35_000 || raw/n > 55_000 || payload/n < 5_000 || payload/n > 8_000 || sectors/n < 7_000 || sectors/n > 10_000 {
		t.Errorf("%d B of NBT, %d B of payload, %d B of sectors a chunk", raw/n, payload/n, sectors/n)
	}
}
