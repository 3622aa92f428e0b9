package diff

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench/testbed"
	"strata/nbt"
	"strata/nbt/path"
	"strata/nbt/snbt"
	"strata/region"
)

func TestDocumentsDifferByPath(t *testing.T) {
	for _, c := range []struct {
		old, now string
		ignore   string
		want     []PathChange
	}{
		{"{a:1}", "{a:1}", "", []PathChange{}},
		{"{a:1,b:2}", "{b:2,a:1}", "", []PathChange{}},
		{"{a:1}", "{a:1b}", "", []PathChange{{"a", "1", "1b"}}},
		{"{a:1}", "{b:1}", "", []PathChange{{"a", "1", ""}, {"b", "", "1"}}},
		{`{"a b":{"":1}}`, `{"a b":{"":2}}`, "", []PathChange{{`"a b".""`, "1", "2"}}},
		{`{'q"\\':1}`, `{}`, "", []PathChange{{`"q\"\\"`, "1", ""}}},
		{"{l:[1,2,3]}", "{l:[1,5,3]}", "", []PathChange{{"l[1]", "2", "5"}}},
		{"{l:[1,2,3]}", "{l:[1,3]}", "", []PathChange{{"l[1]", "2", ""}}},
		{"{l:[1,3]}", "{l:[0,1,3]}", "", []PathChange{{"l[0]", "", "0"}}},
		{"{l:[]}", "{l:[]}", "", []PathChange{}},
		{"{l:[I;1,2]}", "{l:[I;1,3]}", "", []PathChange{{"l", "[I;1,2]", "[I;1,3]"}}},
		{
			"{s:[{Y:0b,a:1},{Y:1b,a:2}]}", "{s:[{Y:1b,a:3},{Y:2b,a:2},{Y:0b,a:1}]}", "",
			[]PathChange{{"s[{Y:1b}].a", "2", "3"}, {"s[{Y:2b}]", "", "{Y:2b,a:2}"}},
		},
		{
			"{e:[{UUID:[I;1,2,3,4],p:1}]}", "{e:[{UUID:[I;0,0,0,0],p:2},{UUID:[I;1,2,3,4],p:2}]}", "",
			[]PathChange{{"e[{UUID:[I;0,0,0,0]}]", "", "{UUID:[I;0,0,0,0],p:2}"}, {"e[{UUID:[I;1,2,3,4]}].p", "1", "2"}},
		},
		{"{b:[{x:1,y:2,z:3,k:1}]}", "{b:[{x:1,y:2,z:3,k:2}]}", "", []PathChange{{"b[{x:1,y:2,z:3}].k", "1", "2"}}},
		// The order of palettes is content.
		{`{p:[{Name:"a"},{Name:"b"}]}`, `{p:[{Name:"b"},{Name:"a"}]}`, "", []PathChange{{"p[0].Name", `"a"`, `"b"`}, {"p[1].Name", `"b"`, `"a"`}}},
		{"{a:1,b:{c:1,d:1}}", "{a:2,b:{c:2,d:2}}", "b.c", []PathChange{{"a", "1", "2"}, {"b.d", "1", "2"}}},
		{"{a:1}", "{}", "a", []PathChange{}},
		{"{}", "{a:{b:1}}", "a", []PathChange{}},
		{"{e:[{P:[1d,2d],x:1},{P:[1d,2d],x:2}]}", "{e:[{P:[3d,2d],x:1},{P:[1d,4d],x:3}]}", "e[].P", []PathChange{{"e[1].x", "2", "3"}}},
		{"{Level:{a:1}}", "{Level:{a:2}}", "a", []PathChange{}},
	} {
		o := Options{}
		if c.ignore != "" {
			var err error
			if o.Ignore, err = ParseIgnore(c.ignore); err != nil {
				t.Fatal(err)
			}
		}
		got, err := Documents(document(t, c.old), document(t, c.now), o)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, got.Paths); d != "" || got.Changes != int64(len(c.want)) {
			t.Errorf("%s and %s: %d changes%s", c.old, c.now, got.Changes, d)
		}
	}
}

func TestListsOfDifferencesAreBounded(t *testing.T) {
	old, now := document(t, "{a:1,b:2,c:3}"), document(t, "{a:2,b:3,c:4}")
	for limit, want := range map[int]int{0: 3, 2: 2, -1: 0} {
		got, err := Documents(old, now, Options{Paths: limit})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Paths) != want || got.Changes != 3 {
			t.Errorf("limit %d: %d of %d", limit, len(got.Paths), got.Changes)
		}
	}
}

