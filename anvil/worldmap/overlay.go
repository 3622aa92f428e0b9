package worldmap

import (
	"cmp"
	"image/color"
	"slices"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/region"
	"strata/region/codec"
)

// Sample is what an Overlay is told of a chunk.
type Sample struct {
	Pos   region.ChunkPos
	Entry region.Entry
	// Header of the document; empty if it cannot be read.
	Header       chunk.Header
	Scheme       codec.Scheme
	External     bool
	PayloadBytes int64 // as scan.Chunk.PayloadBytes
	// Err is why the chunk cannot be read; the fields above but Pos and Entry
	// are empty if that is because of its record.
	Err error
}

// Mark is what an Overlay makes of a chunk: a color and what it means.
type Mark struct {
	Label string
	Color color.NRGBA
	// Order of the legend.
	Order int64
}

// Overlay colors chunks. Of must give the same mark for the same sample, and
// be safe to call concurrently; it reports false for a chunk without a mark.
type Overlay struct {
	Name string
	Of   func(*Sample) (Mark, bool)
}

// LegendEntry is a mark of a picture.
type LegendEntry struct {
	Mark
	Chunks int64
}

// legendOf sorts the marks of a picture.
func legendOf(counts map[Mark]int64) []LegendEntry {
	legend := make([]LegendEntry, 0, len(counts))
	for mark, n := range counts {
		legend = append(legend, LegendEntry{mark, n})
	}
	slices.SortFunc(legend, func(a, b LegendEntry) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Label, b.Label))
	})
	return legend
}

// Overlays are those that need nothing but the world, by name.
func Overlays() []Overlay {
	return []Overlay{
		{"inhabited", ofHeader(inhabitedMark)},
		{"data-version", ofHeader(versionMark)},
		{"status", ofHeader(func(h *chunk.Header) (Mark, bool) { return statusMark(chunk.ParseStatus(h.Status), h.Status), true })},
		{"scheme", schemeMark},
		{"waste", wasteMark},
	}
}

// Marked is an overlay of marks that are known beforehand, such as those of a
// comparison with another world.
func Marked(name string, of func(region.ChunkPos) (Mark, bool)) *Overlay {
	return &Overlay{name, func(s *Sample) (Mark, bool) { return of(s.Pos) }}
}

// ofHeader is an overlay of what the document's header tells.
func ofHeader(of func(*chunk.Header) (Mark, bool)) func(*Sample) (Mark, bool) {
	return func(s *Sample) (Mark, bool) {
		if s.Err != nil {
			return Mark{}, false
		}
		return of(&s.Header)
	}
}

func opaque(c rgb) color.NRGBA {
	return color.NRGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 255}
}

const ticksPerMinute = 20 * 60

// inhabitedSteps are the classes of InhabitedTime, by the least of each.
var inhabitedSteps = []struct {
	ticks int64
	label string
	color rgb
}{
	{0, "never", 0x27305a}, {1, "under 1 minute", 0x2c5aa0}, {ticksPerMinute, "1 to 10 minutes", 0x2a9d8f},
	{10 * ticksPerMinute, "10 to 60 minutes", 0x8ac926}, {60 * ticksPerMinute, "1 to 10 hours", 0xf4a261},
	{600 * ticksPerMinute, "10 hours and more", 0xe63946},
}

func inhabitedMark(h *chunk.Header) (mark Mark, ok bool) {
	for i, step := range inhabitedSteps {
		if i == 0 || h.InhabitedTime >= step.ticks {
			mark = Mark{step.label, opaque(step.color), int64(i)}
		}
	}
	return mark, true
}

