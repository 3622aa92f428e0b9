package chunk

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"strata/nbt"
)

// The comparer tells how two documents of a chunk differ, other than by the
// normalisations that the package documents. It reads tapes and shares
// nothing with the code under test.

func compareDocuments(a, b []byte) error {
	var ta, tb nbt.Tape
	if err := ta.Parse(a); err != nil {
		return fmt.Errorf("first: %w", err)
	}
	if err := tb.Parse(b); err != nil {
		return fmt.Errorf("second: %w", err)
	}
	version, _ := ta.Root().Get("DataVersion").Int()
	c := comparer{version: version}
	return c.tag("", ta.Root(), tb.Root())
}

type comparer struct{ version int64 }

func (c comparer) tag(path string, a, b nbt.Tag) error {
	if a.Type() != b.Type() {
		if _, ok := a.Int(); ok {
			x, _ := a.Int()
			if y, ok := b.Int(); ok && x == y && knownNumber(path) {
				return nil
			}
		}
		return fmt.Errorf("%s: %v and %v", path, a.Type(), b.Type())
	}
	switch last(path) {
	case "sections", "Sections":
		if a.Type() == nbt.TypeList {
			return c.sections(path, a, b)
		}
	case "palette", "Palette", "data", "BlockStates":
		return fmt.Errorf("%s: not compared as a container", path)
	}
	switch a.Type() {
	case nbt.TypeCompound:
		return c.compound(path, a, b, nil)
	case nbt.TypeList:
		if a.Len() != b.Len() {
			return fmt.Errorf("%s: %d and %d elements", path, a.Len(), b.Len())
		}
		if a.Elem() != b.Elem() {
			return fmt.Errorf("%s: elements %v and %v", path, a.Elem(), b.Elem())
		}
		if a.Elem().Numeric() || a.Elem() == nbt.TypeCompound {
			if a.Elem().Numeric() || bytes.Equal(a.Raw().Data, b.Raw().Data) {
				return c.raw(path, a, b)
			}
		}
		for i := range a.Len() {
			if err := c.tag(fmt.Sprintf("%s[%d]", path, i), a.At(i), b.At(i)); err != nil {
				return err
			}
		}
		return nil
	}
	if strings.Contains(path, "Heightmaps.") && a.Type() == nbt.TypeLongArray {
		return c.heights(path, a, b)
	}
	return c.raw(path, a, b)
}

func (comparer) raw(path string, a, b nbt.Tag) error {
	if !bytes.Equal(a.Raw().Data, b.Raw().Data) {
		return fmt.Errorf("%s: content differs", path)
	}
	return nil
}

func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

func knownNumber(path string) bool {
	switch last(path) {
	case "DataVersion", "xPos", "yPos", "zPos", "LastUpdate", "InhabitedTime", "isLightOn", "Y":
		return true
	}
	return false
}

// compound compares by name, and lets special compare some members first.
func (c comparer) compound(path string, a, b nbt.Tag, special func(name string, a, b nbt.Tag) (bool, error)) error {
	names := func(t nbt.Tag) (n []string) {
		for name := range t.Members() {
			n = append(n, string(name))
		}
		slices.Sort(n)
		return slices.Compact(n)
	}
	na, nb := names(a), names(b)
	if !slices.Equal(na, nb) {
		return fmt.Errorf("%s: members %v and %v", path, na, nb)
	}
	for _, name := range na {
		x, y := a.Get(name), b.Get(name)
		if special != nil {
			done, err := special(name, x, y)
			if err != nil {
				return err
			}
			if done {
				continue
			}
		}
		if err := c.tag(path+"."+name, x, y); err != nil {
			return err
		}
	}
	return nil
}

