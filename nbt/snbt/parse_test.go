package snbt

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"strata/nbt"
)

func TestParsePrefixReturnsWhatFollows(t *testing.T) {
	for _, c := range []struct{ text, want, rest string }{
		{`{a:1}] run say hi`, `{a:1}`, `] run say hi`},
		{` {a:1} foo`, `{a:1}`, ` foo`},
		{`5 say hi`, `5`, ` say hi`},
		{`5 bold`, `5`, ` bold`},
		{`1.5,2`, `1.5d`, `,2`},
		{`abc def`, `"abc"`, ` def`},
		{`"x"y`, `"x"`, `y`},
		{`[1]`, `[1]`, ``},
		{`5 10`, `5`, ` 10`},
		{`[0,1b] tail`, `[0,1b]`, ` tail`},
	} {
		raw, rest, err := ParsePrefix(c.text, nbt.Limits{})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		got, err := AppendRaw(nil, raw, nbt.Limits{}, Compact)
		if err != nil || string(got) != c.want || rest != c.rest {
			t.Errorf("%q: got %s and %q (%v), want %s and %q", c.text, got, rest, err, c.want, c.rest)
		}
	}
}

func TestParsePrefixIgnoresLongTextBehindTheValue(t *testing.T) {
	text := "{a:1}" + strings.Repeat(" x", 1000)
	raw, rest, err := ParsePrefix(text, nbt.Limits{Bytes: 64})
	if err != nil || raw.Type != nbt.TypeCompound || len(rest) != 2000 {
		t.Errorf("got %v and %d bytes behind it (%v)", raw.Type, len(rest), err)
	}
}

func TestAppendDocumentIsRooted(t *testing.T) {
	doc, err := AppendDocument([]byte("x"), "{a:[1,'b']}", nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var tape nbt.Tape
	if err := tape.Parse(doc[1:]); err != nil || tape.Size() != len(doc)-1 {
		t.Fatalf("%d bytes of %d are a document (%v)", tape.Size(), len(doc)-1, err)
	}
	if got := string(Append(nil, tape.Root(), Compact)); got != `{a:[1,"b"]}` {
		t.Errorf("got %s", got)
	}
}

func TestAppendRawRefusesDamagedPayloads(t *testing.T) {
	for _, raw := range []nbt.Raw{{Type: nbt.TypeInt, Data: []byte{1}}, {Type: 13}, {Type: nbt.TypeByte, Data: []byte{1, 2}}} {
		if text, err := AppendRaw(nil, raw, nbt.Limits{}, Compact); err == nil {
			t.Errorf("%v: printed %s", raw, text)
		}
	}
	if text, err := AppendRaw(nil, nbt.Raw{}, nbt.Limits{}, Compact); err != nil || len(text) > 0 {
		t.Errorf("what does not exist is printed as %q (%v)", text, err)
	}
}

// Inputs that a careless parser reads again and again. Each is read at two
// sizes; ten times the text must not take a hundred times the time. The bound
// is wide, for machines are noisy.
func ExampleParse() {
	raw, err := Parse(`{id:"minecraft:chest", Items:[{Slot:0b, count:64}], mixed:[1, "two", 3.0]}`, nbt.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := AppendRaw(nil, raw, nbt.Limits{}, Pretty)
	fmt.Println(string(text), err)
	_, err = Parse("{a:1,\n b:300b}", nbt.Limits{})
	fmt.Println(err)
	// Output:
	// {
	//     id: "minecraft:chest",
	//     Items: [
	//         {
	//             Slot: 0b,
	//             count: 64
	//         }
	//     ],
	//     mixed: [
	//         1,
	//         "two",
	//         3.0d
	//     ]
	// } <nil>
	// snbt: line 2, column 4: number out of range, want a value that fits byte
}

func ExampleAppendJSON() {
	var tape nbt.Tape
	doc, err := AppendDocument(nil, `{x:1,y:-4b,seed:12345678901234L,pos:[1.5,64.0],data:[L;1L],name:"5b"}`, nbt.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := tape.Parse(doc); err != nil {
		fmt.Println(err)
		return
	}
	text := AppendJSON(nil, tape.Root())
	fmt.Println(string(text))
	back, err := ParseJSON(string(text), nbt.Limits{})
	fmt.Println(bytes.Equal(back.Data, tape.Root().Raw().Data), err)
	fmt.Println(string(AppendPlainJSON(nil, tape.Root())))
	// Output:
	// {"x":1,"y":"-4b","seed":"12345678901234L","pos":["1.5d","64.0d"],"data":["L;","1"],"name":"'5b"}
	// true <nil>
	// {"x":1,"y":-4,"seed":12345678901234,"pos":[1.5,64.0],"data":[1],"name":"5b"}
}
