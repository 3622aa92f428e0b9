package snbt

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"strata/nbt"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// everything returns a document with every type and every odd value.
func everything(tb testing.TB) []byte {
	tb.Helper()
	var w nbt.Writer
	w.Reset(nil)
	w.BeginCompound()
	w.Name("zebra").Byte(-128)
	w.Name("short").Short(32767)
	w.Name("int").Int(math.MinInt32)
	w.Name("long").Long(math.MaxInt64)
	w.Name("two words").String("plain")
	w.Name("true").Bool(true)
	w.Name("1st").Int(1)
	w.Name("").Int(0)
	w.Name("floats").BeginList(nbt.TypeFloat, 7)
	for _, v := range []uint32{0x80000000, 0x3F800000, 0x3DCCCCCD, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x7F800001} {
		w.Float(math.Float32frombits(v))
	}
	w.End()
	w.Name("doubles").BeginList(nbt.TypeDouble, -1)
	for _, v := range []float64{0, 1e7, 9999999, 0.001, 0.00099, 1e-300, 5e-324, 1e23, 123456.789, math.Inf(-1)} {
		w.Double(v)
	}
	w.Double(math.Float64frombits(javaNaN64))
	w.End()
	w.Name("bytes").ByteArray([]byte{0, 127, 128, 255})
	w.Name("ints").IntArray([]int32{-1, 0, 1})
	w.Name("longs").LongArray([]int64{math.MinInt64, 1 << 53})
	w.Name("no longs").LongArray(nil)
	w.Name("texts").BeginList(nbt.TypeString, -1)
	for _, s := range []string{"", "it's", `say "it's"`, `'"`, "a\\b", "\x00\n\t\r\b\f\x1b\x7f\u0085", "é😀", "5b", "'5b", "hex'", "true"} {
		w.String(s)
	}
	w.StringBytes([]byte{0xED, 0xA0, 0xBD, 'x', 0xFF, 0x00})
	w.End()
	w.Name("empty").BeginCompound()
	w.Name("list").BeginList(nbt.TypeEnd, 0)
	w.End()
	w.Name("ints").BeginList(nbt.TypeInt, 0)
	w.End()
	w.Name("compound").BeginCompound()
	w.End()
	w.End()
	w.Name("mixed").BeginList(nbt.TypeCompound, -1)
	w.BeginCompound()
	w.Name("").Int(1)
	w.End()
	w.BeginCompound()
	w.Name("").String("a")
	w.End()
	w.BeginCompound()
	w.Name("x").Int(2)
	w.End()
	w.End()
	w.Name("nested").BeginList(nbt.TypeList, -1)
	w.BeginList(nbt.TypeInt, -1)
	w.Int(1)
	w.Int(2)
	w.End()
	w.BeginList(nbt.TypeCompound, -1)
	w.BeginCompound()
	w.Name("b").Int(1)
	w.Name("a").Int(2)
	w.Name("b").Int(3)
	w.End()
	w.End()
	w.End()
	w.End()
	doc, err := w.Bytes()
	if err != nil {
		tb.Fatal(err)
	}
	return doc
}

func TestGoldenForms(t *testing.T) {
	var tape nbt.Tape
	if err := tape.ParseNetwork(everything(t)); err != nil {
		t.Fatal(err)
	}
	root := tape.Root()
	checkForms(t, root)
	for name, got := range map[string][]byte{
		"golden.compact.snbt":   Append(nil, root, Compact),
		"golden.pretty.snbt":    Append(nil, root, Pretty),
		"golden.canonical.snbt": Append(nil, root, Canonical),
		"golden.typed.json":     AppendJSON(nil, root),
		"golden.plain.json":     AppendPlainJSON(nil, root),
	} {
		if filepath.Ext(name) == ".json" && !json.Valid(got) {
			t.Errorf("%s is not JSON:\n%s", name, got)
		}
		got = append(got, '\n')
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
