package edit

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/anvil"
	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/nbt/snbt"
	"strata/region"
	"strata/region/codec"
)

// document makes the bytes of a document of SNBT.
func document(t testing.TB, text string) []byte {
	t.Helper()
	value, err := snbt.Parse(text, nbt.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return append([]byte{10, 0, 0}, value.Data...)
}

// recordOf is the record of a document, of chunk 10,-3 of the overworld.
func recordOf(t testing.TB, kind store.Kind, text string) *record {
	t.Helper()
	r := &record{
		ref: store.Ref{Kind: kind, Pos: region.ChunkPos{X: 10, Z: -3}}, dimension: anvil.Overworld,
		scheme: codec.Zlib, rec: region.Record{Scheme: codec.Zlib},
	}
	if err := r.parse(document(t, text)); err != nil {
		t.Fatal(err)
	}
	return r
}

func fieldsOf(t testing.TB, texts ...string) *Fields {
	t.Helper()
	f, err := ParseFields(texts)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func text(r *record) string { return string(snbt.Append(nil, r.tape.Root(), snbt.Compact)) }

// normal is SNBT as it is printed.
func normal(t testing.TB, kind store.Kind, s string) string {
	t.Helper()
	return text(recordOf(t, kind, s))
}

func TestFieldsChangeWhatTheySayAndNothingElse(t *testing.T) {
	const recent, old, flat = "DataVersion:4903,", "DataVersion:2586,", "DataVersion:1343,"
	for _, c := range []struct {
		field    string
		kind     store.Kind
		in, want string // want "" is in, unchanged
	}{
		{"status=full", 0, `{` + recent + `Status:"minecraft:carvers",a:1}`, `{` + recent + `Status:"minecraft:full",a:1}`},
		{"status=full", 0, `{` + recent + `Status:"minecraft:full"}`, ``},
		{"status=minecraft:carvers", 0, `{` + old + `Level:{Status:"full",b:2}}`, `{` + old + `Level:{Status:"carvers",b:2}}`},
		{"fix_status=true", 0, `{` + recent + `Status:"minecraft:empty",sections:[{Y:0b,block_states:{palette:[{Name:"a:b"}]}}]}`,
			`{` + recent + `Status:"minecraft:full",sections:[{Y:0b,block_states:{palette:[{Name:"a:b"}]}}]}`},
		{"fix_status=true", 0, `{` + recent + `Status:"minecraft:empty",sections:[]}`, ``},
		{"fix_status=true", 0, `{` + recent + `Status:"minecraft:noise",sections:[{Y:0b,block_states:{palette:[{Name:"a:b"}]}}]}`, ``},
		{"inhabited=7", 0, `{` + recent + `InhabitedTime:3L,x:1}`, `{` + recent + `InhabitedTime:7L,x:1}`},
		{"inhabited=7", 0, `{` + old + `Level:{InhabitedTime:3L}}`, `{` + old + `Level:{InhabitedTime:7L}}`},
		{"last_update=9", 0, `{` + recent + `LastUpdate:3L}`, `{` + recent + `LastUpdate:9L}`},
		{"light=false", 0, `{` + recent + `isLightOn:1b}`, `{` + recent + `isLightOn:0b}`},
		{"light=true", 0, `{` + flat + `Level:{LightPopulated:0b}}`, `{` + flat + `Level:{LightPopulated:1b}}`},
		{"delete_light=true", 0, `{` + recent + `isLightOn:1b,sections:[{Y:1b,SkyLight:[B;1b],BlockLight:[B;2b],z:1}]}`,
			`{` + recent + `isLightOn:0b,sections:[{Y:1b,z:1}]}`},
		{"biome=plains", 0, `{` + recent + `sections:[{Y:0b,biomes:{palette:["minecraft:desert","minecraft:plains"],data:[L;1L]}},{Y:1b}]}`,
			`{` + recent + `sections:[{Y:0b,biomes:{palette:["minecraft:plains"]}},{Y:1b}]}`},
		{"replace_biomes=desert=my:own", 0, `{` + recent + `sections:[{Y:0b,biomes:{palette:["minecraft:desert","minecraft:plains"],data:[L;1L]}}]}`,
			`{` + recent + `sections:[{Y:0b,biomes:{palette:["my:own","minecraft:plains"],data:[L;1L]}}]}`},
		{"replace_biomes=#is_ocean=plains", 0, `{` + recent + `sections:[{Y:0b,biomes:{palette:["minecraft:deep_ocean"]}}]}`,
			`{` + recent + `sections:[{Y:0b,biomes:{palette:["minecraft:plains"]}}]}`},
		{"replace_biomes=river=plains", 0, `{` + recent + `sections:[{Y:0b,biomes:{palette:["minecraft:deep_ocean"]}}]}`, ``},
		{"delete_entities=true", 0, `{` + old + `Level:{Entities:[{id:"minecraft:pig"}]}}`, `{` + old + `Level:{Entities:[]}}`},
		{"delete_entities=pig,*_minecart", store.Entities,
			`{` + recent + `Position:[I;10,-3],Entities:[{id:"minecraft:pig"},{id:"minecraft:cow",Passengers:[{id:"pig"},{id:"a:b"}]},{id:"minecraft:chest_minecart"}]}`,
			`{` + recent + `Position:[I;10,-3],Entities:[{id:"minecraft:cow",Passengers:[{id:"a:b"}]}]}`},
		{"delete_entities=#undead", store.Entities, `{` + recent + `Entities:[{id:"minecraft:zombie"},{id:"minecraft:cow"}]}`,
			`{` + recent + `Entities:[{id:"minecraft:cow"}]}`},
		{"delete_sections=-1:0,5", 0, `{` + old + `Level:{Sections:[{Y:-1b},{Y:0b},{Y:1b},{Y:5b}],TileEntities:[{x:1,y:8,z:1},{x:1,y:18,z:1},{x:1,y:80,z:1}],Heightmaps:{a:1},isLightOn:1b}}`,
			`{` + old + `Level:{Sections:[{Y:1b}],TileEntities:[{x:1,y:18,z:1}],isLightOn:0b}}`},
		{"delete_structure_references=true", 0, `{` + recent + `structures:{starts:{"a:b":{}},References:{"minecraft:village_plains":[L;1L]}}}`,
			`{` + recent + `structures:{starts:{"a:b":{}},References:{}}}`},
		{"delete_structure_references=mineshaft", 0, `{` + old + `Level:{Structures:{Starts:{},References:{Mineshaft:[L;1L],b:[L;2L]}}}}`,
			`{` + old + `Level:{Structures:{Starts:{},References:{b:[L;2L]}}}}`},
		{"delete_structure_starts=village_*", 0, `{` + recent + `structures:{starts:{"minecraft:village_plains":{id:"x"},"a:b":{}},References:{c:[L;]}}}`,
			`{` + recent + `structures:{starts:{"a:b":{}},References:{c:[L;]}}}`},
		// 18,-3 is 8 away, 19,-3 is 9 away: x in the low half, z in the high one.
		{"fix_structure_references=true", 0, `{` + recent + `structures:{starts:{},References:{a:[L;-12884901870L,-12884901869L],b:[L;-12884901870L]}}}`,
			`{` + recent + `structures:{starts:{},References:{a:[L;-12884901870L],b:[L;-12884901870L]}}}`},
		{"prevent_retrogen=true", 0, `{` + recent + `Status:"minecraft:biomes",below_zero_retrogen:{target_status:"minecraft:full"}}`, `{` + recent + `Status:"minecraft:full"}`},
		{"prevent_retrogen=true", 0, `{` + recent + `Status:"minecraft:biomes"}`, ``},
		{"force_blend=true", 0, `{` + recent + `a:1}`, `{` + recent + `a:1,blending_data:{min_section:-4,max_section:20}}`},
		{"force_blend=true", 0, `{DataVersion:2860}`, `{DataVersion:2860,blending_data:{old_noise:1b}}`},
		{"fix_heightmaps=true", 0, `{` + old + `Level:{Heightmaps:{WORLD_SURFACE:[L;1L]},a:1}}`, `{` + old + `Level:{a:1}}`},
		{`nbt:a."b=c"[{d:1}].e='x=y'`, 0, `{` + recent + `a:{"b=c":[{d:1,e:"z"},{d:2,e:"z"}]}}`, `{` + recent + `a:{"b=c":[{d:1,e:"x=y"},{d:2,e:"z"}]}}`},
		{"nbt:nowhere=1", 0, `{` + recent + `a:1}`, ``},
		{"delete_nbt=a[0]", 0, `{` + recent + `a:[1,2],b:1}`, `{` + recent + `a:[2],b:1}`},
	} {
		if c.want == "" {
			c.want = c.in
		}
		r := recordOf(t, c.kind, c.in)
		if err := fieldsOf(t, c.field).apply(r); err != nil {
			t.Errorf("%s of %s: %v", c.field, c.in, err)
			continue
		}
		if d := cmp.Diff(normal(t, c.kind, c.want), text(r)); d != "" || r.changed != (c.want != c.in) {
			t.Errorf("%s of %s: changed %v: %s", c.field, c.in, r.changed, d)
		}
	}
}

func TestAnEntityChunkThatIsEmptiedGoes(t *testing.T) {
	r := recordOf(t, store.Entities, `{DataVersion:4903,Position:[I;10,-3],Entities:[{id:"minecraft:pig"}]}`)
	if err := fieldsOf(t, "delete_entities=pig").apply(r); err != nil || !r.remove {
		t.Errorf("removed %v, %v", r.remove, err)
	}
}

func TestFieldsThatAVersionDoesNotHaveAreRefused(t *testing.T) {
	for field, doc := range map[string]string{
		"replace_blocks=stone=dirt": `{DataVersion:1343,Level:{Sections:[{Y:0b,Blocks:[B;1b]}]}}`,
		"biome=plains":              `{DataVersion:2586,Level:{Biomes:[I;1]}}`,
		"force_blend=true":          `{DataVersion:2586,Level:{}}`,
		"status=full":               `{DataVersion:1631,Level:{Status:"fullchunk"}}`,
		"light=true":                `{DataVersion:1631,Level:{}}`,
		"fix_heightmaps=true":       `{DataVersion:1343,Level:{HeightMap:[I;1]}}`,
		"compression=lz4":           `{DataVersion:3700}`,
		"nbt:DataVersion=5":         `{DataVersion:4903}`,
	} {
		r := recordOf(t, store.Chunks, doc)
		before := placeOf(r)
		err := fieldsOf(t, field).apply(r)
		if err == nil {
			err = before.check(r)
		}
		if !errors.Is(err, ErrVersion) {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestPositionsAreNotChanged(t *testing.T) {
	for _, c := range []struct {
		field string
		kind  store.Kind
		doc   string
		ok    bool
	}{
		{"nbt:xPos=11", 0, `{DataVersion:4903,xPos:10,zPos:-3}`, false},
		{"nbt:xPos=10", 0, `{DataVersion:4903,xPos:11,zPos:-3}`, true}, // put right
		{"nbt:xPos=12", 0, `{DataVersion:4903,xPos:11,zPos:-3}`, false},
		{"delete_nbt=zPos", 0, `{DataVersion:4903,xPos:10,zPos:-3}`, false},
		{"nbt:Level.zPos=4", 0, `{DataVersion:2586,Level:{xPos:10,zPos:-3}}`, false},
		{"nbt:a=1", 0, `{DataVersion:4903,xPos:11,zPos:-3,a:2}`, true}, // wrong before, and still
	} {
		r := recordOf(t, c.kind, c.doc)
		before := placeOf(r)
		if err := fieldsOf(t, c.field).apply(r); err != nil {
			t.Fatal(err)
		}
		if err := before.check(r); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrPosition) {
			t.Errorf("%s of %s: %v", c.field, c.doc, err)
		}
	}
}

func TestWrongFieldsAreRefusedByName(t *testing.T) {
	for text, want := range map[string]error{
		"": ErrField, "status": ErrField, "colour=red": ErrField, "data_version=3": ErrField, "script=x": ErrField, "nbt:a": ErrField,
		"status=fuller": ErrValue, "inhabited=-1": ErrValue, "light=2": ErrValue, "fix_status=false": ErrValue, "biome=desserts": ErrValue,
		"replace_blocks=stone": ErrValue, "replace_blocks=stone=stoone": ErrValue, "replace_blocks=stone=dirt[facing=up]": ErrValue,
		"replace_blocks=#nothing=dirt": ErrValue, "replace_blocks=stone=*": ErrValue, "replace_blocks=oak_log[axis=stone": ErrValue, "compression=zip": ErrValue,
		"timestamp=yesterday": ErrValue, "timestamp=-1": ErrValue, "delete_sections=a": ErrValue, "delete_sections=1:200": ErrValue, "nbt:a={": ErrValue,
		"delete_nbt=[": ErrValue, "delete_entities=#none": ErrValue,
	} {
		if _, err := ParseFields([]string{text}); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	if _, err := ParseFields(nil); !errors.Is(err, ErrField) {
		t.Errorf("none: %v", err)
	}
}

func TestTimestampsAreReadInThreeForms(t *testing.T) {
	now := time.Unix(1000, 0)
	for text, want := range map[string]uint32{"now": 1000, "5": 5, "2026-11-30T12:00:00Z": 1796040000, "4294967295": 1<<32 - 1} {
		if got, err := timestampOf(text, now); err != nil || got != want {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
}

func TestEveryFieldHasAPlaceInTheList(t *testing.T) {
	peers := map[string]bool{}
	for _, f := range FieldList() {
		if f.Name == "" || f.Value == "" || f.Doc == "" {
			t.Errorf("%+v", f)
		}
		peers[f.Peer] = true
	}
	for peer := range strings.SplitSeq("LightPopulated InhabitedTime Timestamp Compression LastUpdate Status Biome ReplaceBlocks DeleteEntities DeleteSections "+
		"FixStatus FixHeightmaps DeleteStructureReference FixStructureReferences PreventRetrogen ForceBlend Custom", " ") {
		if !peers[peer] {
			t.Errorf("no field for %s", peer)
		}
	}
}

func TestCellsSurvivePackingInBothForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	for _, p := range []packing{{sectionCells, 4, true}, {sectionCells, 4, false}, {biomeCells, 1, true}} {
		for _, n := range []int{1, 2, 3, 16, 17, 33, 64, 65, 300, 4096} {
			if n > p.cells {
				continue
			}
			cells := make([]uint16, p.cells)
			for i := range cells {
				cells[i] = uint16(rng.IntN(n))
			}
			data := p.pack(cells, n)
			got, ok := p.unpack(data, n)
			if d := cmp.Diff(cells, got); !ok || d != "" {
				t.Errorf("%+v, %d: %v %s", p, n, ok, d)
			}
			if len(data) > 8 {
				if _, ok := p.unpack(data[8:], n); ok {
					t.Errorf("%+v, %d: one long less is taken", p, n)
				}
			}
		}
	}
	if _, ok := (packing{sectionCells, 4, true}).unpack(make([]byte, 2048), 0); ok {
		t.Error("cells without a palette are taken")
	}
}

func FuzzFields(f *testing.F) {
	for _, s := range []string{
		`{DataVersion:4903,xPos:10,zPos:-3,Status:"minecraft:full",sections:[{Y:0b,block_states:{palette:[{Name:"minecraft:stone"}]},biomes:{palette:["a:b"]}}],block_entities:[{x:1,y:1,z:1}]}`,
		`{DataVersion:2586,Level:{Sections:[{Y:0b,Palette:[{Name:"minecraft:stone"},{Name:"minecraft:air"}],BlockStates:[L;1L]}],Structures:{Starts:{},References:{a:[L;1L]}}}}`,
	} {
		f.Add(document(f, s))
	}
	var all []*Fields
	for _, s := range []string{
		"replace_blocks=*=dirt", "biome=plains", "delete_sections=0", "delete_entities=true", "fix_structure_references=true", "delete_light=true",
		"status=full", "fix_heightmaps=true", "nbt:sections[0]={}", "delete_nbt=Level", "force_blend=true",
	} {
		all = append(all, fieldsOf(f, s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, fields := range all {
			r := &record{ref: store.Ref{Pos: region.ChunkPos{X: 10, Z: -3}}, dimension: anvil.Overworld}
			if r.parse(data) != nil {
				return
			}
			if err := fields.apply(r); err != nil {
				continue
			}
			var tape nbt.Tape
			if err := tape.Parse(r.data); err != nil {
				t.Fatalf("what was made does not parse: %v", err)
			}
		}
	})
}

func TestKindsAreThoseThatFieldsMayWrite(t *testing.T) {
	for field, want := range map[string][]store.Kind{
		"inhabited=1": {store.Chunks}, "delete_entities=true": {store.Chunks, store.Entities},
		"replace_blocks=stone=dirt": {store.Chunks, store.POI}, "timestamp=1": {store.Chunks, store.Entities, store.POI},
	} {
		if d := cmp.Diff(want, fieldsOf(t, field).Kinds()); d != "" {
			t.Errorf("%s: %s", field, d)
		}
	}
}