// versionLines are the colors of the releases since a data version. Within a
// line versions differ in brightness.
var versionLines = []struct {
	since int32
	color rgb
}{
	{0, 0x5f6470},    // before 1.9
	{1, 0x8d99ae},    // 1.9 to 1.12
	{1444, 0x6d597a}, // 1.13, from its first snapshot
	{1901, 0x355070}, // 1.14
	{2200, 0x4361ee}, // 1.15
	{2504, 0x4cc9f0}, // 1.16
	{2681, 0x2a9d8f}, // 1.17
	{2825, 0x80b918}, // 1.18
	{3066, 0xd4d700}, // 1.19
	{3442, 0xffba08}, // 1.20
	{3817, 0xf3722c}, // 1.21
	{4763, 0xd62828}, // 26.1
	{4791, 0xc9379d}, // 26.2
	{4904, 0x8338ec}, // 26.3 and later
}

func versionMark(h *chunk.Header) (Mark, bool) {
	color := versionLines[0].color
	for _, line := range versionLines {
		if h.DataVersion >= line.since {
			color = line.color
		}
	}
	// The golden ratio takes numbers that are near each other far apart.
	brightness := 190 + int(uint32(h.DataVersion)*2654435769>>24)/4
	return Mark{anvil.Describe(h.DataVersion), opaque(color.scaled(brightness)), int64(h.DataVersion)}, true
}

// statusColors go from what has nothing to what is finished.
var statusColors = map[chunk.Status]rgb{
	chunk.StatusUnknown: 0x808080, chunk.StatusEmpty: 0x6a6f7b, chunk.StatusStructureStarts: 0x7b5ea7,
	chunk.StatusStructureReferences: 0x9d6bb5, chunk.StatusBiomes: 0x3f88c5, chunk.StatusNoise: 0x2a9db0,
	chunk.StatusSurface: 0xd9a441, chunk.StatusCarvers: 0xe07a3f, chunk.StatusLiquidCarvers: 0xd65f4a,
	chunk.StatusFeatures: 0xcf4d7c, chunk.StatusInitializeLight: 0xe8d44d, chunk.StatusLight: 0xf2e88b,
	chunk.StatusSpawn: 0xb6d94c, chunk.StatusHeightmaps: 0x9ccc50, chunk.StatusFull: 0x43a047,
	chunk.StatusPostprocessed: 0x2e7d32,
}

func statusMark(status chunk.Status, name string) Mark {
	label := status.String()
	if status == chunk.StatusUnknown {
		label = "unknown"
		if name != "" {
			label = name
		}
	}
	return Mark{label, opaque(statusColors[status]), int64(status)}
}

var schemeColors = map[codec.Scheme]rgb{
	codec.Gzip: 0xe07a3f, codec.Zlib: 0x3f88c5, codec.None: 0xe8d44d, codec.LZ4: 0x43a047, codec.Custom: 0x9d6bb5,
}

func schemeMark(s *Sample) (Mark, bool) {
	if s.Scheme == 0 {
		return Mark{}, false
	}
	mark := Mark{s.Scheme.String(), opaque(schemeColors[s.Scheme]), int64(s.Scheme) * 2}
	if _, known := schemeColors[s.Scheme]; !known {
		mark.Color = opaque(0x808080)
	}
	if s.External {
		mark.Label += ", external"
		mark.Color = opaque(0xe63946)
		mark.Order++
	}
	return mark, true
}

// wasteSteps are the classes of what of a chunk's sectors is padding, by the
// least of each in percent.
var wasteSteps = []struct {
	percent int64
	label   string
	color   rgb
}{
	{0, "under 10 % padding", 0x2e7d32}, {10, "10 to 25 % padding", 0x8ac926}, {25, "25 to 50 % padding", 0xf4a261},
	{50, "50 % padding and more", 0xe63946},
}

func wasteMark(s *Sample) (mark Mark, ok bool) {
	if s.Scheme == 0 {
		return Mark{}, false
	}
	sectors := int64(s.Entry.Location.Count()) * region.SectorBytes
	used := s.PayloadBytes
	if s.External { // its stub is all that is in the region file
		used = region.RecordHeaderBytes
	}
	if sectors == 0 {
		return Mark{}, false
	}
	percent := max(0, sectors-used) * 100 / sectors
	for i, step := range wasteSteps {
		if percent >= step.percent {
			mark = Mark{step.label, opaque(step.color), int64(i)}
		}
	}
	return mark, true
}
