package nbt_test

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"strata/bench/clients"
	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/region/codec"
)

// TestOtherLibrariesAgree has prismarine-nbt and NBTify judge 200 documents,
// real and random ones, in both directions: they read in our bytes what we
// read, and we read in theirs what they were told to write. Where a library is
// known to be wrong, bench/clients says how.
func TestOtherLibrariesAgree(t *testing.T) {
	judge := clients.StartNBT(t)
	documents := judgedDocuments(t, 200)
	var read, written int
	for i, data := range documents {
		form := clients.File
		parse := (*nbt.Tape).Parse
		if i%2 == 1 { // the same without the root's name
			form, parse = clients.Network, (*nbt.Tape).ParseNetwork
			data = slices.Concat(data[:1], data[3+binary.BigEndian.Uint16(data[1:]):])
		}
		var tape nbt.Tape
		if err := parse(&tape, data); err != nil {
			t.Fatal(err)
		}
		ours := judgedDocument(t, &tape)
		for _, lib := range clients.Libraries {
			if want, ok := clients.AsRead(lib, ours); ok {
				theirs, err := judge.Decode(lib, form, data)
				if err != nil {
					t.Fatalf("document %d: %s reads: %v", i, lib, err)
				}
				if diff := clients.DiffDocuments(theirs, want); diff != "" {
					t.Errorf("document %d: %s reads %s", i, lib, diff)
				}
				read++
			}
			if len(clients.Deviations(clients.Writing, lib, ours)) > 0 {
				continue
			}
			bytes, err := judge.Encode(lib, form, ours)
			if err != nil {
				t.Fatalf("document %d: %s writes: %v", i, lib, err)
			}
			var back nbt.Tape
			if err := parse(&back, bytes); err != nil {
				t.Fatalf("document %d: what %s wrote: %v", i, lib, err)
			}
			if diff := clients.DiffDocuments(judgedDocument(t, &back), ours); diff != "" {
				t.Errorf("document %d: what %s wrote: %s", i, lib, diff)
			}
			written++
		}
	}
	t.Logf("%d documents: %d readings and %d writings of two libraries agree", len(documents), read, written)
	if all := len(documents) * len(clients.Libraries); read < all*9/10 || written < all*8/10 {
		t.Error("too many are left out")
	}
}

// judgedDocuments returns n rooted documents: chunks, data files, entities and
// points of interest, and as many random ones.
func judgedDocuments(t *testing.T, n int) (all [][]byte) {
	chunks, err := corpus.Load(testbed.Shared(t, "worlds/chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range n / 10 {
		all = append(all, chunks[i*len(chunks)/(n/10)].NBT)
	}
	dir := t.TempDir()
	if err := corpus.Unpack(testbed.Shared(t, "worlds/sample-worlds.tar.zst"), dir); err != nil {
		t.Fatal(err)
	}
	var others [][]byte
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || e.IsDir():
			return err
		case strings.HasSuffix(path, ".dat"):
			data, err := os.ReadFile(path)
			if err != nil || len(data) == 0 {
				return err
			}
			document, _, err := nbt.Unpack(data, nbt.Limits{})
			others = append(others, document)
			return err
		case strings.HasSuffix(path, ".mca") && (strings.Contains(path, "entities") || strings.Contains(path, "poi")):
			document, err := firstEntry(path)
			if document != nil {
				others = append(others, document)
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n * 4 / 10 {
		all = append(all, others[i*len(others)/(n*4/10)])
	}
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 3))
	for len(all) < n {
		var w nbt.Writer
		w.Name([]string{"", "root", "ü"}[random.IntN(3)])
		writeRandom(&w, random, nbt.TypeCompound, 4)
		document, err := w.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, document)
	}
	return all
}

