package settings

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

// everything decodes a table of documents and writes all of it as JSON.
func everything(data []byte) (longest, deepest int, err error) {
	t, err := decodeDocuments(data)
	if err != nil {
		return 0, 0, err
	}
	for _, list := range t.registries {
		for _, e := range list {
			text, err := t.json(e.value)
			if err != nil {
				return 0, 0, err
			}
			longest, deepest = max(longest, len(text)), max(deepest, depthOf(text))
		}
	}
	return longest, deepest, nil
}

func depthOf(text []byte) (deepest int) {
	depth := 0
	for _, c := range text {
		switch c {
		case '{', '[':
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		}
	}
	return deepest
}

func TestTheLimitsHaveRoomAboveTheTables(t *testing.T) {
	data, err := unpack(fileDocuments)
	if err != nil {
		t.Fatal(err)
	}
	longest, deepest, err := everything(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d and %d bytes packed; documents %d bytes unpacked, the longest %d as JSON, %d deep",
		len(fileDocuments), len(fileParameters), len(data), longest, deepest)
	if len(data) > maxTable/4 || longest > maxText/4 || deepest > maxDepth/4 {
		t.Error("a limit is near")
	}
}

// head begins a value.
func head(kind, which byte) byte { return which<<2 | kind }

// tableOf is a table with one document, which is that value.
func tableOf(value ...byte) []byte {
	b := []byte{2, 1, '1', 3, '"', 'a', '"'} // atoms: 1 and "a"
	b = append(b, 1, 1, 1)                   // shapes: {a}
	b = append(b, 2, 1, head(tagAtom, 0), 2, head(tagObject, 0), head(tagShared, 0))
	b = append(b, 1, 1, 'r', 1, 2, 'i', 'd', 3, byte(len(value)))
	return append(b, value...)
}

func TestValuesAreWrittenAsJSON(t *testing.T) {
	for want, value := range map[string][]byte{
		`1`:             {head(tagAtom, 0)},
		`"a"`:           {head(tagAtom, 1)},
		`{"a":1}`:       {head(tagObject, 0), head(tagAtom, 0)},
		`[]`:            {head(tagArray, 0)},
		`[1,{"a":1},1]`: {head(tagArray, 3), head(tagAtom, 0), head(tagShared, 1), head(tagShared, 0)},
	} {
		d, err := decodeDocuments(tableOf(value...))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.json(d.registries["r"][0].value); err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
}

func TestDamagedValuesAreErrors(t *testing.T) {
	for name, value := range map[string][]byte{
		"nothing":       {},
		"atom":          {head(tagAtom, 2)},
		"shape":         {head(tagObject, 1), 0},
		"shared":        {head(tagShared, 2)},
		"cut short":     {head(tagArray, 2), 0},
		"too much":      {0, 0},
		"large array":   {0xFE, 0xFF, 0xFF, 0x0F, 0},
		"endless depth": bytes.Repeat([]byte{head(tagArray, 1)}, 100),
	} {
		d, err := decodeDocuments(tableOf(value...))
		if err == nil {
			_, err = d.json(d.registries["r"][0].value)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	deep := append(bytes.Repeat([]byte{head(tagArray, 1)}, maxDepth+1), 0)
	d := documents{atoms: [][]byte{{'1'}}}
	if _, err := d.json(deep); err == nil {
		t.Error("a value too deep passes")
	}
	// A shared value may be but one before, so no value holds itself.
	loop := documents{shared: [][]byte{{head(tagShared, 0)}}}
	if _, err := loop.json([]byte{head(tagShared, 0)}); err == nil {
		t.Error("a value in itself passes")
	}
	// Values that double in each other are long, not endless.
	bomb := documents{atoms: [][]byte{{'1'}}, shared: [][]byte{{0}}}
	for i := range byte(40) {
		bomb.shared = append(bomb.shared, []byte{head(tagArray, 2), head(tagShared, i), head(tagShared, i)})
	}
	if _, err := bomb.json([]byte{0xA0 | tagShared, 1}); err == nil {
		t.Error("a value too long passes")
	}
}

func TestDamagedTablesAreErrorsNotPanics(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	for _, file := range [][]byte{fileDocuments, fileParameters, nil, []byte(magic)} {
		for range 30 {
			cut := file[:random.IntN(len(file)+1)]
			if _, err := unpack(cut); err == nil && len(cut) < len(file) {
				t.Errorf("%d of %d bytes unpack", len(cut), len(file))
			}
		}
	}
	documents, errDocuments := unpack(fileDocuments)
	parameters, errParameters := unpack(fileParameters)
	if errDocuments != nil || errParameters != nil {
		t.Fatal(errDocuments, errParameters)
	}
	for range 60 {
		for i, table := range [][]byte{documents, parameters, tableOf(0)} {
			damaged := bytes.Clone(table[:len(table)-random.IntN(2)*random.IntN(len(table))])
			for range random.IntN(8) {
				if len(damaged) > 0 {
					damaged[random.IntN(len(damaged))] = byte(random.Uint32())
				}
			}
			// Whether it is an error depends on the place; what does not panic
			// or run away passes.
			if i == 1 {
				_, err := decodeParameters(damaged)
				_ = err
			} else {
				_, _, err := everything(damaged)
				_ = err
			}
		}
	}
}

func FuzzDecodeDocuments(f *testing.F) {
	f.Add(tableOf(0))
	f.Add(tableOf(head(tagArray, 3), 0, head(tagShared, 1), tagShared))
	const limit = 1 << 14 // short, for speed
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := decodeDocuments(data)
		if err != nil {
			return
		}
		total := 0
		for _, list := range d.registries {
			for _, e := range list {
				if total > limit {
					return // each may be as long
				}
				text, err := d.appendWithin(nil, limit, e.value)
				if len(text) > limit+2*len(data) {
					t.Fatalf("%d bytes of JSON, %v", len(text), err)
				}
				total += len(text)
			}
		}
	})
}