// sections compares sections by their Y.
func (c comparer) sections(path string, a, b nbt.Tag) error {
	if a.Len() != b.Len() {
		return fmt.Errorf("%s: %d and %d elements", path, a.Len(), b.Len())
	}
	byY := map[int64]nbt.Tag{}
	for _, s := range b.Elements() {
		y, _ := s.Get("Y").Int()
		byY[y] = s
	}
	for _, s := range a.Elements() {
		y, _ := s.Get("Y").Int()
		other, ok := byY[y]
		if !ok {
			return fmt.Errorf("%s: section %d is missing", path, y)
		}
		delete(byY, y)
		where := fmt.Sprintf("%s[Y=%d]", path, y)
		err := c.compound(where, s, other, func(name string, x, z nbt.Tag) (bool, error) {
			switch name {
			case "block_states", "biomes":
				n := SectionCells
				if name == "biomes" {
					n = BiomeCells
				}
				if err := c.cells(where+"."+name, n, x.Get("palette"), x.Get("data"), z.Get("palette"), z.Get("data")); err != nil {
					return true, err
				}
				return true, nil
			case "Palette":
				return true, c.cells(where+"."+name, SectionCells, x, s.Get("BlockStates"), z, other.Get("BlockStates"))
			case "BlockStates":
				return true, nil
			}
			return false, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cells compares two paletted containers cell by cell, each entry as text.
func (c comparer) cells(path string, n int, pa, da, pb, db nbt.Tag) error {
	a, err := c.spread(n, pa, da)
	if err != nil {
		return fmt.Errorf("%s: first: %w", path, err)
	}
	b, err := c.spread(n, pb, db)
	if err != nil {
		return fmt.Errorf("%s: second: %w", path, err)
	}
	for i := range a {
		if a[i] != b[i] {
			return fmt.Errorf("%s: cell %d is %s and %s", path, i, a[i], b[i])
		}
	}
	return nil
}

func (c comparer) spread(n int, palette, data nbt.Tag) ([]string, error) {
	var names []string
	for _, e := range palette.Elements() {
		names = append(names, canonical(e))
	}
	out := make([]string, n)
	if len(names) == 1 {
		for i := range out {
			out[i] = names[0]
		}
		return out, nil
	}
	longs, ok := data.LongArray()
	if !ok {
		return nil, fmt.Errorf("no data for %d entries", len(names))
	}
	width := bits.Len(uint(len(names) - 1))
	if n == SectionCells {
		width = max(width, 4)
	}
	if c.version < 2529 {
		width = longs.Len() * 64 / n
	} else if per := 64 / width; (n+per-1)/per != longs.Len() {
		return nil, fmt.Errorf("%d longs for %d entries", longs.Len(), len(names))
	}
	for i := range out {
		index := 0
		for b := range width {
			var bit int
			if c.version < 2529 {
				bit = i*width + b
			} else {
				per := 64 / width
				bit = i/per*64 + i%per*width + b
			}
			index |= int(uint64(longs.At(bit/64))>>(bit%64)&1) << b
		}
		out[i] = names[index]
	}
	return out, nil
}

// canonical is a palette entry with its members sorted.
func canonical(t nbt.Tag) string {
	if t.Type() != nbt.TypeCompound {
		return string(t.Raw().Data)
	}
	var parts []string
	for name, v := range t.Members() {
		if text := canonical(v); v.Type() != nbt.TypeCompound || text != "{}" {
			parts = append(parts, fmt.Sprintf("%s %d=%s", name, v.Type(), text))
		}
	}
	slices.Sort(parts)
	return "{" + strings.Join(parts, ",") + "}"
}

func (c comparer) heights(path string, a, b nbt.Tag) error {
	la, _ := a.LongArray()
	lb, _ := b.LongArray()
	if la.Len() != lb.Len() {
		return fmt.Errorf("%s: %d and %d longs", path, la.Len(), lb.Len())
	}
	if c.version < 2529 || la.Len() != 37 {
		return c.raw(path, a, b)
	}
	for i := range 37 {
		mask := int64(1<<63 - 1)
		if i == 36 {
			mask = 1<<36 - 1
		}
		if la.At(i)&mask != lb.At(i)&mask {
			return fmt.Errorf("%s: long %d differs", path, i)
		}
	}
	return nil
}
