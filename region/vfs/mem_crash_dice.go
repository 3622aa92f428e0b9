package vfs

import "math/rand/v2"

// dice draws what survives of a list of changes. Lists of one power cut are
// drawn independently, so that one file can be new while another is old.
type dice struct {
	*rand.Rand
	plan plan
	at   int     // which change the plan is about
	odds float64 // plan random
	tear bool    // kept writes may be torn
}

type plan uint8

const (
	planNone   plan = iota // all are lost
	planAll                // none is lost
	planOnly               // only the one at is kept: it overtook the others
	planExcept             // only the one at is lost
	planUntil              // those before at are kept: written in order
	planFrom               // those from at on are kept
	planRandom             // each by the odds; several times, it is the richest
	plans      = planRandom + 4
)

func newDice(seed, stream uint64, n int) *dice {
	d := &dice{Rand: rand.New(rand.NewPCG(seed, stream))}
	d.plan = plan(d.IntN(int(plans)))
	d.at = d.IntN(max(n, 1))
	d.odds = []float64{0.15, 0.5, 0.5, 0.85}[d.IntN(4)]
	d.tear = d.IntN(2) == 0
	return d
}

// keeps says whether the change at index i survives. Called once for each, in
// order.
func (d *dice) keeps(i int) bool {
	switch d.plan {
	case planNone:
		return false
	case planAll:
		return true
	case planOnly:
		return i == d.at
	case planExcept:
		return i != d.at
	case planUntil:
		return i < d.at
	case planFrom:
		return i >= d.at
	}
	return d.Float64() < d.odds
}

// land draws the landing of a file's change.
func (d *dice) land(i int, fc *fileChange) landing {
	if !d.keeps(i) {
		return landing{}
	}
	whole := landAll(i, fc)
	if !d.tear || fc.kind != changeWrite && fc.kind != changeClone {
		return whole
	}
	switch d.IntN(6) {
	case 0: // size without data
		return landing{reach: whole.reach}
	case 1: // data without size
		return landing{sector: everySector}
	case 2:
		return d.prefix(fc)
	case 3:
		bits := d.Uint64()
		return landing{reach: whole.reach, sector: func(i int64) bool { return mix(bits+uint64(i))&1 == 0 }}
	}
	return whole
}

// prefix draws a write of which only the first sectors have landed, with the
// size after them, after all of it, or as it was.
func (d *dice) prefix(fc *fileChange) landing {
	end := fc.off + fc.n
	first := fc.off / sectorSize
	count := d.Int64N((end-1)/sectorSize - first + 1)
	l := landing{sector: func(i int64) bool { return i < count }}
	switch roll := d.IntN(3); {
	case roll == 0:
		l.reach = end
	case roll == 1 && count > 0:
		l.reach = (first + count) * sectorSize
	}
	return l
}

// mix scatters x: the finalizer of splitmix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
