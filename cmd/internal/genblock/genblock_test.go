package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"strata/anvil/block"
	"strata/bench/testbed"
	"strata/cmd/internal/gamedata"
)

const tables = "../../../anvil/block"

// generated is the work of all tests: the sources take seconds to read.
var generated = sync.OnceValues(func() (*result, error) {
	sources, err := gamedata.Open(".")
	if err != nil {
		return nil, err
	}
	in, err := read(sources)
	if err != nil {
		return nil, err
	}
	f, err := build(in)
	if err != nil {
		return nil, err
	}
	out, err := emit(in, encode(in, f), sources.Inputs())
	return &result{in, out}, err
})

type result struct {
	in  *input
	out *output
}

func generateOnce(t *testing.T) *result {
	t.Helper()
	if testing.Short() {
		t.Skip("unpacks 85 MB of sources")
	}
	r, err := generated()
	if errors.Is(err, gamedata.ErrAbsent) {
		testbed.SkipOrFail(t, "%v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCommittedFilesAreFresh(t *testing.T) {
	out := generateOnce(t).out
	for name, want := range map[string][]byte{tablesName: out.tables, idsName: out.ids} {
		got, err := os.ReadFile(filepath.Join(tables, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./anvil/block", name)
		}
	}
	packed, err := os.ReadFile(filepath.Join(tables, packedName))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(unpack(packed), out.payload) {
		t.Errorf("%s is stale: run go generate ./anvil/block", packedName)
	}
}

func TestWriteKeepsATableThatIsPackedOtherwise(t *testing.T) {
	dir := t.TempDir()
	o := &output{payload: bytes.Repeat([]byte("table "), 1000), tables: []byte("a"), ids: []byte("b")}
	if err := o.write(dir); err != nil {
		t.Fatal(err)
	}
	// Two frames unpack to the same as one.
	first, err := pack(o.payload[:99])
	if err != nil {
		t.Fatal(err)
	}
	second, err := pack(o.payload[99:])
	if err != nil {
		t.Fatal(err)
	}
	other := append(first, second...)
	path := filepath.Join(dir, packedName)
	if err := os.WriteFile(path, other, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := o.write(dir); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, other) {
		t.Error("the packed table was written again")
	}
	o.payload[0] = 'T'
	if err := o.write(dir); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(unpack(got), o.payload) {
		t.Error("another table was not written")
	}
}

// The package against what minecraft-data says of its version.
func TestFactsEqualThePackage(t *testing.T) {
	in := generateOnce(t).in
	v := block.ForProtocol(775)
	if len(in.npm) != v.Blocks {
		t.Fatalf("%d blocks, want %d", len(in.npm), v.Blocks)
	}
	states := 0
	for name, b := range in.npm {
		id, ok := block.Find(name)
		if !ok {
			t.Fatalf("no block %s", name)
		}
		if id.Hardness() != strength(b) || id.BlastResistance() != b.Resistance || id.NeedsTool() != (b.HarvestTools != nil) {
			t.Errorf("%s: hardness %v, resistance %v, needs tool %t", name, id.Hardness(), id.BlastResistance(), id.NeedsTool())
		}
		initial := id.Default()
		if int(initial.Opacity()) != b.FilterLight || int(initial.LightEmission()) != b.EmitLight || initial.Occludes() == b.Transparent {
			t.Errorf("%v: opacity %d, light %d, occludes %t", initial, initial.Opacity(), initial.LightEmission(), initial.Occludes())
		}
		for wire := b.MinStateID; wire <= b.MaxStateID; wire++ {
			states++
			s, ok := v.State(uint16(wire))
			if !ok || s.Block() != id {
				t.Fatalf("state %d of %s is %v", wire, name, s)
			}
			want := in.shapes.Shapes[strconv.Itoa(shapeNumber(t, in.shapes.Blocks[name], wire-b.MinStateID))]
			if !sameBoxes(s.Collision(), want) {
				t.Errorf("%v collides with %v, want %v", s, s.Collision(), want)
			}
		}
	}
	if states != v.States {
		t.Errorf("%d states, want %d", states, v.States)
	}
}

func shapeNumber(t *testing.T, raw json.RawMessage, i int) int {
	t.Helper()
	var one int
	if json.Unmarshal(raw, &one) == nil {
		return one
	}
	var list []int
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	if len(list) == 1 {
		return list[0]
	}
	return list[i]
}

// sameBoxes compares without regard to order.
func sameBoxes(got []block.Box, want [][6]float64) bool {
	count := map[block.Box]int{}
	for _, b := range got {
		count[b]++
	}
	for _, b := range want {
		count[block.Box{MinX: b[0], MinY: b[1], MinZ: b[2], MaxX: b[3], MaxY: b[4], MaxZ: b[5]}]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestToolsEqualTheTags(t *testing.T) {
	in := generateOnce(t).in
	for tag, tool := range map[string]block.Tool{"pickaxe": block.Pickaxe, "axe": block.Axe, "shovel": block.Shovel, "hoe": block.Hoe} {
		tagged := map[string]bool{}
		for _, name := range in.tags["mineable/"+tag] {
			tagged[name] = true
		}
		if len(tagged) < 10 {
			t.Fatalf("%d blocks for the %s", len(tagged), tag)
		}
		for id := range block.ID(block.BlockCount) {
			if tagged[trim(id.Name())] != (id.Tool() == tool) {
				t.Errorf("%v has tool %d, in the tag of the %s: %t", id, id.Tool(), tag, tagged[trim(id.Name())])
			}
		}
	}
}

func TestNewBlocksHaveModelsOfTheSameForm(t *testing.T) {
	in := generateOnce(t).in
	old := map[string]reportBlock{}
	for _, b := range in.versions[1].report {
		old[b.Name] = b
	}
	missing := 0
	for _, b := range in.versions[0].report {
		if _, ok := old[b.Name]; ok {
			if modelOf[b.Name] != "" {
				t.Errorf("%s is not new, yet has a model", b.Name)
			}
			continue
		}
		missing++
		model, ok := old[modelOf[b.Name]]
		if !ok {
			t.Errorf("%s has the model %q", b.Name, modelOf[b.Name])
		}
		if b.States != model.States && model.States != 1 {
			t.Errorf("%s has %d states, its model %s %d", b.Name, b.States, model.Name, model.States)
		}
	}
	if missing != len(modelOf) || missing != 28 {
		t.Errorf("%d new blocks and %d models", missing, len(modelOf))
	}
}

func TestRulesAreCheckedForDeadLinesAndGaps(t *testing.T) {
	names := []string{"oak_log", "oak_slab", "stone"}
	got, err := rules[int]{{"oak_slab", 1}, {"oak_* stone", 2}}.apply("test", names, true)
	if err != nil || got["oak_slab"] != 1 || got["oak_log"] != 2 || got["stone"] != 2 {
		t.Errorf("got %v, %v", got, err)
	}
	for what, list := range map[string]rules[int]{
		"a name twice":        {{"oak_* stone", 1}, {"oak_log", 2}},
		"a pattern for none":  {{"oak_* stone birch_*", 1}},
		"a block left out":    {{"oak_*", 1}},
		"a malformed pattern": {{"[ oak_* stone", 1}},
	} {
		if _, err := list.apply("test", names, true); err == nil {
			t.Errorf("%s was taken", what)
		}
	}
}

func TestSidesOfShapes(t *testing.T) {
	whole := faceMask(bytes.Repeat([]byte{0xFF}, 32))
	lower := cube(0, 16)
	if lower.side(block.Down) != whole || lower.side(block.Up) != (faceMask{}) {
		t.Error("a lower slab covers its lower side alone")
	}
	// On the north side u is x and v is y: the lower half is the first half.
	want := faceMask(append(bytes.Repeat([]byte{0xFF}, 16), make([]byte, 16)...))
	if lower.side(block.North) != want || lower.side(block.South) != want {
		t.Errorf("north side %x", lower.side(block.North))
	}
	// On the west side u is y and v is z: each row is half covered.
	var rows faceMask
	for i := 0; i < len(rows); i += 2 {
		rows[i] = 0xFF
	}
	if lower.side(block.West) != rows || lower.side(block.East) != rows {
		t.Errorf("west side %x", lower.side(block.West))
	}
}

func TestShapesOffTheGridAreRefused(t *testing.T) {
	if _, err := newShape([][6]float64{{0, 0, 0, 1, 0.03, 1}}); err == nil {
		t.Error("an edge off the grid was taken")
	}
	if _, err := newShape([][6]float64{{0, 0, 0, 1, 5, 1}}); err == nil {
		t.Error("an edge out of range was taken")
	}
}
