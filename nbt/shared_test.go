package nbt_test

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/nbt/snbt"
	"strata/region"
	"strata/region/codec"
)

// realDocument is one document of the test worlds.
type realDocument struct {
	kind, name string
	data       []byte
	text       bool // go through the text forms too
}

// sweep hands every document of the test material to its judges.
type sweep struct {
	t         *testing.T
	documents chan realDocument
	seed      maphash.Seed
	seen      map[uint64]bool
	every     int // of so many, one goes through the text forms
	counts    map[string]int
	texts     int
}

func (s *sweep) add(kind, name string, data []byte) {
	s.counts[kind]++
	d := realDocument{kind: kind, name: name, data: data}
	// Saves of one world hold the same chunk many times.
	if sum := maphash.Bytes(s.seed, data); !s.seen[sum] {
		s.seen[sum] = true
		if len(s.seen)%s.every == 0 || kind == "data file" {
			d.text = true
			s.texts++
		}
	}
	s.documents <- d
}

// file takes what a file of a world holds.
func (s *sweep) file(kind, path string) error {
	switch ext := filepath.Ext(path); {
	case ext == ".mca":
		return s.region(kind, path)
	case ext == ".nbt", ext == ".dat", ext == ".dat_old":
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 {
			return err
		}
		document, _, err := nbt.Unpack(data, nbt.Limits{})
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if ext != ".nbt" {
			kind = "data file"
		}
		s.add(kind, path, document)
	}
	return nil
}

func (s *sweep) region(kind, path string) error {
	file, err := region.Open(path, region.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer file.Close()
	var decoder codec.Decoder
	for slot := range region.Slot(region.Slots) {
		if file.Entry(slot).Empty() {
			continue
		}
		data, _, err := file.Decode(slot, &decoder, nil, nil)
		if err != nil && !errors.Is(err, region.ErrAbsent) {
			return err
		}
		s.add(kind, fmt.Sprintf("%s slot %d", path, slot), data)
	}
	return nil
}

func (s *sweep) folder(kind, dir string) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		return s.file(kind, path)
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *sweep) archive(kind, name string) {
	dir := s.t.TempDir()
	if err := corpus.Unpack(testbed.Shared(s.t, filepath.FromSlash(name)), dir); err != nil {
		s.t.Fatal(err)
	}
	s.folder(kind, dir)
}

// judge sends documents through every form and wants them back.
type judge struct {
	tape, second nbt.Tape
	edit         nbt.Edit
	writer       nbt.Writer
	out, text    []byte
	n            int
}

func (j *judge) check(d realDocument) error {
	j.n++
	if err := j.tape.Parse(d.data); err != nil {
		return err
	}
	if j.tape.Size() != len(d.data) {
		return fmt.Errorf("%d bytes after the document", len(d.data)-j.tape.Size())
	}
	if err := j.rewrite(d.data); err != nil {
		return err
	}
	if err := j.splice(d.data); err != nil {
		return err
	}
	if !d.text {
		return nil
	}
	if err := j.snbt(snbt.Style(j.n % 3)); err != nil {
		return err
	}
	return j.json()
}

// rewrite copies the document tag by tag.
func (j *judge) rewrite(want []byte) error {
	j.writer.Reset(j.out[:0])
	j.writer.NameBytes(j.tape.RootName())
	copyTag(&j.writer, j.tape.Root())
	var err error
	if j.out, err = j.writer.Bytes(); err != nil {
		return fmt.Errorf("rewrite: %w", err)
	}
	return equal("tag by tag", j.out, want)
}

