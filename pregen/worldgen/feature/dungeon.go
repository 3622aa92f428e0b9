package feature

import (
	"strata/anvil/block"
	"strata/pregen/worldgen/provider"
)

// dungeon is the feature monster_room.
type dungeon struct{ keep *Blocks }

func newDungeon(l *Loader, config provider.Value) (Feature, error) {
	keep, err := l.tag(config, "minecraft:features_cannot_replace")
	return dungeon{keep}, err
}

// room is the inside of a dungeon: half of its size along x and z.
type room struct{ halfX, halfZ int }

func (f dungeon) Place(c *Context, x, y, z int) bool {
	r := room{halfX: int(c.Random.IntN(2)) + 2}
	r.halfZ = int(c.Random.IntN(2)) + 2
	if !r.fits(c.View, x, y, z) {
		return false
	}
	f.build(c, r, x, y, z)
	for range 2 {
		f.chest(c, r, x, y, z)
	}
	f.set(c, x, y, z, block.Spawner.Default())
	mobs := [...]string{"skeleton", "zombie", "zombie", "spider"}
	mob := mobs[c.Random.IntN(int32(len(mobs)))]
	if c.Block(x, y, z).Block() == block.Spawner {
		c.AddBlockEntity(BlockEntity{
			X: int32(x), Y: int32(y), Z: int32(z), ID: "minecraft:mob_spawner", Spawner: "minecraft:" + mob,
		})
	}
	return true
}

// fits reports whether floor and ceiling are solid and there are one to five
// openings at the foot of the walls.
func (r room) fits(v *View, x, y, z int) bool {
	openings := 0
	for dx := -r.halfX - 1; dx <= r.halfX+1; dx++ {
		for dy := -1; dy <= 4; dy++ {
			for dz := -r.halfZ - 1; dz <= r.halfZ+1; dz++ {
				s := v.Block(x+dx, y+dy, z+dz)
				if (dy == -1 || dy == 4) && !Solid(s) {
					return false
				}
				if dy == 0 && r.wall(dx, dz) && s.Air() && v.Block(x+dx, y+1, z+dz).Air() {
					openings++
				}
			}
		}
	}
	return 1 <= openings && openings <= 5
}

// wall reports whether a column is in the walls.
func (r room) wall(dx, dz int) bool {
	return dx == -r.halfX-1 || dx == r.halfX+1 || dz == -r.halfZ-1 || dz == r.halfZ+1
}

func (f dungeon) build(c *Context, r room, x, y, z int) {
	for dx := -r.halfX - 1; dx <= r.halfX+1; dx++ {
		for dy := 3; dy >= -1; dy-- {
			for dz := -r.halfZ - 1; dz <= r.halfZ+1; dz++ {
				px, py, pz := x+dx, y+dy, z+dz
				s := c.Block(px, py, pz)
				switch {
				case dy != -1 && !r.wall(dx, dz):
					if s.Block() != block.Chest && s.Block() != block.Spawner {
						f.set(c, px, py, pz, caveAir)
					}
				case py >= c.MinY() && !Solid(c.Block(px, py-1, pz)):
					c.Set(px, py, pz, caveAir)
				case Solid(s) && s.Block() != block.Chest:
					stone := block.Cobblestone
					if dy == -1 && c.Random.IntN(4) != 0 {
						stone = block.MossyCobblestone
					}
					f.set(c, px, py, pz, stone.Default())
				}
			}
		}
	}
}

// chest places a chest at a wall, in three tries.
func (f dungeon) chest(c *Context, r room, x, y, z int) {
	for range 3 {
		px := x + int(c.Random.IntN(int32(2*r.halfX+1))) - r.halfX
		pz := z + int(c.Random.IntN(int32(2*r.halfZ+1))) - r.halfZ
		if !c.Block(px, y, pz).Air() {
			continue
		}
		walls := 0
		for _, d := range beside {
			if Solid(c.Block(px+d[0], y, pz+d[1])) {
				walls++
			}
		}
		if walls != 1 {
			continue
		}
		f.set(c, px, y, pz, TurnChest(c.View, block.Chest.Default(), px, y, pz))
		if c.Block(px, y, pz).Block() == block.Chest {
			c.AddBlockEntity(BlockEntity{
				X: int32(px), Y: int32(y), Z: int32(pz), ID: "minecraft:chest",
				LootTable: "minecraft:chests/simple_dungeon", LootSeed: c.Random.Long(),
			})
		}
		return
	}
}

// set sets a block unless what is there stays.
func (f dungeon) set(c *Context, x, y, z int, s block.State) {
	if !f.keep.Has(c.Block(x, y, z)) {
		c.Set(x, y, z, s)
	}
}

// TurnChest turns a chest away from the only wall beside it; without one, from
// the wall that it faces, if there is room.
func TurnChest(v *View, chest block.State, x, y, z int) block.State {
	solid := func(side int) bool {
		d := beside[side&3]
		return v.Block(x+d[0], y, z+d[1]).SolidRender()
	}
	wall, walls := 0, 0
	for side, d := range beside {
		if v.Block(x+d[0], y, z+d[1]).Block() == block.Chest {
			return chest
		}
		if !solid(side) {
			continue
		}
		wall = side
		if walls++; walls == 2 {
			break
		}
	}
	face := wall + 2
	if walls != 1 {
		face = 0
		for toward[face].String() != chest.Property("facing") {
			face++
		}
		for _, turn := range [...]int{2, 1, 2} {
			if !solid(face) {
				break
			}
			face += turn
		}
	}
	turned, _ := chest.With("facing", toward[face&3].String())
	return turned
}
