package path

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/nbt"
	"strata/nbt/snbt"
)

func document(tb testing.TB, text string) *nbt.Tape {
	tb.Helper()
	data, err := snbt.AppendDocument(nil, text, nbt.Limits{})
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	tape := new(nbt.Tape)
	if err := tape.Parse(data); err != nil {
		tb.Fatal(err)
	}
	return tape
}

func value(tb testing.TB, text string) nbt.Raw {
	tb.Helper()
	raw, err := snbt.Parse(text, nbt.Limits{})
	if err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return raw
}

func mustParse(tb testing.TB, text string) Path {
	tb.Helper()
	p, err := Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

func selected(p Path, root nbt.Tag) (all []string) {
	for tag := range p.Select(root) {
		all = append(all, string(snbt.Append(nil, tag, snbt.Compact)))
	}
	return all
}

// The first ones are the examples of minecraft.wiki, NBT path.
func TestSelect(t *testing.T) {
	wiki := `{tag1:1b,tag2:[{foo:0},{foo:[]},{foo:{}}]}`
	villager := `{VillagerData:{profession:"minecraft:nitwit",level:2},Invisible:1b,"A cool name[]":5,Pos:[1.0d,2.0d,3.0d]}`
	shapes := `{ints:[I;1,2,3],bytes:[B;4b],longs:[L;5l],lists:[[1],[2,3],[]],twice:{a:1,a:2},mixed:[1b,"a",{"":2},{b:3}],plain:[{"":1b},{"":2b}],empty:[],deep:[{a:[{b:1},{b:2}]},{a:[]},{a:[{b:3}]}]}`
	for _, c := range []struct {
		document, path string
		want           []string
	}{
		{wiki, "tag2", []string{"[{foo:0},{foo:[]},{foo:{}}]"}},
		{wiki, "tag2.[]", []string{"{foo:0}", "{foo:[]}", "{foo:{}}"}},
		{wiki, "tag2.[].foo", []string{"0", "[]", "{}"}},
		{villager, "{Invisible:1b}", []string{villager}},
		{villager, "{Invisible:0b}", nil},
		{villager, "{}", []string{villager}},
		{villager, "", []string{villager}},
		{villager, `"A cool name[]"`, []string{"5"}},
		{villager, `VillagerData{profession:"minecraft:nitwit"}`, []string{`{profession:"minecraft:nitwit",level:2}`}},
		{villager, `VillagerData{profession:"other"}`, nil},
		{villager, "VillagerData{}.level", []string{"2"}},
		{villager, "Invisible{}", nil},
		{villager, "Pos[0]", []string{"1.0d"}},
		{villager, "Pos[-1]", []string{"3.0d"}},
		{villager, "Pos[3]", nil},
		{villager, "Pos[-4]", nil},
		{villager, "VillagerData[0]", nil},
		{villager, "Pos.x", nil},
		{shapes, "ints[1]", []string{"2"}},
		{shapes, "ints[]", []string{"1", "2", "3"}},
		{shapes, "ints[-1]", []string{"3"}},
		{shapes, "bytes[0]", []string{"4b"}},
		{shapes, "longs[]", []string{"5L"}},
		{shapes, "ints[{}]", nil},
		{shapes, "lists[][]", []string{"1", "2", "3"}},
		{shapes, "twice.a", []string{"2"}},
		{shapes, "mixed[]", []string{"1b", `"a"`, `{"":2}`, "{b:3}"}},
		{shapes, "mixed[1]", []string{`"a"`}},
		{shapes, "mixed[2]", []string{`{"":2}`}},
		{shapes, `mixed[-1].b`, []string{"3"}},
		{shapes, "mixed[{}]", []string{`{"":2}`, "{b:3}"}},
		{shapes, "plain[0]", []string{`{"":1b}`}},
		{shapes, "empty[]", nil},
		{shapes, "deep[].a[].b", []string{"1", "2", "3"}},
		{shapes, "deep[{a:[{b:2}]}].a[0]", []string{"{b:1}"}},
		{shapes, "deep[{a:[]}]", []string{"{a:[]}"}},
		{`[{a:1},{a:2}]`, "[1].a", []string{"2"}},
	} {
		tape := document(t, c.document)
		p := mustParse(t, c.path)
		got := selected(p, tape.Root())
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.path, diff)
		}
		if p.Count(tape.Root()) != len(c.want) {
			t.Errorf("%s: Count %d", c.path, p.Count(tape.Root()))
		}
		if first := p.First(tape.Root()); first.Exists() != (len(c.want) > 0) {
			t.Errorf("%s: First %v", c.path, first.Exists())
		}
	}
	if (Path{}).Count(nbt.Tag{}) != 0 {
		t.Error("a path finds something in nothing")
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		tag, pattern string
		want         bool
	}{
		{"{a:1,b:2}", "{}", true},
		{"{a:1,b:2}", "{b:2}", true},
		{"{a:1,b:2}", "{b:2,a:1}", true},
		{"{a:1}", "{a:1,b:2}", false},
		{"{a:1}", "{a:1b}", false},
		{"{a:1}", "{a:2}", false},
		{"{a:1}", "[]", false},
		{"{a:{b:{c:1,d:2}}}", "{a:{b:{d:2}}}", true},
		{"[1,2,3]", "[3,1]", true},
		{"[1,2,3]", "[4]", false},
		{"[1,2,3]", "[]", false},
		{"[]", "[]", true},
		{"[]", "[1]", false},
		{"[1,2]", "[1,1]", true},
		{"[1,2]", "[1,1,1]", false},
		{"{a:[{b:1,c:2}]}", "{a:[{b:1},{c:2}]}", false},
		{"[{a:1,x:0},{b:2}]", "[{b:2},{a:1}]", true},
		{"[[1,2],[3]]", "[[2]]", true},
		{"[[1,2],[3]]", "[[]]", false},
		{`[1b,"a",{}]`, `["a"]`, true},
		{`[1b,"a",{}]`, `["a",1b]`, true},
		{`[1b,"a",{}]`, `[1]`, false},
		{"[I;1,2]", "[I;1,2]", true},
		{"[I;1,2]", "[I;1]", false},
		{"[I;1,2]", "[1]", false},
		{`"text"`, `"text"`, true},
		{`"text"`, `"tex"`, false},
		{"0.0f", "-0.0f", false},
		{"1.5d", "1.5f", false},
	} {
		got := Matches(document(t, c.tag).Root(), document(t, c.pattern).Root())
		if got != c.want {
			t.Errorf("%s matches %s: %t", c.pattern, c.tag, got)
		}
	}
	if !Matches(nbt.Tag{}, nbt.Tag{}) || Matches(nbt.Tag{}, document(t, "1").Root()) {
		t.Error("tags that do not exist")
	}
}

