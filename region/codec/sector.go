package codec

import "strata/region/codec/flate"

const (
	recordHeaderSize = 5 // length and scheme, before the stream
	sectorSize       = 4096
)

// The ladder of mode sector. On 998 full chunks (2-core EPYC, thread CPU,
// best of three, 2026-11-30) the share by which an encoder beats the one
// before it has little spread, so a threshold a little above the median gain
// catches most records that can be saved and few that cannot:
//
//	gain, % of record    5th percentile   median   95th
//	first -> level 6          4.0           5.3     6.9
//	level 6 -> level 9        1.0           1.7     2.8
//
// First step klauspost 6, then level 6 below 8 %, then level 9 below 2.5 %:
// 8,381 B of sectors a chunk, where level 8 throughout takes 8,393 and level
// 9 8,368, in 0.32 times the standard library's time at level 6. Straight to
// level 9 costs 0.37 for the same sectors. On either half of the corpus these
// thresholds beat level 8's sectors. Going on to level 10 below 1.5 % would
// save 0.4 % more for 0.03 more time, four times the memory and three
// milliseconds in the worst case.
const sectorFirst = 6 // klauspost's level

var sectorSteps = [...]struct{ level, thresholdPermille int }{
	{6, 80},
	{9, 25},
}

// sectorDeflater is mode sector: see the package comment. The streams it
// chooses from are raw; framing is the same for all of them and counts as
// overhead.
type sectorDeflater struct {
	overhead int // bytes of the record beside the raw deflate stream
	first    *fastDeflater
	steps    [len(sectorSteps)]*flate.Encoder
	retry    []byte // a later step's result, until it is chosen
}

func newSectorDeflater(framing int) (*sectorDeflater, error) {
	d := &sectorDeflater{overhead: recordHeaderSize + framing}
	var err error
	if d.first, err = newFastDeflater(sectorFirst); err != nil {
		return nil, err
	}
	for i, step := range sectorSteps {
		if d.steps[i], err = flate.NewEncoder(step.level); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Append implements deflater. The result never takes more sectors than the
// first step's.
func (d *sectorDeflater) Append(dst, src []byte) []byte {
	start := len(dst)
	dst = d.first.Append(dst, src)
	kept := d.overhead + len(dst) - start
	// A result that saves nothing is dropped, but how far it reached says
	// better than the first step whether the next one can get there.
	reached := kept
	for i, step := range sectorSteps {
		if !worthRetry(reached, step.thresholdPermille) {
			break
		}
		d.retry = d.steps[i].Append(d.retry[:0], src)
		retried := d.overhead + len(d.retry)
		if sectors(retried) < sectors(kept) {
			dst = append(dst[:start], d.retry...)
			kept = retried
		}
		reached = min(reached, retried)
	}
	return dst
}

// sectors is the number of sectors that a record occupies.
func sectors(record int) int { return (record + sectorSize - 1) / sectorSize }

// worthRetry reports whether a record would need one sector less if it shrank
// by the given share. A record of one sector never does.
func worthRetry(record, permille int) bool {
	n := sectors(record)
	return n > 1 && record-(n-1)*sectorSize <= record*permille/1000
}