// splice replaces every member of the root by itself, and a number by another
// one and back.
func (j *judge) splice(want []byte) error {
	root := j.tape.Root()
	j.edit.Reset(&j.tape)
	for name, member := range root.Members() {
		j.edit.Set(root, string(name), member.Raw())
	}
	var err error
	if j.out, err = j.edit.AppendTo(j.out[:0]); err != nil {
		return fmt.Errorf("splice: %w", err)
	}
	if err := equal("spliced", j.out, want); err != nil {
		return err
	}
	old := root.Get("DataVersion")
	if !old.Exists() {
		return nil
	}
	j.edit.Reset(&j.tape)
	j.edit.Set(root, "DataVersion", j.edit.String("another type"))
	if j.out, err = j.edit.AppendTo(j.out[:0]); err != nil {
		return fmt.Errorf("splice: %w", err)
	}
	if err := j.second.Parse(j.out); err != nil {
		return fmt.Errorf("spliced: %w", err)
	}
	if bytes.Equal(j.out, want) || !j.second.Root().Get("DataVersion").Is("another type") {
		return errors.New("the edit had no effect")
	}
	j.edit.Reset(&j.second)
	j.edit.Set(j.second.Root(), "DataVersion", old.Raw())
	back, err := j.edit.AppendTo(nil)
	if err != nil {
		return fmt.Errorf("splice back: %w", err)
	}
	return equal("spliced back", back, want)
}

func (j *judge) snbt(style snbt.Style) error {
	j.text = snbt.Append(j.text[:0], j.tape.Root(), style)
	raw, err := snbt.Parse(string(j.text), nbt.Limits{})
	if err != nil {
		return fmt.Errorf("SNBT: %w", err)
	}
	if raw.Type == j.tape.Root().Type() && bytes.Equal(raw.Data, j.tape.Root().Raw().Data) {
		return nil
	}
	// Order, and element types of empty lists.
	var back any
	if err := raw.Decode(&back); err != nil {
		return fmt.Errorf("SNBT: %w", err)
	}
	if !nbt.Equal(j.tape.Root().Value(), back) {
		return errors.New("another value after SNBT")
	}
	return nil
}

func (j *judge) json() error {
	j.text = snbt.AppendJSON(j.text[:0], j.tape.Root())
	raw, err := snbt.ParseJSON(string(j.text), nbt.Limits{})
	if err != nil {
		return fmt.Errorf("JSON: %w", err)
	}
	if raw.Type != j.tape.Root().Type() {
		return fmt.Errorf("a %v after JSON", raw.Type)
	}
	return equal("after JSON", raw.Data, j.tape.Root().Raw().Data)
}

func equal(what string, got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	return fmt.Errorf("%s: %d bytes, want %d, different from offset %d on", what, len(got), len(want), i)
}

// TestEveryRealDocumentSurvivesEveryForm takes all NBT of the test worlds and
// of the game's data: structure templates, chunks, entities, points of
// interest, level.dat and all other data files.
func TestEveryRealDocumentSurvivesEveryForm(t *testing.T) {
	s := &sweep{
		t: t, documents: make(chan realDocument, 64), seed: maphash.MakeSeed(),
		seen: map[uint64]bool{}, every: 1, counts: map[string]int{},
	}
	if testing.Short() {
		s.every = 10
	}
	var judges sync.WaitGroup
	for range 2 {
		judges.Go(func() {
			var j judge
			for d := range s.documents {
				if err := j.check(d); err != nil {
					t.Errorf("%s: %v", d.name, err)
				}
			}
		})
	}
	chunks, err := corpus.Load(testbed.Shared(t, "worlds/chunks-998.bin.zst"))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range chunks {
		s.add("corpus chunk", fmt.Sprintf("corpus chunk %d", i), c.NBT)
	}
	s.folder("oracle chunk", testbed.Shared(t, "oracle"))
	s.archive("structure template", "reference/vanilla-datapack-26.2.tar.zst")
	s.archive("sample world entry", "worlds/sample-worlds.tar.zst")
	if !testing.Short() {
		s.archive("history entry", "worlds/history-6-saves.tar.zst")
	}
	close(s.documents)
	judges.Wait()
	total := 0
	for _, kind := range slices.Sorted(maps.Keys(s.counts)) {
		t.Logf("%d of kind %s", s.counts[kind], kind)
		total += s.counts[kind]
	}
	t.Logf("%d documents, %d of them different: byte-equal through tape, writer and splice; %d as well through SNBT and JSON", total, len(s.seen), s.texts)
	if s.counts["structure template"] < 1212 || s.counts["corpus chunk"] != 998 || s.counts["oracle chunk"] < 806 || s.counts["sample world entry"] < 4400 {
		t.Error("fewer documents than there should be")
	}
	if s.counts["history entry"] < 60_000 && !testing.Short() {
		t.Error("the saves have fewer entries than they should")
	}
}