// change is a table of edits: op, path and arguments, and what comes of it.
type change struct {
	document, path string
	do             func(p Path, e *nbt.Edit, root nbt.Tag) (int, error)
	count          int
	want           string
	err            error
}

func (c *change) check(t *testing.T, mixed bool) {
	t.Helper()
	name := fmt.Sprintf("%s on %s", c.path, c.document)
	tape := document(t, c.document)
	edit := tape.Edit()
	edit.Mixed = mixed
	n, err := c.do(mustParse(t, c.path), edit, tape.Root())
	if err == nil {
		var out []byte
		if out, err = edit.AppendTo(nil); err == nil {
			after := new(nbt.Tape)
			if err := after.Parse(out); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := string(snbt.Append(nil, after.Root(), snbt.Compact)); got != c.want {
				t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
			}
		}
	}
	if !errors.Is(err, c.err) || err == nil && n != c.count {
		t.Errorf("%s: %d, %v, want %d, %v", name, n, err, c.count, c.err)
	}
}

func TestSet(t *testing.T) {
	set := func(text string, create bool) func(p Path, e *nbt.Edit, root nbt.Tag) (int, error) {
		return func(p Path, e *nbt.Edit, root nbt.Tag) (int, error) {
			return p.Set(e, root, value(t, text), create)
		}
	}
	for _, c := range []change{
		{"{a:1}", "a", set("2", false), 1, "{a:2}", nil},
		{"{a:1}", "a", set("1", true), 0, "{a:1}", nil},
		{"{a:1}", "a", set("'s'", true), 1, `{a:"s"}`, nil},
		{"{a:1}", "b", set("2", false), 0, "{a:1}", nil},
		{"{a:1}", "b", set("2", true), 1, "{a:1,b:2}", nil},
		{"{a:1}", "b.c.d", set("2", true), 1, "{a:1,b:{c:{d:2}}}", nil},
		{"{a:1}", "b.c.d", set("2", false), 0, "{a:1}", nil},
		{"{a:1}", "a.b", set("2", true), 0, "{a:1}", nil},
		{"{}", "b[]", set("2", true), 1, "{b:[2]}", nil},
		{"{}", "b[].c", set("2", true), 1, "{b:[{c:2}]}", nil},
		{"{}", "b[][]", set("2", true), 1, "{b:[[2]]}", nil},
		{"{}", "b[0]", set("2", true), 0, "{}", nil},
		{"{}", "a.b[0].c", set("2", true), 0, "{}", nil},
		{"{a:[1,2,3]}", "a[1]", set("5", false), 1, "{a:[1,5,3]}", nil},
		{"{a:[1,2,3]}", "a[-1]", set("5", false), 1, "{a:[1,2,5]}", nil},
		{"{a:[1,2,3]}", "a[3]", set("5", true), 0, "{a:[1,2,3]}", nil},
		{"{a:[1,2,3]}", "a[]", set("2", false), 2, "{a:[2,2,2]}", nil},
		{"{a:[1,2,3]}", "a[]", set("'x'", false), 3, `{a:["x","x","x"]}`, nil},
		{"{a:[]}", "a[]", set("2", false), 0, "{a:[]}", nil},
		{"{a:[]}", "a[]", set("2", true), 1, "{a:[2]}", nil},
		{"{a:[1,2]}", "a[0]", set("'x'", false), 0, "", nbt.ErrElementType},
		{"{s:[{Y:2b},{Y:3b,foo:1}]}", "s[{Y:3b}].foo", set("2", true), 1, "{s:[{Y:2b},{Y:3b,foo:2}]}", nil},
		{"{s:[{Y:2b}]}", "s[{Y:3b}].foo", set("2", true), 1, "{s:[{Y:2b},{Y:3b,foo:2}]}", nil},
		{"{s:[{Y:2b}]}", "s[{Y:3b}].foo", set("2", false), 0, "{s:[{Y:2b}]}", nil},
		{"{s:[{Y:2b}]}", "s[{Y:3b}].Y", set("3b", true), 1, "{s:[{Y:2b},{Y:3b}]}", nil},
		{"{}", "s[{Y:3b}].a.b[].c", set("2", true), 1, "{s:[{Y:3b,a:{b:[{c:2}]}}]}", nil},
		{"{s:[{Y:2b},{Y:3b,z:1},{Y:3b}]}", "s[{Y:3b}]", set("{}", true), 2, "{s:[{Y:2b},{},{}]}", nil},
		{"{s:[{Y:2b}]}", "s[{Y:3b}]", set("{}", true), 0, "{s:[{Y:2b}]}", nil},
		{"{s:[]}", "s[{Y:3b}]", set("{}", true), 1, "{s:[{}]}", nil},
		{"{s:[1]}", "s[{Y:3b}].a", set("2", true), 0, "", nbt.ErrElementType},
		{"{a:{b:1}}", "a{b:1}", set("5", true), 1, "{a:5}", nil},
		{"{a:{b:1}}", "a{b:2}", set("5", true), 0, "{a:{b:1}}", nil},
		{"{}", "a{b:2}", set("5", true), 0, "{}", nil},
		{"{}", "a{b:2}.c", set("5", true), 1, "{a:{b:2,c:5}}", nil},
		{"{a:1}", "{a:1}.b", set("2", true), 1, "{a:1,b:2}", nil},
		{"{a:1}", "{a:2}.b", set("2", true), 0, "{a:1}", nil},
		{"{a:1}", "", set("[1b]", false), 1, "[1b]", nil},
		{"{a:1}", "{}", set("{b:1}", false), 1, "{b:1}", nil},
		{"{a:[I;1,2]}", "a[1]", set("7b", false), 1, "{a:[I;1,7]}", nil},
		{"{a:[I;1,2]}", "a[]", set("-1.5d", false), 2, "{a:[I;-2,-2]}", nil},
		{"{a:[I;1]}", "a[]", set("-1.5f", false), 1, "{a:[I;-2]}", nil},
		{"{a:[L;1l]}", "a[]", set("-1.5d", false), 1, "{a:[L;-2L]}", nil},
		{"{a:[L;1l]}", "a[]", set("-1.5f", false), 1, "{a:[L;-1L]}", nil},
		{"{a:[B;1b,2b]}", "a[0]", set("258", false), 1, "{a:[B;2B,2B]}", nil},
		{"{a:[L;1l]}", "a[0]", set("1e30d", false), 1, "{a:[L;9223372036854775807L]}", nil},
		{"{a:[L;]}", "a[]", set("3", true), 1, "{a:[L;3L]}", nil},
		{"{a:[I;1]}", "a[0]", set("'x'", false), 0, "", nbt.ErrElementType},
		{"{a:[1b,'x']}", "a[0]", set("2b", false), 0, "", ErrMixed},
		{"{a:[{b:1},{b:2}]}", "a[].c", set("3", true), 2, "{a:[{b:1,c:3},{b:2,c:3}]}", nil},
		{"{a:1}", "b", func(p Path, e *nbt.Edit, root nbt.Tag) (int, error) { return p.Set(e, root, nbt.Raw{}, true) }, 0, "", nbt.ErrType},
		{"{a:[I;1]}", "a[0]", func(p Path, e *nbt.Edit, root nbt.Tag) (int, error) {
			return p.Set(e, root, nbt.Raw{Type: nbt.TypeShort, Data: []byte{1}}, true)
		}, 0, "", nbt.ErrTruncated},
	} {
		c.check(t, false)
	}
	for _, c := range []change{
		{"{a:[1,2]}", "a[0]", set("'x'", false), 1, `{a:["x",2]}`, nil},
		{"{a:[1b,'x']}", "a[0]", set("2b", false), 1, `{a:[2b,"x"]}`, nil},
		{"{a:[1b,'x']}", "a[0]", set("'y'", false), 1, `{a:["y","x"]}`, nil},
		{"{a:[1b,'x',{b:1}]}", "a[].b", set("2", false), 1, `{a:[1b,"x",{b:2}]}`, nil},
		{"{s:[1]}", "s[{Y:3b}].a", set("2", true), 1, "{s:[1,{Y:3b,a:2}]}", nil},
	} {
		c.check(t, true)
	}
}

