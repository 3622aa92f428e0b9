package prune

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/edit"
	"strata/anvil/query"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/anvil/undo"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
)

// remove does what a plan says and returns the sizes that were expected.
func (r *rig) remove(p *Plan) *Sizes {
	r.t.Helper()
	sizes, err := Measure(r.s, scan.Files(r.w), p.Chunks)
	if err != nil {
		r.t.Fatal(err)
	}
	change, err := undo.Begin(r.s, "prune", undo.Options{})
	if err != nil {
		r.t.Fatal(err)
	}
	deleted, err := edit.Delete(ctx, r.s, p.Chunks, edit.DeleteOptions{Change: change})
	if err != nil || deleted.Failed > 0 || deleted.Chunks != p.Remove {
		r.t.Fatalf("deleted %+v of %d: %v", deleted, p.Remove, err)
	}
	if err := change.Finish(ctx); err != nil {
		r.t.Fatal(err)
	}
	if failed, err := sizes.Compact(ctx); err != nil || len(failed) > 0 {
		r.t.Fatal(failed, err)
	}
	return sizes
}

// TestPruneTouchesNothingButWhatItPlans removes at random from a world with all
// statuses: the other records stay as they are, those of other dimensions at the
// same places too, and undo brings everything back.
func TestPruneTouchesNothingButWhatItPlans(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 9))
	r := newRig(t)
	statuses := map[region.ChunkPos]string{}
	square(-6, 6, func(pos region.ChunkPos) {
		pos.X += 60 // over the border of two regions, far from the spawn
		statuses[pos] = pick(rng, "full", "full", "full", "carvers", "initialize_light", "noise", "structure_starts")
		r.chunk(overworld, pos, statuses[pos], pick(rng, int64(0), 0, 700))
		r.chunk(nether, pos, "full", 0)
	})
	before := r.content()
	p := r.decide("inhabited == 0", Rules{Margin: 1, Spawn: true, Radius: 4}, overworld)
	if p.Remove == 0 || p.Margin == 0 || p.Picked != p.Remove+p.Margin {
		t.Fatalf("%+v", p.Decided)
	}
	want := map[string]string{}
	for name, record := range before {
		want[name] = record
	}
	gone := map[region.ChunkPos]bool{}
	for _, at := range p.Chunks.Regions() {
		for _, pos := range p.Chunks.In(at) {
			gone[pos] = true
			for _, k := range []string{"region", "entities", "poi"} {
				delete(want, overworld+" "+k+" "+pos.String())
			}
		}
	}
	sizes := r.remove(p)
	if diff := cmp.Diff(want, r.content()); diff != "" {
		t.Error(diff)
	}
	if now := Bytes(scan.Files(r.w)); now != sizes.After || now >= sizes.Before {
		t.Errorf("%d bytes, expected %d of %d", now, sizes.After, sizes.Before)
	}
	// No tree is cut: what is decorated and stays with players has all around it
	// that it could have reached.
	for pos, status := range statuses {
		if gone[pos] || status != "full" && status != "initialize_light" || before[overworld+" region "+pos.String()] == "" {
			continue
		}
		for _, next := range around(pos) {
			s := statuses[next]
			if gone[next] && (s == "full" || s == "initialize_light" || s == "carvers") && !r.isMargin(pos) {
				t.Errorf("%v (%s) stays, %v (%s) beside it is gone", pos, status, next, s)
			}
		}
	}
	r.undo()
	if diff := cmp.Diff(before, r.content()); diff != "" {
		t.Error("after undo:", diff)
	}
}

// isMargin reports whether a chunk was picked and stays.
func (r *rig) isMargin(pos region.ChunkPos) bool {
	r.t.Helper()
	rec, err := r.raw(overworld, store.Chunks).Read(pos, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	var c struct{ InhabitedTime int64 }
	if err := nbt.Unmarshal(rec.Data, &c); err != nil {
		r.t.Fatal(err)
	}
	return c.InhabitedTime == 0
}

func (r *rig) undo() {
	r.t.Helper()
	trail, err := undo.Find(r.s, "")
	if err != nil {
		r.t.Fatal(err)
	}
	report, err := undo.Undo(ctx, trail, undo.RestoreOptions{})
	if err := errors.Join(err, trail.Close()); err != nil || len(report.Failed) > 0 {
		r.t.Fatal(report, err)
	}
}

func TestProtectedChunksStay(t *testing.T) {
	r := newRig(t)
	square(-8, 8, func(pos region.ChunkPos) { r.chunk(overworld, pos, "full", 0) })
	selection := &query.Selection{}
	selection.Add(region.ChunkPos{X: 8, Z: 8})
	for name, c := range map[string]struct {
		rules     Rules
		protected int64
		margin    int64
	}{
		"nothing":           {Rules{Margin: 1}, 0, 0},
		"the spawn":         {Rules{Spawn: true, Radius: 2}, 25, 0},
		"and around":        {Rules{Spawn: true, Radius: 2, Margin: 2}, 25, 81 - 25},
		"a circle":          {Rules{Circles: []Circle{{X: -72, Z: -72, Radius: 4}}, Margin: 1}, 1, 8},
		"a selection":       {Rules{Selection: selection, Margin: 1}, 1, 3},
		"players, of which": {Rules{Players: true, Respawns: true, Forced: true, Radius: 3}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := r.decide("true", c.rules)
			if p.Protected != c.protected || p.Margin != c.margin || p.Picked != 17*17 || p.Looked != p.Picked || len(p.Blind) > 0 {
				t.Errorf("%+v of %d", p.Decided, p.Looked)
			}
		})
	}
}

