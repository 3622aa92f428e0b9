package text

import (
	"errors"
	"strings"
	"testing"

	"strata/nbt"
	"strata/nbt/snbt"
)

// show is a component's NBT as text.
func show(t *testing.T, c Component) string {
	t.Helper()
	data := c.NBT()
	out, err := snbt.AppendRaw(nil, nbt.Raw{Type: nbt.Type(data[0]), Data: data[1:]}, nbt.Limits{}, snbt.Compact)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func parse(t *testing.T, s string) nbt.Raw {
	t.Helper()
	raw, err := snbt.Parse(s, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestComponentsAsNBTAndEnglish(t *testing.T) {
	foreign, err := Parse(parse(t, `{text:"a",bold:1b,extra:["b",{translate:"commands.seed.success",with:["7"]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	tip := Plain("tip")
	for _, c := range []struct {
		c            Component
		nbt, english string
	}{
		{Component{}, `""`, ""},
		{Plain("hello"), `"hello"`, "hello"},
		{Plain("hello").WithColor("red").WithItalic(), `{text:"hello",color:"red",italic:1b}`, "hello"},
		{Key("commands.op.success", Plain("Alex")), `{translate:"commands.op.success",with:[{text:"Alex"}]}`, "Made Alex a server operator"},
		{Key("commands.save.success"), `{translate:"commands.save.success"}`, "Saved the game"},
		{Key("block.minecraft.oak_log"), `{translate:"block.minecraft.oak_log"}`, "Oak Log"},
		{Key("no.such.key"), `{translate:"no.such.key"}`, "no.such.key"},
		{Component{Key: "x.y", Fallback: "%2$s %1$s %s %% %d", With: []Component{Plain("a"), Plain("b")}},
			`{translate:"x.y",fallback:"%2$s %1$s %s %% %d",with:[{text:"a"},{text:"b"}]}`, "b a b % %d"},
		{Join(Plain(", "), Plain("a"), Plain("b")), `{text:"",extra:[{text:"a"},{text:", "},{text:"b"}]}`, "a, b"},
		{Plain("x").WithClick("suggest_command", "/tp"), `{text:"x",click_event:{action:"suggest_command",command:"/tp"}}`, "x"},
		{Plain("x").WithHover(Hover{Text: &tip}).WithInsertion("i").WithUnderline(),
			`{text:"x",underlined:1b,insertion:"i",hover_event:{action:"show_text",value:"tip"}}`, "x"},
		{Plain("x").WithHover(Hover{Entity: "minecraft:pig", UUID: [16]byte{3: 1}, Name: &tip}),
			`{text:"x",hover_event:{action:"show_entity",id:"minecraft:pig",uuid:[I;1,0,0,0],name:"tip"}}`, "x"},
		{foreign, `{text:"a",bold:1b,extra:["b",{translate:"commands.seed.success",with:["7"]}]}`, "abSeed: 7"},
		{foreign.WithColor("red"),
			`{text:"",extra:[{text:"a",bold:1b,extra:["b",{translate:"commands.seed.success",with:["7"]}]}],color:"red"}`, "abSeed: 7"},
		{foreign.Append(Plain("!")),
			`{text:"",extra:[{text:"a",bold:1b,extra:["b",{translate:"commands.seed.success",with:["7"]}]},{text:"!"}]}`, "abSeed: 7!"},
	} {
		if got, want := show(t, c.c), show(t, Component{raw: ptr(parse(t, c.nbt))}); got != want {
			t.Errorf("NBT %s, want %s", got, want)
		}
		if got := c.c.String(); got != c.english {
			t.Errorf("English %q, want %q", got, c.english)
		}
	}
}

func ptr[T any](v T) *T { return &v }

func TestParseRefusesWhatIsNoText(t *testing.T) {
	for _, s := range []string{`5`, `[]`, `{}`, `{text:5}`, `{text:"a",extra:[]}`, `{text:"a",extra:5}`, `[B;1b]`, `["a",5]`,
		strings.Repeat("[", MaxDepth) + `"a"` + strings.Repeat("]", MaxDepth)} {
		if _, err := Parse(parse(t, s)); !errors.Is(err, ErrForm) {
			t.Errorf("%.40s: %v", s, err)
		}
	}
}

func TestEnglishIsBounded(t *testing.T) {
	c := Plain(strings.Repeat("x", 100))
	for range 40 {
		c = Component{Key: "k", Fallback: "%s%1$s%1$s%1$s", With: []Component{c}}
	}
	if got := c.String(); len(got) != MaxPlain {
		t.Errorf("%d bytes", len(got))
	}
	if got := c.NBT(); len(got) > 1<<20 {
		t.Errorf("%d bytes of NBT", len(got))
	}
}

func TestAppendDoesNotChangeTheOriginal(t *testing.T) {
	a := Plain("a").Append(Plain("b"))
	b, c := a.Append(Plain("c")), a.Append(Plain("d"))
	if a.String() != "ab" || b.String() != "abc" || c.String() != "abd" {
		t.Errorf("%s %s %s", a, b, c)
	}
}
