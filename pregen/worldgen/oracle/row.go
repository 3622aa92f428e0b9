package oracle

import (
	"cmp"
	"slices"

	"strata/anvil/block"
)

// Counts are what was found in a number of samples.
type Counts struct {
	Chunks      int64 `json:"chunks"`
	Exact       int64 `json:"exact"`
	ExactMasked int64 `json:"exact_masked"`
	// ExactInOrder are those exact in Made.Chunk or in one of Made.Others.
	ExactInOrder int64 `json:"exact_in_order"`
	// ExactOrdered are those exact in Made.InTurn.
	ExactOrdered  int64 `json:"exact_ordered"`
	MaskedVoxels  int64 `json:"masked_voxels"`
	Blocks        int64 `json:"blocks"`
	WrongBlocks   int64 `json:"wrong_blocks"`
	OrderedWrong  int64 `json:"ordered_wrong"` // blocks of Made.InTurn
	BiomeCells    int64 `json:"biome_cells"`
	BiomeWrong    int64 `json:"biome_wrong"`
	BiomeTies     int64 `json:"biome_ties"` // of the wrong ones, where two biomes are exactly as near
	Masks         int64 `json:"masks"`
	MasksEqual    int64 `json:"masks_equal"`
	Marks         int64 `json:"marks"` // chunks whose post-processing marks were compared
	MarksEqual    int64 `json:"marks_equal"`
	InnerBlocks   int64 `json:"inner_blocks"`
	InnerWrong    int64 `json:"inner_wrong"`
	InnerColumns  int64 `json:"inner_columns"`
	InnerColExact int64 `json:"inner_columns_exact"`
	// InnerForeign are the wrong inner blocks where a block was expected that
	// features place, see Decoration, and InnerColForeign the inner columns that
	// are not exact because of such blocks alone.
	InnerForeign    int64 `json:"inner_foreign"`
	InnerColForeign int64 `json:"inner_columns_foreign"`
	// InnerMasked are the wrong inner blocks that Made.Unstable has, and
	// InnerColMasked the inner columns that are not exact because of them alone.
	InnerMasked    int64 `json:"inner_masked"`
	InnerColMasked int64 `json:"inner_columns_masked"`
}

// add adds other counts.
func (c *Counts) add(o *Counts) {
	for i, field := range o.fields() {
		*c.fields()[i] += *field
	}
}

func (c *Counts) fields() [24]*int64 {
	return [...]*int64{
		&c.Chunks, &c.Exact, &c.ExactMasked, &c.ExactInOrder, &c.ExactOrdered, &c.MaskedVoxels, &c.Blocks, &c.WrongBlocks, &c.OrderedWrong,
		&c.BiomeCells, &c.BiomeWrong, &c.BiomeTies, &c.Masks, &c.MasksEqual, &c.Marks, &c.MarksEqual,
		&c.InnerBlocks, &c.InnerWrong, &c.InnerColumns, &c.InnerColExact, &c.InnerForeign, &c.InnerColForeign,
		&c.InnerMasked, &c.InnerColMasked,
	}
}

// Key says which samples a row is about.
type Key struct {
	Folder    string `json:"folder"`
	Dimension string `json:"dimension"`
	Stage     Stage  `json:"stage"`
	Tier      string `json:"tier"`
}

// compare orders rows as samples are read.
func (k Key) compare(o Key) int {
	order := slices.Index(Stages, k.Stage) - slices.Index(Stages, o.Stage)
	return cmp.Or(cmp.Compare(k.Folder, o.Folder), cmp.Compare(k.Dimension, o.Dimension), order, cmp.Compare(k.Tier, o.Tier))
}

// Pair is a block that was expected and what was made in its place.
type Pair struct {
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Count    int64  `json:"count"`
}

// Row is what was found in the samples of a folder, dimension, stage and tier.
type Row struct {
	Key
	Counts
	WrongPerMillion float64 `json:"wrong_per_million"` // of blocks
	// WrongMedian is how many blocks are wrong in a chunk in the middle of all,
	// StableMedian those of them that do not depend on the order, and
	// OrderMedian those in whatever order of a chunk has the fewest, and
	// OrderedMedian those of Made.InTurn.
	WrongMedian   int64  `json:"wrong_median"`
	StableMedian  int64  `json:"stable_median"`
	OrderMedian   int64  `json:"order_median"`
	OrderedMedian int64  `json:"ordered_median"`
	Top           []Pair `json:"top"` // most frequent first
	// Stable are those of blocks that do not depend on the order.
	Stable []Pair `json:"top_stable"`
}

