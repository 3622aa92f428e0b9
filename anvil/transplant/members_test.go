package transplant

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/store"
	"strata/nbt"
	"strata/nbt/snbt"
	"strata/region"
)

// document makes a document of SNBT.
func document(t testing.TB, text string) []byte {
	t.Helper()
	value, err := snbt.Parse(text, nbt.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	data, err := nbt.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func snbtOf(t testing.TB, data []byte) string {
	t.Helper()
	var tape nbt.Tape
	if err := tape.Parse(data); err != nil {
		t.Fatal(err)
	}
	return string(snbt.Append(nil, tape.Root(), snbt.Compact))
}

// move rewrites a document that is at 1,2 by 10,-20 chunks: 160,-320 blocks.
func move(t testing.TB, kind store.Kind, text, to string) string {
	t.Helper()
	m := Mover{Move: Move{"minecraft:a", to, 10, -20}}
	in := document(t, text)
	before := string(in)
	out, err := m.Document(kind, region.ChunkPos{X: 1, Z: 2}, in)
	if err != nil {
		t.Fatal(err)
	}
	if string(in) != before {
		t.Error("the document itself was changed")
	}
	m.Move = m.Move.Back()
	back, err := m.Document(kind, region.ChunkPos{X: 11, Z: -18}, out.Data)
	if err != nil {
		t.Fatal(err)
	}
	if string(back.Data) != before {
		t.Errorf("there and back: %s", cmp.Diff(text, snbtOf(t, back.Data)))
	}
	return snbtOf(t, out.Data)
}

func TestEveryMemberWithAPlaceIsMoved(t *testing.T) {
	for name, c := range map[string]struct {
		kind       store.Kind
		text, want string
	}{
		"position": {store.Chunks, `{xPos:1,yPos:-4,zPos:2,LastUpdate:5L}`, `{xPos:11,yPos:-4,zPos:-18,LastUpdate:5L}`},
		"level":    {store.Chunks, `{Level:{xPos:1,zPos:2,xOther:1}}`, `{Level:{xPos:11,zPos:-18,xOther:1}}`},
		"ticks": {
			store.Chunks,
			`{block_ticks:[{i:a,x:16,y:3,z:32}],fluid_ticks:[{x:17,z:33}],Level:{TileTicks:[{x:18,z:34}],LiquidTicks:[{x:1,z:1}]},ToBeTicked:[[1s,2s]]}`,
			`{block_ticks:[{i:a,x:176,y:3,z:-288}],fluid_ticks:[{x:177,z:-287}],Level:{TileTicks:[{x:178,z:-286}],LiquidTicks:[{x:161,z:-319}]},ToBeTicked:[[1s,2s]]}`,
		},
		"upgrade": {
			store.Chunks,
			`{UpgradeData:{Indices:{"3":[I;1,2,3]},Sides:1b,neighbor_block_ticks:[{x:16,z:32}],neighbor_fluid_ticks:[{x:1,z:2}]}}`,
			`{UpgradeData:{Indices:{"3":[I;1,2,3]},Sides:1b,neighbor_block_ticks:[{x:176,z:-288}],neighbor_fluid_ticks:[{x:161,z:-318}]}}`,
		},
		"structures": {
			store.Chunks,
			`{structures:{References:{a:[L;8589934593L,-1L],b:[L;]},starts:{a:{id:"a",ChunkX:1,ChunkZ:2,BB:[I;1,2,3,4,5,6],Processed:[{X:1,Z:2}],Children:[` +
				`{BB:[I;1,2,3,4,5,6],TPX:1,TPY:2,TPZ:3,PosX:4,PosY:5,PosZ:6,GD:7,O:-1,Entrances:[[I;1,2,3,4,5,6]],junctions:[{source_x:1,source_ground_y:2,source_z:3,delta_y:4}]}` +
				`]},b:{id:INVALID}}}}`,
			`{structures:{References:{a:[L;-77309411317L,-90194313207L],b:[L;]},starts:{a:{id:a,ChunkX:11,ChunkZ:-18,BB:[I;161,2,-317,164,5,-314],Processed:[{X:11,Z:-18}],Children:[` +
				`{BB:[I;161,2,-317,164,5,-314],TPX:161,TPY:2,TPZ:-317,PosX:164,PosY:5,PosZ:-314,GD:7,O:-1,Entrances:[[I;161,2,-317,164,5,-314]],junctions:[{source_x:161,source_ground_y:2,source_z:-317,delta_y:4}]}` +
				`]},b:{id:INVALID}}}}`,
		},
		"block entities": {
			store.Chunks,
			`{block_entities:[{id:a,x:16,y:3,z:32,posX:1,posZ:2},{x:17,z:33,exit_portal:[I;1,2,3],flower_pos:[I;4,5,6],bees:[{entity_data:{hive_pos:[I;7,8,9]}}]},` +
				`{x:18,z:34,ExitPortal:{X:1,Y:2,Z:3},Bees:[{EntityData:{FlowerPos:{X:1,Y:2,Z:3}}}],cursors:[{pos:[I;1,2,3]}],listener:{event:{pos:[1.5d,2.5d,3.5d]},selector:{event:{pos:[4d,5d,6d]},tick:-1L},source:{pos:[I;1,2,3]}}}]}`,
			`{block_entities:[{id:a,x:176,y:3,z:-288,posX:1,posZ:2},{x:177,z:-287,exit_portal:[I;161,2,-317],flower_pos:[I;164,5,-314],bees:[{entity_data:{hive_pos:[I;167,8,-311]}}]},` +
				`{x:178,z:-286,ExitPortal:{X:161,Y:2,Z:-317},Bees:[{EntityData:{FlowerPos:{X:161,Y:2,Z:-317}}}],cursors:[{pos:[I;161,2,-317]}],listener:{event:{pos:[161.5d,2.5d,-316.5d]},selector:{event:{pos:[164.0d,5.0d,-314.0d]},tick:-1L},source:{pos:[I;161,2,-317]}}}]}`,
		},
		"spawners": {
			store.Chunks,
			`{block_entities:[{SpawnData:{entity:{Pos:[1d,2d,3d]}},SpawnPotentials:[{data:{entity:{Pos:[1d,2d,3d]}},weight:1},{Entity:{Pos:[1d,2d,3d]}}]},{SpawnData:{Pos:[1d,2d,3d],Passengers:[{Pos:[1d,2d,3d]}]}},` +
				`{spawn_data:{entity:{Pos:[1d,2d,3d]}},normal_config:{spawn_potentials:[{data:{entity:{Pos:[1d,2d,3d]}}}]},ominous_config:"a"}]}`,
			`{block_entities:[{SpawnData:{entity:{Pos:[161.0d,2.0d,-317.0d]}},SpawnPotentials:[{data:{entity:{Pos:[161.0d,2.0d,-317.0d]}},weight:1},{Entity:{Pos:[161.0d,2.0d,-317.0d]}}]},{SpawnData:{Pos:[161.0d,2.0d,-317.0d],Passengers:[{Pos:[161.0d,2.0d,-317.0d]}]}},` +
				`{spawn_data:{entity:{Pos:[161.0d,2.0d,-317.0d]}},normal_config:{spawn_potentials:[{data:{entity:{Pos:[161.0d,2.0d,-317.0d]}}}]},ominous_config:a}]}`,
		},
		"entities": {
			store.Entities,
			`{Position:[I;1,2],Entities:[{Pos:[16.5d,64d,32.25d],Motion:[1d,2d,3d],Rotation:[1f,2f],UUID:[I;1,2,3,4],Passengers:[{Pos:[1d,2d,3d],Passengers:[{block_pos:[I;1,2,3]}]}]},` +
				`{home_pos:[I;1,2,3],hive_pos:[I;1,2,3],beam_target:[I;1,2,3],sleeping_pos:[I;1,2,3],bound_pos:[I;1,2,3],anchor_pos:[I;1,2,3],patrol_target:[I;1,2,3],wander_target:[I;1,2,3],leash:[I;1,2,3]},` +
				`{leash:{UUID:[I;1,2,3,4]},"Paper.Origin":[1d,2d,3d],Unknown:[I;1,2,3],unknown_pos:{X:1,Y:2,Z:3}}]}`,
			`{Position:[I;11,-18],Entities:[{Pos:[176.5d,64.0d,-287.75d],Motion:[1.0d,2.0d,3.0d],Rotation:[1.0f,2.0f],UUID:[I;1,2,3,4],Passengers:[{Pos:[161.0d,2.0d,-317.0d],Passengers:[{block_pos:[I;161,2,-317]}]}]},` +
				`{home_pos:[I;161,2,-317],hive_pos:[I;161,2,-317],beam_target:[I;161,2,-317],sleeping_pos:[I;161,2,-317],bound_pos:[I;161,2,-317],anchor_pos:[I;161,2,-317],patrol_target:[I;161,2,-317],wander_target:[I;161,2,-317],leash:[I;161,2,-317]},` +
				`{leash:{UUID:[I;1,2,3,4]},Paper.Origin:[161.0d,2.0d,-317.0d],Unknown:[I;1,2,3],unknown_pos:{X:1,Y:2,Z:3}}]}`,
		},
		"entities, old names": {
			store.Chunks,
			`{Level:{Entities:[{TileX:1,TileY:2,TileZ:3,HomePosX:1,HomePosZ:3,TravelPosX:1,TravelPosZ:3,TreasurePosX:1,TreasurePosZ:3,SleepingX:1,SleepingZ:3,BoundX:1,BoundZ:3,AX:1,AZ:3,APX:1,APZ:3},` +
				`{HivePos:{X:1,Y:2,Z:3},BeamTarget:{X:1,Y:2,Z:3},PatrolTarget:{X:1,Y:2,Z:3},WanderTarget:{X:1,Y:2,Z:3},Leash:{X:1,Y:2,Z:3},xTile:-1s,TileEntityData:{x:1,z:3}}]}}`,
			`{Level:{Entities:[{TileX:161,TileY:2,TileZ:-317,HomePosX:161,HomePosZ:-317,TravelPosX:161,TravelPosZ:-317,TreasurePosX:161,TreasurePosZ:-317,SleepingX:161,SleepingZ:-317,BoundX:161,BoundZ:-317,AX:161,AZ:-317,APX:161,APZ:-317},` +
				`{HivePos:{X:161,Y:2,Z:-317},BeamTarget:{X:161,Y:2,Z:-317},PatrolTarget:{X:161,Y:2,Z:-317},WanderTarget:{X:161,Y:2,Z:-317},Leash:{X:161,Y:2,Z:-317},xTile:-1s,TileEntityData:{x:161,z:-317}}]}}`,
		},
		"memories": {
			store.Entities,
			`{Entities:[{Brain:{memories:{"minecraft:home":{value:{dimension:"minecraft:a",pos:[I;1,2,3]},ttl:5L},"minecraft:job_site":{dimension:"minecraft:a",pos:[I;1,2,3]},` +
				`"minecraft:visited_block_positions":{value:[{pos:[I;1,2,3],dimension:"minecraft:a"},{pos:[I;1,2,3],dimension:"minecraft:b"}]},"minecraft:age":{value:3}}}}]}`,
			`{Entities:[{Brain:{memories:{"minecraft:home":{value:{dimension:"minecraft:a",pos:[I;161,2,-317]},ttl:5L},"minecraft:job_site":{dimension:"minecraft:a",pos:[I;161,2,-317]},` +
				`"minecraft:visited_block_positions":{value:[{pos:[I;161,2,-317],dimension:"minecraft:a"},{pos:[I;1,2,3],dimension:"minecraft:b"}]},"minecraft:age":{value:3}}}}]}`,
		},
		"items": {
			store.Chunks,
			`{block_entities:[{Items:[{components:{"minecraft:lodestone_tracker":{target:{pos:[I;1,2,3],dimension:"minecraft:a"},tracked:1b},"minecraft:container":[{item:{components:{"minecraft:bees":[{entity_data:{flower_pos:[I;1,2,3]}}]}}}]}},` +
				`{tag:{LodestonePos:{X:1,Y:2,Z:3},LodestoneDimension:"minecraft:a"}},{tag:{LodestonePos:{X:1,Y:2,Z:3},LodestoneDimension:"minecraft:b"}}]}]}`,
			`{block_entities:[{Items:[{components:{"minecraft:lodestone_tracker":{target:{pos:[I;161,2,-317],dimension:"minecraft:a"},tracked:1b},"minecraft:container":[{item:{components:{"minecraft:bees":[{entity_data:{flower_pos:[I;161,2,-317]}}]}}}]}},` +
				`{tag:{LodestonePos:{X:161,Y:2,Z:-317},LodestoneDimension:"minecraft:a"}},{tag:{LodestonePos:{X:1,Y:2,Z:3},LodestoneDimension:"minecraft:b"}}]}]}`,
		},
		"points of interest": {
			store.POI,
			`{Sections:{"4":{Valid:1b,Records:[{pos:[I;16,64,32],type:"a",free_tickets:1}]},"5":{Records:[]}}}`,
			`{Sections:{"4":{Valid:1b,Records:[{pos:[I;176,64,-288],type:a,free_tickets:1}]},"5":{Records:[]}}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := move(t, c.kind, c.text, "minecraft:a")
			if want := snbtOf(t, document(t, c.want)); got != want {
				t.Error(cmp.Diff(want, got))
			}
			// Another dimension of the same length of name, and one of another.
			for _, to := range []string{"minecraft:c", "other:the_dimension"} {
				want := snbtOf(t, document(t, strings.ReplaceAll(c.want, `"minecraft:a"`, `"`+to+`"`)))
				if got := move(t, c.kind, c.text, to); got != want {
					t.Error(to, cmp.Diff(want, got))
				}
			}
		})
	}
}

func TestWhatHasAnotherShapeStaysByteForByte(t *testing.T) {
	for _, text := range []string{
		`{xPos:"1",zPos:[],block_ticks:{x:1},fluid_ticks:[1,2],structures:[],block_entities:[{x:"1",z:2b,flower_pos:[I;1,2],exit_portal:{X:1}}]}`,
		`{structures:{References:{a:[I;1,2],b:{}},starts:{a:{BB:[I;1,2,3],Children:[{BB:{},Entrances:[[I;1]],junctions:[{}]}]},b:7}}}`,
		`{Entities:{a:1},entities:[{Pos:[1d,2d],Brain:[],Passengers:{},listener:1,SpawnData:[],home_pos:"a"}],UpgradeData:1}`,
	} {
		if got, want := move(t, store.Chunks, text, "minecraft:a"), snbtOf(t, document(t, text)); got != want {
			t.Error(cmp.Diff(want, got))
		}
	}
}

func TestDocumentsThatCannotBeMovedAreRefused(t *testing.T) {
	here := region.ChunkPos{X: 1, Z: 2}
	m := Mover{Move: Move{"a", "a", 100, 100}}
	for name, c := range map[string]struct {
		kind store.Kind
		data []byte
		want error
	}{
		"no document":         {store.Chunks, []byte{1, 2, 3}, ErrShape},
		"nothing":             {store.Chunks, nil, ErrShape},
		"no compound":         {store.Chunks, []byte{byte(nbt.TypeInt), 0, 0, 0, 0, 0, 1}, ErrShape},
		"elsewhere":           {store.Chunks, document(t, `{xPos:1,zPos:3}`), ErrMisplaced},
		"elsewhere in Level":  {store.Chunks, document(t, `{Level:{xPos:2,zPos:2}}`), ErrMisplaced},
		"entities elsewhere":  {store.Entities, document(t, `{Position:[I;2,2]}`), ErrMisplaced},
		"tick out of range":   {store.Chunks, document(t, `{block_ticks:[{x:2147483647}]}`), ErrRange},
		"poi out of range":    {store.POI, document(t, `{Sections:{"1":{Records:[{pos:[I;1,2,2147483600]}]}}}`), ErrRange},
		"no such start chunk": {store.Chunks, document(t, `{structures:{References:{a:[L;9223372036854775807L]}}}`), ErrRange},
	} {
		if _, err := m.Document(c.kind, here, c.data); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, p := range []region.ChunkPos{{X: MaxChunk - 99}, {Z: MaxChunk - 99}, {X: math.MaxInt32}} {
		if to, err := m.Move.Pos(p); !errors.Is(err, ErrRange) {
			t.Errorf("%v to %v: %v", p, to, err)
		}
	}
	if to, err := m.Move.Pos(region.ChunkPos{X: MaxChunk - 100, Z: -MaxChunk}); err != nil || to.X != MaxChunk {
		t.Errorf("%v: %v", to, err)
	}
}

func TestNewIDsFollowWhatRefersToThem(t *testing.T) {
	ids := NewIDs(Move{"a", "a", 1, 0})
	text := `{Entities:[{UUID:[I;1,2,3,4],Owner:[I;5,6,7,8],leash:{UUID:[I;9,10,11,12]},Passengers:[{UUID:[I;5,6,7,8]}]},{UUIDMost:7L,UUIDLeast:8L,LoveCauseMost:7L,LoveCauseLeast:8L,OwnerMost:1L,OwnerLeast:8L}]}`
	data := document(t, text)
	var tape nbt.Tape
	if err := tape.Parse(data); err != nil {
		t.Fatal(err)
	}
	ids.collect(tape.Root())
	m := Mover{Move: ids.move, IDs: ids}
	out, err := m.Document(store.Entities, region.ChunkPos{}, data)
	if err != nil {
		t.Fatal(err)
	}
	if err := tape.Parse(out.Data); err != nil {
		t.Fatal(err)
	}
	first, second := tape.Root().Get("Entities").At(0), tape.Root().Get("Entities").At(1)
	id := func(tag nbt.Tag) (id ID) {
		ints, _ := tag.IntArray()
		copy(id[:], ints.Bytes())
		return id
	}
	want, _ := ids.Of(ID{3: 1, 7: 2, 11: 3, 15: 4})
	rider, _ := ids.Of(ID{3: 5, 7: 6, 11: 7, 15: 8})
	if id(first.Get("UUID")) != want || want == (ID{}) || want[6]>>4 != 4 || want[8]>>6 != 2 {
		t.Errorf("UUID %x, want %x", id(first.Get("UUID")), want)
	}
	if id(first.Get("Owner")) != rider || id(first.Get("Passengers").At(0).Get("UUID")) != rider || rider == want {
		t.Error("an owner that is copied is not the copy")
	}
	if id(first.Get("leash").Get("UUID")) != (ID{3: 9, 7: 10, 11: 11, 15: 12}) {
		t.Error("who is not copied has another UUID")
	}
	old, _ := ids.Of(ID{7: 7, 15: 8})
	most, _ := second.Get("UUIDMost").Int()
	love, _ := second.Get("LoveCauseLeast").Int()
	owner, _ := second.Get("OwnerMost").Int()
	if uint64(most) != binary.BigEndian.Uint64(old[:]) || uint64(love) != binary.BigEndian.Uint64(old[8:]) || owner != 1 {
		t.Errorf("two longs: %d, %d, %d", most, love, owner)
	}
	other := NewIDs(Move{"a", "a", 2, 0})
	other.Add(ID{3: 1, 7: 2, 11: 3, 15: 4})
	if again, _ := other.Of(ID{3: 1, 7: 2, 11: 3, 15: 4}); again == want {
		t.Error("two copies of one entity have one UUID")
	}
}

func FuzzDocument(f *testing.F) {
	f.Add(uint8(0), document(f, `{xPos:0,zPos:0,block_entities:[{x:1,z:2,Items:[{tag:{LodestonePos:{X:1,Z:2},LodestoneDimension:"a"}}]}]}`))
	f.Add(uint8(1), document(f, `{Position:[I;0,0],Entities:[{Pos:[1d,2d,3d],Brain:{memories:{a:{value:{pos:[I;1,2,3],dimension:"a"}}}}}]}`))
	f.Add(uint8(2), document(f, `{Sections:{"0":{Records:[{pos:[I;1,2,3]}]}}}`))
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		ids := NewIDs(Move{"a", "bb", 3, -5})
		m := Mover{Move: ids.move, IDs: ids}
		before := string(data)
		out, err := m.Document(store.Kind(kind%3), region.ChunkPos{}, data)
		if string(data) != before {
			t.Fatal("the document itself was changed")
		}
		if err != nil {
			return
		}
		var tape nbt.Tape
		if err := tape.Parse(out.Data); err != nil {
			t.Fatalf("what was made of it does not parse: %v", err)
		}
	})
}