func TestRulesOutOfRangeAreRefused(t *testing.T) {
	r := newRig(t)
	q, err := query.Compile("")
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range []Rules{{Margin: -1}, {Margin: MaxMargin + 1}, {Radius: -1}, {Radius: MaxRadius + 1}, {Circles: []Circle{{Radius: -1}}}} {
		if _, err := Decide(ctx, r.w, r.s, q, query.Options{}, rules); !errors.Is(err, ErrRules) {
			t.Errorf("%+v: %v", rules, err)
		}
	}
}

// TestUnreadableChunksAndFilesCountAsFull: nothing beside them goes, and of a
// file that cannot be read nothing does.
func TestUnreadableChunksAndFilesCountAsFull(t *testing.T) {
	r := newRig(t)
	square(-3, 3, func(pos region.ChunkPos) { r.chunk(overworld, pos, "full", 0) })
	r.flush()
	r.put(overworld, store.Chunks, region.ChunkPos{X: -3, Z: -3}, []byte("no document"))
	p := r.decide(`status == "full"`, Rules{Margin: 1})
	if p.Picked != 48 || p.Margin != 3 || p.Remove != 45 {
		t.Errorf("%+v", p.Decided)
	}
	// A folder in the place of a region file.
	d, err := r.w.Dimension(overworld)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(d.Region, "r.-2.-1.mca"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.chunk(overworld, region.ChunkPos{X: -32, Z: -1}, "full", 0)
	p = r.decide(`status == "full"`, Rules{Margin: 1})
	if len(p.Result.Failed) == 0 {
		t.Fatal("a folder in the place of a file is no failure")
	}
	if p.Picked != 49 || p.Margin != 4 {
		t.Errorf("%+v, failed %v", p.Decided, p.Result.Failed)
	}
}

func TestWhoeverCannotReadPlayersDecidesNothing(t *testing.T) {
	r := newRig(t)
	r.chunk(overworld, region.ChunkPos{}, "full", 0)
	dir := r.w.Players().Data
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	name := "00000000-0000-0000-0000-000000000001.dat"
	if err := os.WriteFile(filepath.Join(dir, name), []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	if p := r.decide("true", Rules{Players: true}); len(p.Blind) != 1 {
		t.Errorf("blind: %v", p.Blind)
	}
	if p := r.decide("true", Rules{Spawn: true}); len(p.Blind) != 0 {
		t.Errorf("blind without a need for players: %v", p.Blind)
	}
}

func TestPlayersProtectWhereTheyAreAndRespawn(t *testing.T) {
	r := newRig(t)
	square(-5, 5, func(pos region.ChunkPos) { r.chunk(overworld, pos, "full", 0) })
	dir := r.w.Players().Data
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	data, err := nbt.Marshal(map[string]any{
		"DataVersion": int32(4903), "Dimension": overworld, "Pos": nbt.List{Elem: nbt.TypeDouble, Items: []any{-79.5, 64.0, -79.5}},
		"respawn": map[string]any{"dimension": overworld, "pos": []int32{80, 64, 80}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if data, err = nbt.Pack(nil, data, nbt.Gzip); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "00000000-0000-0000-0000-000000000001.dat"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules Rules
		want  int64
	}{{Rules{Players: true, Radius: 1}, 4}, {Rules{Respawns: true, Radius: 2}, 9}, {Rules{Players: true, Respawns: true}, 2}} {
		if p := r.decide("true", c.rules); p.Protected != c.want {
			t.Errorf("%+v: %+v", c.rules, p.Decided)
		}
	}
}

func TestWholeRegionsGoWithTheirFiles(t *testing.T) {
	r := newRig(t)
	square(-2, 2, func(pos region.ChunkPos) { r.chunk(overworld, pos, "full", 500) })
	square(-2, 2, func(pos region.ChunkPos) {
		r.chunk(overworld, region.ChunkPos{X: pos.X + 100, Z: pos.Z + 50}, "full", 0)
	})
	big := make([]byte, 300*region.SectorBytes)
	for i := range big {
		big[i] = byte(i * i >> 3)
	}
	at := region.ChunkPos{X: 98, Z: 48}
	chunkOf := map[string]any{"DataVersion": int32(4903), "xPos": at.X, "zPos": at.Z, "Status": "minecraft:full", "InhabitedTime": int64(0), "big": big}
	r.flush()
	r.put(overworld, store.Chunks, at, chunkOf)
	r.flush()
	if body := r.bodies(); len(body) != 1 {
		t.Fatalf("bodies: %v", body)
	}
	r.remove(r.decide("inhabited == 0", Rules{Margin: 1}))
	var left []string
	for _, f := range scan.Files(r.w).Files {
		left = append(left, f.Kind.String()+" "+f.Pos.Name())
	}
	want := []string{}
	for _, k := range []string{"region", "entities", "poi"} {
		for _, name := range []string{"r.-1.-1.mca", "r.-1.0.mca", "r.0.-1.mca", "r.0.0.mca"} {
			want = append(want, k+" "+name)
		}
	}
	slices.Sort(want)
	slices.Sort(left)
	if diff := cmp.Diff(want, left); diff != "" || len(r.bodies()) != 0 {
		t.Error(diff, r.bodies())
	}
}

func (r *rig) bodies() []string {
	r.t.Helper()
	d, err := r.w.Dimension(overworld)
	if err != nil {
		r.t.Fatal(err)
	}
	all, err := filepath.Glob(filepath.Join(d.Region, "*.mcc"))
	if err != nil {
		r.t.Fatal(err)
	}
	return all
}
