package structure_test

import (
	"errors"
	"slices"
	"testing"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature/featuretest"
	"strata/pregen/worldgen/structure"
)

// piece is a piece that builds nothing.
type piece struct{ structure.Base }

func (*piece) Place(*structure.Placer) {}

func (*piece) Save() nbt.Compound { return nil }

func TestPiecesMapTheirCoordinates(t *testing.T) {
	box := structure.NewBox(10, 60, 20, 14, 65, 29)
	for facing, want := range map[structure.Facing][3]int32{
		structure.FacesNone:  {1, 2, 3},
		structure.FacesNorth: {11, 62, 26},
		structure.FacesSouth: {11, 62, 23},
		structure.FacesWest:  {11, 62, 21},
		structure.FacesEast:  {13, 62, 21},
	} {
		b := structure.Base{Box: box, Facing: facing}
		if x, y, z := b.World(1, 2, 3); [3]int32{x, y, z} != want {
			t.Errorf("facing %d: %d,%d,%d, want %v", facing, x, y, z, want)
		}
	}
}

func TestAttachedBoxesLieBeforeTheEntrance(t *testing.T) {
	for facing, want := range map[structure.Facing]structure.Box{
		structure.FacesNorth: structure.NewBox(-1, 59, -6, 1, 62, 0),
		structure.FacesSouth: structure.NewBox(-1, 59, 0, 1, 62, 6),
		structure.FacesWest:  structure.NewBox(-6, 59, -1, 0, 62, 1),
		structure.FacesEast:  structure.NewBox(0, 59, -1, 6, 62, 1),
	} {
		if got := structure.Attached(0, 60, 0, -1, -1, 0, 3, 4, 7, facing); got != want {
			t.Errorf("facing %d: %v, want %v", facing, got, want)
		}
	}
}

func TestBasesAreStoredAndRead(t *testing.T) {
	for _, facing := range []structure.Facing{structure.FacesNone, structure.FacesSouth, structure.FacesEast} {
		p := &piece{structure.Base{ID: "minecraft:iglu", Box: structure.NewBox(1, 2, 3, 4, 5, 6), Facing: facing, Depth: 7}}
		f := structure.NewFields(structure.SavePiece(p))
		got := f.ReadBase()
		if f.Err() != nil || got.ID != p.ID || got.Box != p.Box || got.Facing != facing || got.Depth != 7 {
			t.Errorf("%+v, %v; want %+v", got, f.Err(), p.Base)
		}
	}
	for name, c := range map[string]nbt.Compound{
		"no box":    {{Name: "id", Value: "a"}},
		"short box": {{Name: "BB", Value: []int32{1, 2}}},
		"facing":    {{Name: "BB", Value: make([]int32, 6)}, {Name: "O", Value: int32(9)}},
	} {
		f := structure.NewFields(c)
		f.ReadBase()
		if !errors.Is(f.Err(), structure.ErrPiece) {
			t.Errorf("%s: %v", name, f.Err())
		}
	}
}

// placer returns a placer of the chunk 0,0 over stone up to FlatTop.
func placer() *structure.Placer {
	c, _ := featuretest.Flat(block.Stone.Default(), 1)
	return &structure.Placer{Context: c, Box: structure.NewBox(0, 1, 0, 15, 127, 15)}
}

func TestFillingKeepsToTheBox(t *testing.T) {
	p := placer()
	b := structure.Base{Box: structure.NewBox(-3, 50, 4, 3, 56, 10), Facing: structure.FacesNorth}
	gold, dirt := block.GoldBlock.Default(), block.Dirt.Default()
	b.Fill(p, 0, 0, 0, 6, 6, 6, gold, dirt, false)
	for x := -3; x <= 3; x++ {
		got := p.Block(x, 53, 7)
		want := block.State(0)
		switch {
		case x == 3:
			want = gold
		case x >= 0:
			want = dirt
		}
		if got != want {
			t.Errorf("x %d is %v, want %v", x, got, want)
		}
	}
	b.Fill(p, 3, 0, 0, 6, 8, 6, gold, gold, true)
	if got := p.Block(2, 58, 7); got != 0 {
		t.Errorf("air became %v", got)
	}
}

