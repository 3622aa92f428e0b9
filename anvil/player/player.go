package player

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"strata/anvil/level"
	"strata/nbt"
	"strata/region/vfs"
)

// ErrPlace says that a player's data has no place, or that one makes no sense.
var ErrPlace = errors.New("no place in the player's data")

// Player is the data of a player: a document whose root has everything.
type Player struct {
	*level.Document
}

// New returns the player that doc is.
func New(doc *level.Document) *Player { return &Player{doc} }

// Read reads a file of player data, or the one with "_old" behind its name; see
// level.ReadFile.
func Read(fsys vfs.FS, path string) (*Player, level.Origin, error) {
	doc, origin, err := level.ReadFile(fsys, path)
	if err != nil {
		return nil, origin, err
	}
	return New(doc), origin, nil
}

// Write puts p in the place of a file of player data; see level.WriteFile. The
// folder must exist.
func (p *Player) Write(fsys vfs.FS, path string) error {
	return level.WriteFile(fsys, path, p.Document)
}

// ID returns the UUID: an int array since 1.16, two longs before.
func (p *Player) ID() (id ID, ok bool) {
	if ints, ok := p.Root().Get("UUID").IntArray(); ok && ints.Len() == 4 {
		copy(id[:], ints.Bytes())
		return id, true
	}
	most, mok := p.Root().Get("UUIDMost").Int()
	least, lok := p.Root().Get("UUIDLeast").Int()
	if !mok || !lok {
		return id, false
	}
	binary.BigEndian.PutUint64(id[:8], uint64(most))
	binary.BigEndian.PutUint64(id[8:], uint64(least))
	return id, true
}

// Place is where a player is.
type Place struct {
	Dimension  string
	X, Y, Z    float64
	Yaw, Pitch float32
}

// oldDimensions are the numbers of dimensions before 1.16.
var oldDimensions = map[int64]string{
	0: "minecraft:overworld", -1: "minecraft:the_nether", 1: "minecraft:the_end",
}

// Place returns where the player is. A dimension of a mod before 1.16, which
// has a number only, is "DIM" and the number. The error wraps ErrPlace.
func (p *Player) Place() (at Place, err error) {
	pos, rotation := p.Root().Get("Pos"), p.Root().Get("Rotation")
	for i, v := range []*float64{&at.X, &at.Y, &at.Z} {
		var ok bool
		if *v, ok = pos.At(i).Float(); !ok || pos.Len() != 3 {
			return at, fmt.Errorf("%w: Pos", ErrPlace)
		}
	}
	yaw, _ := rotation.At(0).Float()
	pitch, _ := rotation.At(1).Float()
	at.Yaw, at.Pitch = float32(yaw), float32(pitch)
	dimension := p.Root().Get("Dimension")
	if id, ok := dimension.Text(); ok {
		at.Dimension = id
		return at, nil
	}
	number, ok := dimension.Int()
	if !ok && dimension.Exists() {
		return at, fmt.Errorf("%w: Dimension", ErrPlace)
	}
	if at.Dimension = oldDimensions[number]; at.Dimension == "" {
		at.Dimension = fmt.Sprintf("DIM%d", number)
	}
	return at, nil
}

// WithPlace returns a player who is there and does not move: who was falling,
// riding or being carried would go on with it elsewhere. Data of before 1.16
// keeps its form, and takes only dimensions that have a number: ErrPlace.
func (p *Player) WithPlace(at Place) (*Player, error) {
	change := struct {
		Pos       [3]float64 `nbt:"Pos"`
		Rotation  [2]float32 `nbt:"Rotation"`
		Motion    [3]float64 `nbt:"Motion"`
		Dimension any        `nbt:"Dimension"`
	}{
		Pos: [3]float64{at.X, at.Y, at.Z}, Rotation: [2]float32{at.Yaw, at.Pitch}, Dimension: at.Dimension,
	}
	if p.Root().Get("Dimension").Type().Numeric() {
		number, ok := oldNumber(at.Dimension)
		if !ok {
			return nil, fmt.Errorf("%w: %s has no number", ErrPlace, at.Dimension)
		}
		change.Dimension = number
	} else if !level.ValidID(at.Dimension) {
		return nil, fmt.Errorf("%w: %q is no dimension", ErrPlace, at.Dimension)
	}
	doc, err := p.Merge(change) // not With: entities may have a member data
	if err != nil {
		return nil, err
	}
	// What ties the player to where it was; fall_distance since 1.21.5.
	for _, name := range []string{"RootVehicle", "FallDistance", "fall_distance"} {
		if doc, err = doc.Without(name); err != nil {
			return nil, err
		}
	}
	return New(doc), nil
}

func oldNumber(dimension string) (int32, bool) {
	for number, id := range oldDimensions {
		if id == dimension {
			return int32(number), true
		}
	}
	text, ok := strings.CutPrefix(dimension, "DIM")
	var number int32
	if n, err := fmt.Sscanf(text, "%d", &number); !ok || n != 1 || err != nil || fmt.Sprintf("%d", number) != text {
		return 0, false
	}
	return number, true
}

// GameType returns the game mode: 0 survival, 1 creative, 2 adventure, 3
// spectator.
func (p *Player) GameType() int32 {
	mode, _ := p.Root().Get("playerGameType").Int()
	return int32(mode)
}

// Health returns the health in half hearts: a float, before 1.9 a short.
func (p *Player) Health() float32 {
	for _, name := range []string{"HealF", "Health"} { // HealF until 1.9
		if v, ok := p.Root().Get(name).Float(); ok {
			return float32(v)
		}
	}
	return 0
}

// Food returns the food level, 0 to 20.
func (p *Player) Food() int32 {
	food, _ := p.Root().Get("foodLevel").Int()
	return int32(food)
}

// Levels returns the levels of experience.
func (p *Player) Levels() int32 {
	levels, _ := p.Root().Get("XpLevel").Int()
	return int32(levels)
}

// Inventory returns the list of items that the player carries, as it stands.
func (p *Player) Inventory() nbt.Tag { return p.Root().Get("Inventory") }

// Equipment returns what the player wears, a compound since 1.21.5; before, it
// is in the inventory.
func (p *Player) Equipment() nbt.Tag { return p.Root().Get("equipment") }

// EnderItems returns the list of items in the player's ender chest.
func (p *Player) EnderItems() nbt.Tag { return p.Root().Get("EnderItems") }
