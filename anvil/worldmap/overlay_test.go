package worldmap

import (
	"bytes"
	"errors"
	"image/color"
	"testing"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/region"
	"strata/region/codec"
)

func overlayNamed(t *testing.T, name string) *Overlay {
	t.Helper()
	for _, o := range Overlays() {
		if o.Name == name {
			return &o
		}
	}
	t.Fatalf("there is no overlay %s", name)
	return nil
}

func TestOverlaysTellChunksApart(t *testing.T) {
	header := func(h chunk.Header) Sample { return Sample{Header: h} }
	stored := func(sectors uint32, payload int64, scheme codec.Scheme, external bool) Sample {
		return Sample{Entry: region.Entry{Location: region.Location(2<<8 | sectors)}, Scheme: scheme, External: external, PayloadBytes: payload}
	}
	for _, test := range []struct {
		overlay string
		sample  Sample
		want    string
	}{
		{"inhabited", header(chunk.Header{}), "never"},
		{"inhabited", header(chunk.Header{InhabitedTime: 1}), "under 1 minute"},
		{"inhabited", header(chunk.Header{InhabitedTime: 71999}), "10 to 60 minutes"},
		{"inhabited", header(chunk.Header{InhabitedTime: 1 << 40}), "10 hours and more"},
		{"data-version", header(chunk.Header{DataVersion: 4903}), "26.2 (4903)"},
		{"data-version", header(chunk.Header{}), "before 1.9"},
		{"status", header(chunk.Header{Status: "minecraft:carvers"}), "carvers"},
		{"status", header(chunk.Header{Status: "full"}), "full"},
		{"status", header(chunk.Header{Status: "mod:odd"}), "mod:odd"},
		{"status", header(chunk.Header{}), "unknown"},
		{"scheme", stored(1, 100, codec.LZ4, false), "lz4"},
		{"scheme", stored(1, 2<<20, codec.Zlib, true), "zlib, external"},
		{"scheme", stored(1, 100, 77, false), "unknown(77)"},
		{"scheme", Sample{Err: errors.New("unreadable")}, ""},
		{"waste", stored(2, 8000, codec.Zlib, false), "under 10 % padding"},
		{"waste", stored(2, 4097, codec.Zlib, false), "25 to 50 % padding"},
		{"waste", stored(1, 2<<20, codec.Zlib, true), "50 % padding and more"},
		{"waste", stored(0, 9, codec.Zlib, false), ""},
		{"inhabited", Sample{Err: errors.New("unreadable")}, ""},
	} {
		mark, ok := overlayNamed(t, test.overlay).Of(&test.sample)
		if mark.Label != test.want || ok != (test.want != "") || ok && mark.Color.A != 255 {
			t.Errorf("%s of %+v: %+v, %v; want %q", test.overlay, test.sample, mark, ok, test.want)
		}
	}
}

// Colors of data versions are far enough apart to be told from each other.
func TestReleasesHaveColorsOfTheirOwn(t *testing.T) {
	seen := make(map[color.NRGBA]int32)
	for _, version := range []int32{0, 1343, 1631, 1976, 2230, 2586, 2730, 2975, 3337, 3700, 4189, 4790, 4903, 5023} {
		mark, _ := versionMark(&chunk.Header{DataVersion: version})
		if other, there := seen[mark.Color]; there {
			t.Errorf("%s and %s have one color", anvil.Describe(version), anvil.Describe(other))
		}
		seen[mark.Color] = version
	}
}

func TestAnOverlayColorsChunksAndCountsThem(t *testing.T) {
	area := Area{Max: region.ChunkPos{X: 2}}
	w := build(t, area, func(pos region.ChunkPos) *chunk.Chunk {
		status := []chunk.Status{chunk.StatusFull, chunk.StatusFull, chunk.StatusCarvers}[pos.X]
		c := plane(t, pos, nil)
		c.SetStatus(status)
		return c
	})
	plain, _ := picture(t, w, Options{}, 1)
	m, result := picture(t, w, Options{Overlay: overlayNamed(t, "status")}, 1)
	if len(result.Legend) != 2 || result.Legend[0].Label != "carvers" || result.Legend[0].Chunks != 1 || result.Legend[1].Chunks != 2 {
		t.Errorf("legend: %+v", result.Legend)
	}
	if m.NRGBAAt(3, 3) == plain.NRGBAAt(3, 3) || m.NRGBAAt(3, 3) != m.NRGBAAt(19, 3) {
		t.Error("full chunks are not in the color of their status")
	}
	red := Mark{Label: "changed", Color: color.NRGBA{R: 255, A: 255}}
	marked := Marked("diff", func(pos region.ChunkPos) (Mark, bool) { return red, pos.X == 1 })
	m, result = picture(t, w, Options{Overlay: marked}, 1)
	if len(result.Legend) != 1 || result.Legend[0] != (LegendEntry{red, 1}) {
		t.Errorf("legend: %+v", result.Legend)
	}
	if c := m.NRGBAAt(19, 3); c.R <= c.G || !bytes.Equal(m.Pix[:64], plain.Pix[:64]) {
		t.Errorf("a marked chunk is %v, or others are changed", c)
	}
}
