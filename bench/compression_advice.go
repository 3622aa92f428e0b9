package bench

import (
	"fmt"
	"math"
	"time"
)

// Advice is a level for a use, with the reason.
type Advice struct {
	Use    string    `json:"use"`  // live, pregeneration or archive
	Kind   string    `json:"kind"` // of the chunks that it rests on
	Level  LevelName `json:"level"`
	Reason string    `json:"reason"`
}

// use is what a use asks of a level: the smallest world in sectors within a
// bound on the time to compress, and among those as good as that the fastest.
type use struct {
	name string
	// limit is the most time to compress a chunk, in times of the yardstick.
	limit float64
	// slack is how much larger, of the size, counts as good as the smallest.
	slack float64
	why   string
}

// A live server competes with its ticks for the processor, so it may take half
// of what the game takes. Pregeneration spends tens of milliseconds to make a
// chunk and may take as long as the game for the last percent. An archive is
// written once, but has to come to an end.
var uses = []use{
	{"live", 0.5, 0.002, "saving may take at most half the time that the game's own level 6 takes, since it competes with ticks"},
	{"pregeneration", 1, 0.002, "making a chunk costs far more than compressing it, so compression may take as long as the game's own level 6"},
	{"archive", 20, 0.001, "it is written once and kept, so twenty times the time of the game's own level 6 is bearable"},
}

// someChunks is how many of a kind are enough to rest advice on.
const someChunks = 20

// MainKind is what advice rests on and charts show: full chunks, or if there
// are next to none the kind of which most were measured.
func (r *CompressionReport) MainKind() CompressionKind {
	var main CompressionKind
	for _, k := range r.Kinds { // full ones come first
		if k.Chunks > main.Chunks && main.Chunks < someChunks {
			main = k
		}
	}
	return main
}

// advise chooses among our zlib levels on chunks of the main kind.
func (r *CompressionReport) advise() []Advice {
	advice := []Advice{}
	if len(r.Kinds) == 0 {
		return advice
	}
	kind := r.MainKind().Kind
	yardstick := r.Yardstick(kind)
	if yardstick == nil {
		return advice
	}
	var rows []*CompressionRow
	for _, row := range r.Of(kind) {
		if row.Name == "strata" && row.Scheme == "zlib" && row.Samples > 0 {
			rows = append(rows, row)
		}
	}
	for _, u := range uses {
		if best := u.choose(rows, yardstick); best != nil {
			advice = append(advice, Advice{u.name, kind, best.Level, u.reason(best, yardstick)})
		}
	}
	return advice
}

// choose returns nil if no level keeps within the bound.
func (u use) choose(rows []*CompressionRow, yardstick *CompressionRow) *CompressionRow {
	limit := time.Duration(u.limit * float64(yardstick.CompressNS))
	smallest := math.Inf(1)
	for _, row := range rows {
		if row.CompressNS <= limit {
			smallest = min(smallest, row.SectorBytes)
		}
	}
	var best *CompressionRow
	for _, row := range rows {
		if row.CompressNS <= limit && row.SectorBytes <= smallest*(1+u.slack) && (best == nil || row.CompressNS < best.CompressNS) {
			best = row
		}
	}
	return best
}

func (u use) reason(row, y *CompressionRow) string {
	return fmt.Sprintf("%s. Of the levels that keep to this it makes the smallest region files, or is the fastest of those within %.1f%% of it: %s the sectors and %.2f times the CPU time of level 6 (%s).",
		u.why, 100*u.slack, percentText(row.SectorBytes/y.SectorBytes), float64(row.CompressNS)/float64(y.CompressNS), y.Name)
}

func percentText(of float64) string { return fmt.Sprintf("%.1f%%", 100*of) }