func TestRemove(t *testing.T) {
	remove := func(p Path, e *nbt.Edit, root nbt.Tag) (int, error) { return p.Remove(e, root) }
	for _, c := range []change{
		{"{a:1,b:2}", "a", remove, 1, "{b:2}", nil},
		{"{a:1,b:2,a:3}", "a", remove, 1, "{b:2}", nil},
		{"{a:1}", "b", remove, 0, "{a:1}", nil},
		{"{a:[1,2,3]}", "a[1]", remove, 1, "{a:[1,3]}", nil},
		{"{a:[1,2,3]}", "a[-3]", remove, 1, "{a:[2,3]}", nil},
		{"{a:[1,2,3]}", "a[]", remove, 3, "{a:[]}", nil},
		{"{a:[I;1,2,3]}", "a[1]", remove, 1, "{a:[I;1,3]}", nil},
		{"{a:[L;1l]}", "a[]", remove, 1, "{a:[L;]}", nil},
		{"{a:[{b:1},{b:2,c:3}]}", "a[{b:2}]", remove, 1, "{a:[{b:1}]}", nil},
		{"{a:[{b:1},{b:2,c:3}]}", "a[].b", remove, 2, "{a:[{},{c:3}]}", nil},
		{"{a:{b:1}}", "a{b:1}", remove, 1, "{}", nil},
		{"{a:{b:1}}", "a{b:2}", remove, 0, "{a:{b:1}}", nil},
		{"{a:1}", "", remove, 0, "", nbt.ErrPlace},
		{"{a:1}", "{a:1}", remove, 0, "", nbt.ErrPlace},
		{"{a:1}", "{a:2}", remove, 0, "{a:1}", nil},
		{"{a:[1b,'x']}", "a[0]", remove, 0, "", ErrMixed},
	} {
		c.check(t, false)
	}
	mixed := change{"{a:[1b,'x',2b]}", "a[1]", remove, 1, "{a:[1b,2b]}", nil}
	mixed.check(t, true)
}

