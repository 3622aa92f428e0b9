package play

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"strata/anvil/level"
	"strata/anvil/player"
	"strata/nbt"
	"strata/server/inventory"
	"strata/server/protocol"
	"strata/server/stream"
)

// Files keeps the files of players. It is called on the tick goroutine.
type Files interface {
	// Read returns a player's file; fs.ErrNotExist if there is none.
	Read(id protocol.UUID) ([]byte, error)
	// Stage puts a player's file into the epoch that is going on.
	Stage(id protocol.UUID, file []byte) error
}

// savedEvery is how many ticks lie between two looks at whether a player has moved,
// which begins an epoch. What a player carries is staged in the tick in which it
// changes, so that it is in one epoch with what happened to it.
const savedEvery = 20

// errElsewhere is why a player cannot join.
var errElsewhere = errors.New("the player is in a dimension that is not here")

// restore gives a player what its file says. One that has none is new.
func (g *Game) restore(p *Player) error {
	if g.options.Files == nil {
		return nil
	}
	file, err := g.options.Files.Read(p.UUID())
	if errors.Is(err, fs.ErrNotExist) {
		return g.begin(p)
	}
	if err != nil {
		return err
	}
	doc, err := level.ParseDocument(file)
	if err != nil {
		return err
	}
	saved := player.New(doc)
	at, err := saved.Place()
	if err != nil {
		return err
	}
	in := g.dimension(at.Dimension)
	if in == nil {
		return fmt.Errorf("%w: %s", errElsewhere, at.Dimension)
	}
	for _, v := range []float64{at.X, at.Y, at.Z, float64(at.Yaw), float64(at.Pitch)} {
		if math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > maxHorizontal || math.Abs(at.Y) > maxVertical {
			return fmt.Errorf("%w: %v", player.ErrPlace, at)
		}
	}
	if err := p.items.Load(raw(saved.Inventory()), raw(saved.Equipment())); err != nil {
		return err
	}
	if err := p.ender.load(raw(saved.Root().Get("EnderItems"))); err != nil {
		return err
	}
	slot, _ := saved.Root().Get("SelectedItemSlot").Int()
	p.items.Hold(int(slot))
	if mode := saved.GameType(); 0 <= mode && mode <= int32(protocol.GameModeSpectator) && saved.Root().Get("playerGameType").Exists() && !g.options.ForceGameMode {
		p.mode = protocol.GameMode(mode)
	}
	p.in = in
	p.x, p.y, p.z, p.yaw, p.pitch = at.X, at.Y, at.Z, at.Yaw, at.Pitch
	p.loadVitals(saved.Root())
	p.doc, p.placed, p.saved = doc, true, p.items.Changes
	p.view = stream.View{Center: p.chunk(), Distance: g.distance(p)}
	return nil
}

// raw is a tag as a value; one that does not exist if the tag does not.
func raw(t nbt.Tag) nbt.Raw {
	if !t.Exists() {
		return nbt.Raw{}
	}
	return t.Raw()
}

// fresh is what a player's file has beside what is saved.
type fresh struct {
	UUID        []int32 `nbt:"UUID"`
	DataVersion int32   `nbt:"DataVersion"`
	Health      float32 `nbt:"Health"`
	Food        int32   `nbt:"foodLevel"`
	Saturation  float32 `nbt:"foodSaturationLevel"`
	Motion      [3]float64
	OnGround    bool `nbt:"OnGround"`
}

// begin makes the document of a player who has no file.
func (g *Game) begin(p *Player) error {
	id := p.UUID()
	f := fresh{UUID: make([]int32, 4), DataVersion: level.NativeVersion, Health: 20, Food: 20, Saturation: 5, OnGround: true}
	for i := range f.UUID {
		f.UUID[i] = int32(binary.BigEndian.Uint32(id[4*i:]))
	}
	data, err := nbt.Marshal(f)
	if err != nil {
		return err
	}
	var file bytes.Buffer // compressed, as the game's are
	z := gzip.NewWriter(&file)
	if _, err := z.Write(data); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	p.doc, err = level.ParseDocument(file.Bytes())
	return err
}

// savedPlayer is what of a player's file is ours. Its equipment is not merged but
// set, so that what was taken off is gone.
type savedPlayer struct {
	Pos        [3]float64  `nbt:"Pos"`
	Rotation   [2]float32  `nbt:"Rotation"`
	Dimension  string      `nbt:"Dimension"`
	OnGround   bool        `nbt:"OnGround"`
	GameType   int32       `nbt:"playerGameType"`
	Selected   int32       `nbt:"SelectedItemSlot"`
	Items      nbt.Raw     `nbt:"Inventory"`
	Ender      nbt.Raw     `nbt:"EnderItems"`
	Health     float32     `nbt:"Health"`
	Food       int32       `nbt:"foodLevel"`
	Saturation float32     `nbt:"foodSaturationLevel"`
	Level      int32       `nbt:"XpLevel"`
	Bar        float32     `nbt:"XpP"`
	Total      int32       `nbt:"XpTotal"`
	Spawn      *spawnPoint `nbt:"respawn,omitempty"`
	Death      *savedPlace `nbt:"LastDeathLocation,omitempty"`
}

// save stages a player's file, if it is another one than before. What lies on the
// cursor and in grids is saved among what is carried.
func (g *Game) save(p *Player) error {
	if g.options.Files == nil || p.doc == nil {
		return nil
	}
	carried := p.items
	w := p.window()
	for _, i := range gridOf(w.Kind()) {
		carried.Add(w.Get(i))
	}
	carried.Add(w.Cursor())
	items, worn := carried.Save()
	v := &p.vitals
	doc, err := p.doc.Merge(savedPlayer{
		[3]float64{p.x, p.y, p.z}, [2]float32{p.yaw, p.pitch}, p.in.ID(), p.onGround, int32(p.mode), int32(p.items.Held()), items, p.ender.saved(),
		v.health, v.food, v.saturation, v.level, v.bar, v.total, p.spawn, p.died,
	})
	if err == nil {
		doc, err = doc.Set(worn, "equipment")
	}
	if err != nil || doc == p.doc {
		return err
	}
	file, err := doc.Pack()
	if err != nil {
		return err
	}
	if err := g.options.Files.Stage(p.UUID(), file); err != nil {
		return err
	}
	p.doc = doc
	return nil
}

// gridOf are the slots of a window that a player's own do not have.
func gridOf(k inventory.Kind) []int {
	switch k {
	case inventory.Own:
		return []int{1, 2, 3, 4}
	case inventory.Crafting:
		return []int{1, 2, 3, 4, 5, 6, 7, 8, 9}
	default:
		return nil
	}
}

// SavePlayers stages the files of all players who are others than their files say.
// It is to be called where an epoch is about to end, and then has where they are at
// that moment.
func (g *Game) SavePlayers() {
	for _, p := range g.players {
		if p.joined {
			g.trySave(p)
		}
	}
}

// savePlayers stages the files of those whose items have changed, and now and then
// of all, so that there will be an epoch.
func (g *Game) savePlayers() {
	for _, p := range g.players {
		if p.joined && (p.items.Changes != p.saved || (g.ticks+int64(p.id))%savedEvery == 0) {
			g.trySave(p)
		}
	}
}

func (g *Game) trySave(p *Player) {
	if err := g.save(p); err != nil {
		g.options.Log.Error("a player cannot be saved", "player", p.Name(), "error", err)
	}
	p.saved = p.items.Changes
}