// firstEntry returns the first entry of a region file, nil if it has none.
func firstEntry(path string) ([]byte, error) {
	file, err := region.Open(path, region.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var decoder codec.Decoder
	for slot := range region.Slot(region.Slots) {
		if !file.Entry(slot).Empty() {
			data, _, err := file.Decode(slot, &decoder, nil, nil)
			return data, err
		}
	}
	return nil, nil
}

var randomTexts = []string{"", "a", "Name", "minecraft:stone", "with space", "ü€", "line\n", "quote\"", "x.y"}

// writeRandom writes a random tag of the given type.
func writeRandom(w *nbt.Writer, r *rand.Rand, kind nbt.Type, levels int) {
	switch kind {
	case nbt.TypeByte:
		w.Byte(int8(r.Uint32()))
	case nbt.TypeShort:
		w.Short(int16(r.Uint32()))
	case nbt.TypeInt:
		w.Int(int32(r.Uint32()))
	case nbt.TypeLong:
		w.Long(int64(r.Uint64()))
	case nbt.TypeFloat:
		w.Float(float32(r.NormFloat64()))
	case nbt.TypeDouble:
		w.Double(math.Ldexp(r.NormFloat64(), r.IntN(600)-300))
	case nbt.TypeByteArray:
		v := make([]byte, r.IntN(9))
		for i := range v {
			v[i] = byte(r.Uint32())
		}
		w.ByteArray(v)
	case nbt.TypeString:
		w.String(randomTexts[r.IntN(len(randomTexts))])
	case nbt.TypeIntArray:
		v := make([]int32, r.IntN(5))
		for i := range v {
			v[i] = int32(r.Uint32())
		}
		w.IntArray(v)
	case nbt.TypeLongArray:
		v := make([]int64, r.IntN(5))
		for i := range v {
			v[i] = int64(r.Uint64())
		}
		w.LongArray(v)
	case nbt.TypeList:
		elem := randomType(r, levels)
		w.BeginList(elem, -1)
		for range r.IntN(4) {
			writeRandom(w, r, elem, levels-1)
		}
		w.End()
	case nbt.TypeCompound:
		w.BeginCompound()
		for i := range r.IntN(6) {
			w.Name(fmt.Sprint(randomTexts[r.IntN(len(randomTexts))], "-", i))
			writeRandom(w, r, randomType(r, levels), levels-1)
		}
		w.End()
	}
}

func randomType(r *rand.Rand, levels int) nbt.Type {
	for {
		kind := nbt.Type(1 + r.IntN(12))
		if levels > 0 || kind != nbt.TypeList && kind != nbt.TypeCompound {
			return kind
		}
	}
}

// judgedDocument is a parsed document in the form of the judges.
func judgedDocument(t *testing.T, tape *nbt.Tape) clients.Document {
	t.Helper()
	name, err := clients.ModifiedUTF8(tape.RootName())
	if err != nil {
		t.Fatal(err)
	}
	root, err := judgedValue(tape.Root())
	if err != nil {
		t.Fatal(err)
	}
	return clients.Document{Name: name, Root: root}
}

func judgedValue(tag nbt.Tag) (v clients.Value, err error) {
	v.Type = clients.Types[tag.Type()]
	switch tag.Type() {
	case nbt.TypeByte, nbt.TypeShort, nbt.TypeInt, nbt.TypeLong:
		v.Int, _ = tag.Int()
	case nbt.TypeFloat:
		v.Bits = uint64(binary.BigEndian.Uint32(tag.Raw().Data))
	case nbt.TypeDouble:
		v.Bits = binary.BigEndian.Uint64(tag.Raw().Data)
	case nbt.TypeString:
		text, _ := tag.Bytes()
		v.Text, err = clients.ModifiedUTF8(text)
	case nbt.TypeByteArray:
		bytes, _ := tag.ByteArray()
		for _, b := range bytes {
			v.Numbers = append(v.Numbers, int64(int8(b)))
		}
	case nbt.TypeIntArray:
		ints, _ := tag.IntArray()
		for i := range ints.Len() {
			v.Numbers = append(v.Numbers, int64(ints.At(i)))
		}
	case nbt.TypeLongArray:
		longs, _ := tag.LongArray()
		v.Numbers = longs.AppendTo(nil)
	case nbt.TypeList:
		v.Of = clients.Types[tag.Elem()]
		for _, e := range tag.Elements() {
			item, err := judgedValue(e)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, item)
		}
	case nbt.TypeCompound:
		for name, m := range tag.Members() {
			entry := clients.Entry{}
			if entry.Name, err = clients.ModifiedUTF8(name); err != nil {
				return v, err
			}
			if entry.Value, err = judgedValue(m); err != nil {
				return v, err
			}
			v.Entries = append(v.Entries, entry)
		}
	}
	return v, err
}
