package gen

import (
	"sync"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
	"strata/pregen/worldgen/rng"
	"strata/pregen/worldgen/structure"
	"strata/region"
)

// entityStates are the states of blocks with block entities.
var entityStates = sync.OnceValue(func() *[block.StateCount]bool {
	all := new([block.StateCount]bool)
	for s := range all {
		all[s] = structure.EntityOf(block.State(s).Block()) != ""
	}
	return all
})

// compound writes a compound whose members some others take the place of.
type compound struct {
	nbt.Writer
	taken map[string]bool
}

func newCompound(others []feature.Member) *compound {
	w := &compound{taken: make(map[string]bool, len(others))}
	for _, m := range others {
		w.taken[m.Name] = true
	}
	w.Reset(nil)
	w.BeginCompound()
	return w
}

// has reports whether the writer is to write a member.
func (w *compound) has(name string) bool { return !w.taken[name] }

// finish writes the others and returns the compound.
func (w *compound) finish(others []feature.Member) (nbt.Raw, error) {
	for _, m := range others {
		w.Name(m.Name).Raw(m.Value)
	}
	w.End()
	data, err := w.Bytes()
	if err != nil {
		return nbt.Raw{}, err
	}
	return nbt.Raw{Type: nbt.TypeCompound, Data: data[1:]}, nil
}

// identities makes the UUIDs of the entities of a chunk, a function of the seed
// and of how many there are before.
type identities struct{ random rng.Xoroshiro }

// entitySalt keeps these numbers from those that terrain is made of.
const entitySalt = 0x656E746974696573

func (w *worker) identities(p region.ChunkPos, before int) *identities {
	random := rng.NewWorldgenLegacy(0)
	seed := random.SetDecorationSeed(w.generator.dimension.seed, p.X<<4, p.Z<<4)
	ids := &identities{rng.NewXoroshiro(seed ^ entitySalt)}
	for range before {
		ids.next()
	}
	return ids
}

// next returns a random UUID, of version 4.
func (ids *identities) next() [4]int32 {
	high, low := uint64(ids.random.Long()), uint64(ids.random.Long())
	high = high&^0xF000 | 0x4000
	low = low&^(3<<62) | 2<<62
	return [4]int32{int32(high >> 32), int32(high), int32(low >> 32), int32(low)}
}

// body is what every entity has.
type body struct {
	id      string
	x, y, z float64
	yaw     float32
	air     int16
}

// write writes it.
func (b *body) write(w *compound, ids *identities) {
	uuid := ids.next()
	if w.has("id") {
		w.Name("id").String(b.id)
	}
	w.Name("Pos").Value([]float64{b.x, b.y, b.z})
	if w.has("Motion") {
		w.Name("Motion").Value([]float64{0, 0, 0})
	}
	if w.has("Rotation") {
		w.Name("Rotation").Value([]float32{b.yaw, 0})
	}
	if w.has("UUID") {
		w.Name("UUID").IntArray(uuid[:])
	}
	for _, m := range []struct {
		name  string
		value int16
	}{{"Air", b.air}, {"Fire", 0}} {
		if w.has(m.name) {
			w.Name(m.name).Short(m.value)
		}
	}
	if w.has("PortalCooldown") {
		w.Name("PortalCooldown").Int(0)
	}
	if w.has("fall_distance") {
		w.Name("fall_distance").Double(0)
	}
	for _, name := range []string{"Invulnerable", "OnGround"} {
		if w.has(name) {
			w.Name(name).Bool(false)
		}
	}
}

// fullAir is how much air an entity has that is not under water.
const fullAir = 300

// storeEntity is an entity of decoration as NBT.
func storeEntity(e *feature.Entity, ids *identities) (nbt.Raw, error) {
	w := newCompound(e.Extra)
	(&body{id: e.ID, x: e.X, y: e.Y, z: e.Z, air: fullAir}).write(w, ids)
	return w.finish(e.Extra)
}