func TestDamagedDocumentsAndPathsAreErrors(t *testing.T) {
	if _, err := Documents([]byte{10, 0}, document(t, "{}"), Options{}); err == nil {
		t.Error("a truncated document was compared")
	}
	if _, err := ParseIgnore("a", "b["); err == nil {
		t.Error("a path without its end was read")
	}
}

func TestLongValuesAreShortened(t *testing.T) {
	longs := make([]byte, 0)
	for range 300 {
		longs = append(longs, "1L,"...)
	}
	got, err := Documents(document(t, "{}"), document(t, "{a:[L;"+string(longs)+"]}"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Paths[0].New != "[L; 300 values]" {
		t.Errorf("%+v", got.Paths)
	}
}

// randomText is a random value as SNBT.
func randomText(r *rand.Rand, depth int) string {
	switch n := r.IntN(7); {
	case n < 2 || depth == 0:
		return []string{"1", "2b", "3L", "0.5d", `"x"`, "[I;1,2]", "[L;5L]"}[r.IntN(7)]
	case n < 5:
		text := "{"
		for i := range r.IntN(4) {
			if i > 0 {
				text += ","
			}
			text += string(rune('a'+i)) + ":" + randomText(r, depth-1)
		}
		return text + "}"
	default:
		text, one := "[", randomText(r, depth-1)
		for i := range r.IntN(4) {
			if i > 0 {
				text += ","
			}
			text += one
		}
		return text + "]"
	}
}

func TestPathsLeadToWhatDiffers(t *testing.T) {
	seed := testbed.Seed(t)
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	for range testbed.Runs(t, 500) {
		old, now := "{r:"+randomText(r, 5)+"}", "{r:"+randomText(r, 5)+"}"
		a, b := document(t, old), document(t, now)
		got, err := Documents(a, b, Options{Paths: 1000})
		if err != nil {
			t.Fatal(err)
		}
		var x, y nbt.Tape
		if err := x.Parse(a); err != nil {
			t.Fatal(err)
		}
		if err := y.Parse(b); err != nil {
			t.Fatal(err)
		}
		text := func(tape *nbt.Tape) string { return string(snbt.Append(nil, tape.Root(), snbt.Canonical)) }
		if same := text(&x) == text(&y); same != (got.Changes == 0) {
			t.Fatalf("%s and %s: %d changes", old, now, got.Changes)
		}
		for _, c := range got.Paths {
			p, err := path.Parse(c.Path)
			if err != nil {
				t.Fatalf("%s and %s: %s: %v", old, now, c.Path, err)
			}
			if c.Old != "" && !p.First(x.Root()).Exists() || c.New != "" && !p.First(y.Root()).Exists() {
				t.Fatalf("%s and %s: %s does not lead there", old, now, c.Path)
			}
		}
		back, err := Documents(b, a, Options{})
		if err != nil || back.Changes != got.Changes {
			t.Fatalf("%s and %s: %d changes, back %d, %v", old, now, got.Changes, back.Changes, err)
		}
	}
}

func FuzzDocuments(f *testing.F) {
	f.Add(document(f, `{a:[{Y:1b},{Y:2b}],sections:[{Y:0b,block_states:{palette:[{Name:"a"}]}}]}`), document(f, `{a:[{Y:1b,x:1}]}`))
	f.Add(document(f, `{Level:{Sections:[{Y:0b,Blocks:[B;1b]}],TileEntities:[{x:1,y:2,z:3}]}}`), document(f, `{b:[1,2]}`))
	f.Fuzz(func(_ *testing.T, a, b []byte) {
		var w worker
		w.o = &Options{Paths: 4, Blocks: 4}
		if w.tapes[0].Parse(a) != nil || w.tapes[1].Parse(b) != nil {
			return
		}
		old, now := w.tapes[0].Root(), w.tapes[1].Root()
		for _, kind := range []uint8{0, 1, 2} {
			w.walk.begin(w.o, old, now, kind == 0)
			w.walk.value(old, now)
			r := &Record{}
			w.sections.compare(r, region.ChunkPos{}, old, now, 4)
			for k := range objectsOf {
				compareObjects(r, k, old, now, &w.walk, w.o)
			}
		}
	})
}