func TestStatesAreTurnedWithThePiece(t *testing.T) {
	torch := block.MustParse("minecraft:wall_torch[facing=west]")
	for facing, want := range map[structure.Facing]string{
		structure.FacesNorth: "west", structure.FacesSouth: "west", structure.FacesWest: "north", structure.FacesEast: "north",
	} {
		p := placer()
		b := structure.Base{Box: structure.NewBox(2, 50, 2, 6, 54, 6), Facing: facing}
		b.Put(p, torch, 1, 1, 1)
		x, y, z := b.World(1, 1, 1)
		if got := p.BlockAt(x, y, z).Property("facing"); got != want {
			t.Errorf("facing %d: %q, want %q", facing, got, want)
		}
		if n := len(p.Center().Marks); n != 1 {
			t.Errorf("facing %d: %d marks, want 1", facing, n)
		}
	}
}

func TestColumnsReachTheGround(t *testing.T) {
	p := placer()
	b := structure.Base{Box: structure.NewBox(2, 50, 2, 6, 54, 6), Facing: structure.FacesNorth}
	b.ColumnDown(p, block.Bricks.Default(), 1, 0, 1)
	x, _, z := b.World(1, 0, 1)
	for y := int32(featuretest.FlatTop); y <= 50; y++ {
		if got := p.BlockAt(x, y, z).Block(); got != block.Bricks {
			t.Errorf("y %d is %v", y, got)
		}
	}
	if got := p.BlockAt(x, featuretest.FlatTop-1, z).Block(); got != block.Stone {
		t.Errorf("the ground is %v", got)
	}
}

func TestChestsTurnFromTheWall(t *testing.T) {
	p := placer()
	p.Set(5, 60, 4, block.Stone.Default())
	if !p.Chest(5, 60, 5, "minecraft:chests/x") || p.Chest(5, 60, 5, "minecraft:chests/x") {
		t.Error("the chest is not set once")
	}
	if got := p.Block(5, 60, 5).Property("facing"); got != "south" {
		t.Errorf("it faces %s", got)
	}
	if e := p.BlockEntityAt(5, 60, 5); e == nil || e.LootTable != "minecraft:chests/x" || e.LootSeed == 0 {
		t.Errorf("its block entity is %+v", e)
	}
	p.Spawner(8, 60, 8, "minecraft:blaze")
	if e := p.BlockEntityAt(8, 60, 8); e == nil || e.ID != "minecraft:mob_spawner" || e.Spawner != "minecraft:blaze" {
		t.Errorf("the spawner is %+v", e)
	}
}

func TestStartsWhosePiecesAreNotKnownAreErrors(t *testing.T) {
	system := &structure.System{}
	for name, c := range map[string]nbt.Compound{
		"unknown structure": {{Name: "id", Value: "minecraft:none"}, {Name: "Children", Value: nbt.List{Items: []any{nbt.Compound{}}}}},
	} {
		if _, err := system.ReadStart(c, nil); !errors.Is(err, structure.ErrPiece) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if start, err := system.ReadStart(nbt.Compound{{Name: "id", Value: "INVALID"}}, nil); start != nil || err != nil {
		t.Errorf("one that is none is %v, %v", start, err)
	}
}

func TestBlockEntitiesAreKnownByTheirBlocks(t *testing.T) {
	for id, want := range map[block.ID]string{
		block.Chest: "minecraft:chest", block.OakSign: "minecraft:sign", block.SuspiciousSand: "minecraft:brushable_block",
		block.Stone: "", block.WhiteBed: "", block.Spawner: "minecraft:mob_spawner", block.WitherSkeletonSkull: "minecraft:skull",
		block.DecoratedPot: "minecraft:decorated_pot", block.CopperChest: "minecraft:chest",
	} {
		if got := structure.EntityOf(id); got != want {
			t.Errorf("%v has %q, want %q", id, got, want)
		}
	}
	var none []string
	for id := range block.ID(block.BlockCount) {
		if structure.EntityOf(id) != "" {
			none = append(none, id.Name())
		}
	}
	if len(none) < 150 || slices.Contains(none, "minecraft:stone") {
		t.Errorf("%d blocks have one", len(none))
	}
}
