package underground

import (
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/structure"
)

// The pieces of mineshafts.
type (
	mineRoom struct {
		mineBase
		exits []structure.Box // where corridors begin
	}
	mineCorridor struct {
		mineBase
		rails    bool
		spiders  bool
		spawner  bool // whether the spawner of the spiders has been placed
		sections int32
	}
	mineCrossing struct {
		mineBase
		toward structure.Facing // the crossing itself faces nowhere
		high   bool             // of two storeys
	}
	mineStairs struct{ mineBase }
)

const (
	mineRoomID     = "minecraft:msroom"
	mineCorridorID = "minecraft:mscorridor"
	mineCrossingID = "minecraft:mscrossing"
	mineStairsID   = "minecraft:msstairs"
)

var (
	_ minePiece = (*mineRoom)(nil)
	_ minePiece = (*mineCorridor)(nil)
	_ minePiece = (*mineCrossing)(nil)
	_ minePiece = (*mineStairs)(nil)
)

// Move implements structure.Piece.
func (m *mineRoom) Move(x, y, z int32) {
	m.Base.Move(x, y, z)
	for i := range m.exits {
		m.exits[i] = m.exits[i].Moved(x, y, z)
	}
}

// Save implements structure.Piece.
func (m *mineRoom) Save() nbt.Compound {
	boxes := nbt.List{Elem: nbt.TypeIntArray}
	for _, b := range m.exits {
		boxes.Items = append(boxes.Items, []int32{b.MinX, b.MinY, b.MinZ, b.MaxX, b.MaxY, b.MaxZ})
	}
	return append(m.save(), nbt.Member{Name: "Entrances", Value: boxes})
}

func readMineRoom(base structure.Base, f *structure.Fields) (structure.Piece, error) {
	m := &mineRoom{mineBase: readMineBase(base, f)}
	list, _ := f.Get("Entrances").(nbt.List)
	for _, item := range list.Items {
		v, ok := item.([]int32)
		if !ok || len(v) != 6 {
			return nil, structure.ErrPiece
		}
		m.exits = append(m.exits, structure.Box{MinX: v[0], MinY: v[1], MinZ: v[2], MaxX: v[3], MaxY: v[4], MaxZ: v[5]})
	}
	return m, f.Err()
}

// Save implements structure.Piece.
func (m *mineCorridor) Save() nbt.Compound {
	c := m.save()
	c.Set("hr", truth(m.rails))
	c.Set("sc", truth(m.spiders))
	c.Set("hps", truth(m.spawner))
	c.Set("Num", m.sections)
	return c
}

// Recalls implements structure.Recaller.
func (m *mineCorridor) Recalls() bool { return m.spiders && !m.spawner }

// Recall implements structure.Recaller: a corridor has one spawner, on the
// floor of its middle.
func (m *mineCorridor) Recall(id string, x, y, z int32) {
	if id != "minecraft:mob_spawner" {
		return
	}
	for at := range 5 * m.sections {
		if wx, wy, wz := m.World(1, 0, at); wx == x && wy == y && wz == z {
			m.spawner = true
		}
	}
}

// corridorSections is how many sections a corridor has at most.
const corridorSections = 4

func readMineCorridor(base structure.Base, f *structure.Fields) (structure.Piece, error) {
	m := &mineCorridor{
		mineBase: readMineBase(base, f),
		rails:    f.Bool("hr"), spiders: f.Bool("sc"), spawner: f.Bool("hps"), sections: f.Int("Num"),
	}
	if m.sections < 0 || m.sections > corridorSections {
		return nil, structure.ErrPiece
	}
	return m, f.Err()
}

// Save implements structure.Piece.
func (m *mineCrossing) Save() nbt.Compound {
	c := m.save()
	c.Set("tf", truth(m.high))
	c.Set("D", int8(m.toward)-int8(structure.FacesSouth))
	return c
}

func readMineCrossing(base structure.Base, f *structure.Fields) (structure.Piece, error) {
	m := &mineCrossing{mineBase: readMineBase(base, f), high: f.Bool("tf")}
	m.toward = structure.FacesSouth + structure.Facing(f.Int("D")&3)
	return m, f.Err()
}

// Save implements structure.Piece.
func (m *mineStairs) Save() nbt.Compound { return m.save() }

func readMineStairs(base structure.Base, f *structure.Fields) (structure.Piece, error) {
	return &mineStairs{readMineBase(base, f)}, f.Err()
}

// truth is how the game stores a truth value.
func truth(v bool) int8 {
	if v {
		return 1
	}
	return 0
}

// member is a member of an entity's NBT.
func member(name string, value any) feature.Member {
	raw, err := nbt.MarshalRaw(value)
	if err != nil {
		panic(err) // only of types that NBT does not have
	}
	return feature.Member{Name: name, Value: raw}
}
