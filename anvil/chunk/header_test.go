package chunk

import (
	"encoding/binary"
	"errors"
	"strconv"
	"sync"
	"testing"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/region"
)

func TestHeadersOfAllAges(t *testing.T) {
	ancient, err := nbt.Marshal(map[string]any{"Level": map[string]any{
		"xPos": int32(-7), "zPos": int32(12), "LastUpdate": int64(99), "InhabitedTime": int64(5), "TerrainPopulated": int8(1),
	}})
	if err != nil {
		t.Fatal(err)
	}
	h, err := ReadHeader(ancient)
	if want := (Header{Pos: region.ChunkPos{X: -7, Z: 12}, HasPos: true, LastUpdate: 99, InhabitedTime: 5}); err != nil || h != want {
		t.Errorf("%+v, %v", h, err)
	}
	_, err = NewDecoder(NewTables()).Decode(ancient)
	var old *TooOldError
	if !errors.As(err, &old) || !errors.Is(err, ErrTooOld) || old.Header != h {
		t.Errorf("%v", err)
	}
	var syntax *nbt.SyntaxError
	if _, err := ReadHeader([]byte{0}); !errors.As(err, &syntax) {
		t.Errorf("no NBT: %v", err)
	}
	for _, data := range corpusChunks(t)[:50] {
		h, err := ReadHeader(data)
		if err != nil || !h.HasPos || h.DataVersion < 4000 || h.Status != "minecraft:full" {
			t.Fatalf("%+v, %v", h, err)
		}
	}
}

func TestStatuses(t *testing.T) {
	for name, want := range map[string]Status{
		"minecraft:full": StatusFull, "full": StatusFull, "fullchunk": StatusFull, "postprocessed": StatusPostprocessed,
		"base": StatusSurface, "minecraft:initialize_light": StatusInitializeLight, "": StatusUnknown, "unknown": StatusUnknown,
		"mod:thing": StatusUnknown, "finalized": StatusHeightmaps, "heightmaps": StatusHeightmaps, "liquid_carvers": StatusLiquidCarvers,
	} {
		if got := ParseStatus(name); got != want {
			t.Errorf("%q is %v", name, got)
		}
	}
	for version, want := range map[int32]string{4903: "minecraft:carvers", 2586: "carvers", 1519: "carved"} {
		c, err := New(NewTables(), region.ChunkPos{}, Options{DataVersion: version, Sections: 16, Status: StatusCarvers})
		if err != nil || c.StatusName() != want {
			t.Errorf("%d: %s, %v", version, c.StatusName(), err)
		}
		forest, _ := c.Tables().Biomes.Find("minecraft:forest")
		if version < containerVersion {
			if b, ok := c.Biome(3, 255, 9); !ok || c.Tables().Biomes.Name(b) != "minecraft:plains" {
				t.Errorf("%d: biome %d", version, b)
			}
		}
		if err := c.SetBiome(3, 255, 9, forest); err != nil {
			t.Errorf("%d: %v", version, err)
		}
		if b, ok := reloaded(t, c).Biome(0, 254, 11); !ok || b != forest {
			t.Errorf("%d: biome %d", version, b)
		}
		c.SetStatusName("mod:thing")
		if c = reloaded(t, c); c.StatusName() != "mod:thing" || c.Status() != StatusUnknown || c.Full() {
			t.Errorf("%d: %s", version, c.StatusName())
		}
	}
}

func TestLastUpdateAt(t *testing.T) {
	c := newChunk(t)
	c.SetLastUpdate(0x0102030405060708)
	var e Encoder
	out, err := e.Encode([]byte("before"), c)
	if err != nil || binary.BigEndian.Uint64(out[e.LastUpdateAt():]) != 0x0102030405060708 {
		t.Errorf("at %d, %v", e.LastUpdateAt(), err)
	}
}

func TestBiomesFillUp(t *testing.T) {
	b := NewBiomes()
	var err error
	for i := 0; err == nil && i <= MaxBiomes; i++ {
		name := []byte{'m', ':', byte('a' + i%26), byte('a' + i/26%26), byte('a' + i/676)}
		var id, again Biome
		if id, err = b.Intern(name); err == nil {
			if again, _ = b.Intern(name); again != id || b.Name(id) != string(name) {
				t.Fatalf("%s is %d and %d", name, id, again)
			}
		}
	}
	if !errors.Is(err, ErrBiomesFull) || b.Len() != MaxBiomes {
		t.Errorf("%d names, %v", b.Len(), err)
	}
	if id, err := b.Intern([]byte("minecraft:plains")); err != nil || b.Name(id) != "minecraft:plains" {
		t.Errorf("%v, %v", id, err)
	}
}

// TestBiomesAreNumberedAsByTheRegistry: the numbers of the biomes that the
// game has are those of its own registry.
func TestBiomesAreNumberedAsByTheRegistry(t *testing.T) {
	b := NewBiomes()
	biomes := registry.Biomes(registry.Native)
	if len(biomes) != b.Len() {
		t.Errorf("%d biomes, the registry has %d", b.Len(), len(biomes))
	}
	for _, want := range biomes {
		if id, ok := b.Find(want.Name); !ok || int32(id) != want.ID {
			t.Errorf("%s is %d, in the registry %d", want.Name, id, want.ID)
		}
	}
}

func TestTablesTakeNamesFromManyGoroutines(t *testing.T) {
	b := NewBiomes()
	var ids [8][300]Biome
	var wg sync.WaitGroup
	for g := range ids {
		wg.Go(func() {
			for i := range ids[g] {
				id, err := b.Intern([]byte("mod:" + strconv.Itoa((i*7+g)%300)))
				if err != nil || b.Name(id) == "" {
					t.Errorf("%d: %v", id, err)
				}
				ids[g][(i*7+g)%300] = id
			}
		})
	}
	wg.Wait()
	for g := range ids {
		if ids[g] != ids[0] {
			t.Error("names have several numbers")
		}
	}
}