// Near is a sample near a structure that adapts the terrain.
type Near struct {
	Key
	X           int32    `json:"x"` // in chunks
	Z           int32    `json:"z"`
	Structures  []string `json:"structures"`
	WrongBlocks int64    `json:"wrong_blocks"`
}

// Judged is what was found in one sample.
type Judged struct {
	Key
	X            int32  `json:"x"` // in chunks
	Z            int32  `json:"z"`
	WrongBlocks  int64  `json:"wrong_blocks"`
	StableWrong  int64  `json:"stable_wrong"`  // those that do not depend on the order
	OrderWrong   int64  `json:"order_wrong"`   // those in the order that has the fewest
	OrderedWrong int64  `json:"ordered_wrong"` // those of Made.InTurn
	Stable       []Pair `json:"top_stable"`
}

// Failure is a sample or file that could not be compared.
type Failure struct {
	Error string `json:"error"`
}

// Report is the result of a comparison.
type Report struct {
	Rows []Row `json:"rows"`
	// Samples near structures that adapt the terrain are not in Rows, but here.
	AdaptedRows []Row     `json:"adapted_rows"`
	Adapted     []Near    `json:"adapted"`
	Failed      []Failure `json:"failed"`
	// Chunks are the decorated samples that are not exact.
	Chunks []Judged `json:"chunks"`
}

// Total returns the sum of all rows.
func (r *Report) Total() Counts {
	var sum Counts
	for i := range r.Rows {
		sum.add(&r.Rows[i].Counts)
	}
	return sum
}

// pair is a Pair by number.
type pair struct{ expected, got block.State }

// tally is a row that is being counted.
type tally struct {
	Counts
	pairs, stable pairs
	// These are the counts of each chunk.
	wrong, stableWrong, orderWrong, orderedWrong []int64
}

func (t *tally) add(o *tally) {
	t.Counts.add(&o.Counts)
	t.pairs.add(o.pairs)
	t.stable.add(o.stable)
	t.wrong = append(t.wrong, o.wrong...)
	t.stableWrong = append(t.stableWrong, o.stableWrong...)
	t.orderWrong = append(t.orderWrong, o.orderWrong...)
	t.orderedWrong = append(t.orderedWrong, o.orderedWrong...)
}

// median returns the middle one of numbers, which it sorts.
func median(numbers []int64) int64 {
	if len(numbers) == 0 {
		return 0
	}
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}

// pairs counts pairs.
type pairs map[pair]int64

func (p *pairs) add(o pairs) {
	if *p == nil {
		*p = make(pairs)
	}
	for key, n := range o {
		(*p)[key] += n
	}
}

// top returns the most frequent pairs, at most n.
func (p pairs) top(n int) []Pair {
	list := make([]Pair, 0, len(p))
	for p, count := range p {
		list = append(list, Pair{p.expected.String(), p.got.String(), count})
	}
	slices.SortFunc(list, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Expected, b.Expected), cmp.Compare(a.Got, b.Got))
	})
	return list[:min(n, len(list))]
}

// rows makes rows of tallies, in their order.
func rows(tallies map[Key]*tally, top int) []Row {
	list := make([]Row, 0, len(tallies))
	for key, t := range tallies {
		row := Row{
			Key: key, Counts: t.Counts, Top: t.pairs.top(top), Stable: t.stable.top(top),
			WrongMedian: median(t.wrong), StableMedian: median(t.stableWrong), OrderMedian: median(t.orderWrong),
			OrderedMedian: median(t.orderedWrong),
		}
		if t.Blocks > 0 {
			row.WrongPerMillion = float64(t.WrongBlocks) * 1e6 / float64(t.Blocks)
		}
		list = append(list, row)
	}
	slices.SortFunc(list, func(a, b Row) int { return a.Key.compare(b.Key) })
	return list
}