func TestInsert(t *testing.T) {
	insert := func(index int, texts ...string) func(p Path, e *nbt.Edit, root nbt.Tag) (int, error) {
		var values []nbt.Raw
		for _, text := range texts {
			values = append(values, value(t, text))
		}
		return func(p Path, e *nbt.Edit, root nbt.Tag) (int, error) {
			switch index {
			case -1:
				return p.Append(e, root, values...)
			case 0:
				return p.Prepend(e, root, values...)
			}
			return p.Insert(e, root, index, values...)
		}
	}
	for _, c := range []change{
		{"{a:[1,2]}", "a", insert(-1, "3", "4"), 1, "{a:[1,2,3,4]}", nil},
		{"{a:[1,2]}", "a", insert(0, "3", "4"), 1, "{a:[3,4,1,2]}", nil},
		{"{a:[1,2]}", "a", insert(1, "3"), 1, "{a:[1,3,2]}", nil},
		{"{a:[1,2]}", "a", insert(-2, "3"), 1, "{a:[1,3,2]}", nil},
		{"{a:[1,2]}", "a", insert(2, "3"), 1, "{a:[1,2,3]}", nil},
		{"{a:[1,2]}", "a", insert(3, "3"), 0, "", nbt.ErrPlace},
		{"{a:[1,2]}", "a", insert(-4, "3"), 0, "", nbt.ErrPlace},
		{"{a:[1,2]}", "a", insert(-1), 0, "{a:[1,2]}", nil},
		{"{a:[1,2]}", "a", insert(-1, "'x'"), 0, "", nbt.ErrElementType},
		{"{a:[]}", "a", insert(-1, "'x'"), 1, `{a:["x"]}`, nil},
		{"{}", "a.b", insert(-1, "1", "2"), 1, "{a:{b:[1,2]}}", nil},
		{"{a:[[1],[2]]}", "a[]", insert(-1, "3"), 2, "{a:[[1,3],[2,3]]}", nil},
		{"{a:[I;1]}", "a", insert(0, "2b"), 1, "{a:[I;2,1]}", nil},
		{"{a:1}", "a", insert(0, "2b"), 0, "", ErrNotList},
		{"{a:[1b,'x']}", "a", insert(0, "2b"), 0, "", ErrMixed},
	} {
		c.check(t, false)
	}
	mixed := change{"{a:[1b]}", "a", insert(-1, "'x'"), 1, `{a:[1b,"x"]}`, nil}
	mixed.check(t, true)
}

