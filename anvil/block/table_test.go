package block

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

func TestDigestIsOfTheTable(t *testing.T) {
	data, err := unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if got := hex.EncodeToString(sum[:]); got != Digest {
		t.Errorf("digest %s, want %s", got, Digest)
	}
}

func TestTableIsSmall(t *testing.T) {
	if len(packed) > 64<<10 {
		t.Errorf("the embedded table has %d bytes", len(packed))
	}
}

func TestDamagedTableIsAnError(t *testing.T) {
	data, err := unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := decode(append(bytes.Clone(data), 0)); !errors.Is(err, errFormat) {
		t.Errorf("a byte too many: %v", err)
	}
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	for range testbed.Runs(t, 60) {
		// The columns at the end are most of the table: cut before them too.
		n := rng.IntN(len(data))
		if rng.IntN(2) == 0 {
			n = rng.IntN(100_000)
		}
		if _, err := decode(data[:n]); !errors.Is(err, errFormat) {
			t.Fatalf("cut at %d: %v", n, err)
		}
		bad := bytes.Clone(data)
		at := rng.IntN(90_000)
		bad[at] ^= 1 << rng.IntN(8)
		// Some damage is another valid table; none may panic.
		if _, err := decode(bad); err != nil && !errors.Is(err, errFormat) {
			t.Fatalf("bit flipped in byte %d: %v", at, err)
		}
	}
	if _, err := decodePacked([]byte("no frame")); !errors.Is(err, errFormat) {
		t.Errorf("no zstd frame: %v", err)
	}
}

func TestUnknownStatesAreFullBlocks(t *testing.T) {
	stone := Stone.Default()
	for _, s := range []State{StateCount, StateCount + 1, 0xFFFF} {
		if s.Native() || s.Block() != Unknown || s.Block().Name() != "" || s.Block().Kind() != "" {
			t.Errorf("state %d is of block %v", s, s.Block())
		}
		if s.Opacity() != 15 || s.LightEmission() != 0 || !s.SolidRender() || !s.BlocksMotion() || !s.FullCollision() ||
			s.Air() || s.Leaves() || s.Fluid() != NoFluid || s.Replaceable() || s.MapColor() != stone.MapColor() {
			t.Errorf("state %d is not like stone", s)
		}
		if len(s.Collision()) != 1 || s.Block().Hardness() != Stone.Hardness() {
			t.Errorf("state %d is not as hard as stone", s)
		}
		if got, ok := s.With("axis", "x"); ok || got != s {
			t.Errorf("state %d with an axis is %v", s, got)
		}
		for _, v := range Versions() {
			if id := v.ID(s); id != v.ID(stone) || v.HasState(s) {
				t.Errorf("%s shows state %d as %d", v.Name, s, id)
			}
		}
	}
	if s := State(StateCount).String(); s != "unknown#32366" {
		t.Errorf("text %q", s)
	}
	if first, n := Unknown.States(); first != 0 || n != 0 || Unknown.String() != "unknown" {
		t.Errorf("unknown block has %d states from %d", n, first)
	}
}

func TestFindByName(t *testing.T) {
	for id := range ID(BlockCount) {
		name := id.Name()
		for _, text := range []string{name, name[len(namespace):]} {
			if got, ok := Find(text); !ok || got != id {
				t.Fatalf("Find(%s) = %v, %t", text, got, ok)
			}
			if got, ok := FindBytes([]byte(text)); !ok || got != id {
				t.Fatalf("FindBytes(%s) = %v, %t", text, got, ok)
			}
		}
	}
	for _, name := range []string{"", "minecraft:", "minecraft:minecraft:stone", "mod:stone", "Stone", "ston", "stone "} {
		if got, ok := Find(name); ok || got != Unknown {
			t.Errorf("Find(%q) = %v, %t", name, got, ok)
		}
	}
	if Stone.Name() != "minecraft:stone" || OakLog.Name() != "minecraft:oak_log" || Air.Default() != 0 {
		t.Error("constants do not fit the table")
	}
}