func TestMerge(t *testing.T) {
	merge := func(text string) func(p Path, e *nbt.Edit, root nbt.Tag) (int, error) {
		return func(p Path, e *nbt.Edit, root nbt.Tag) (int, error) { return p.Merge(e, root, value(t, text)) }
	}
	for _, c := range []change{
		{"{a:1,b:{c:1,d:2}}", "", merge("{a:2,b:{d:3,e:4},f:{}}"), 1, "{a:2,b:{c:1,d:3,e:4},f:{}}", nil},
		{"{a:1,b:{c:1}}", "{}", merge("{a:1,b:{c:1}}"), 0, "{a:1,b:{c:1}}", nil},
		{"{a:1}", "", merge("{a:{b:1}}"), 1, "{a:{b:1}}", nil},
		{"{a:1}", "", merge("{a:2,a:3}"), 1, "{a:3}", nil},
		{"{l:[{a:1},{a:2}]}", "l[]", merge("{a:2}"), 1, "{l:[{a:2},{a:2}]}", nil},
		{"{}", "x.y", merge("{a:2}"), 1, "{x:{y:{a:2}}}", nil},
		{"{a:1}", "a", merge("{a:2}"), 0, "", ErrNotCompound},
		{"{a:1}", "", merge("5"), 0, "", ErrNotCompound},
	} {
		c.check(t, false)
	}
}
