package prune

import "math/bits"

// Histogram is how often which InhabitedTime is among full chunks.
type Histogram struct {
	Chunks int64    `json:"chunks"`
	Rows   []Bucket `json:"rows"`
	// Dominant is the value that so many have that it says nothing about where
	// players were; nil if there is none.
	Dominant *Dominant `json:"dominant"`

	counts [65]int64 // by the number of bits
	few    map[int64]int64
	above  int64 // chunks with more than 0
}

// Bucket counts chunks with from..to ticks.
type Bucket struct {
	From   int64 `json:"from"`
	To     int64 `json:"to"`
	Chunks int64 `json:"chunks"`
}

// Dominant is a value that dominates.
type Dominant struct {
	Ticks int64 `json:"ticks"`
	// Chunks have it, at least: it is counted in little memory.
	Chunks int64 `json:"chunks"`
}

// fewValues is how many values are counted apart: the count of one is too low
// by at most the number of chunks / (fewValues + 1).
const fewValues = 255

// leastChunks is the fewest chunks of which something can be said.
const leastChunks = 64

func (h *Histogram) add(ticks int64) {
	ticks = max(ticks, 0)
	h.Chunks++
	h.counts[bits.Len64(uint64(ticks))]++
	if ticks == 0 {
		return
	}
	h.above++
	// The counts of Misra and Gries: a newcomer that finds no room takes one off
	// each, so a value that more than half have is never lost.
	if h.few == nil {
		h.few = map[int64]int64{}
	}
	if _, known := h.few[ticks]; known || len(h.few) < fewValues {
		h.few[ticks]++
		return
	}
	for value, n := range h.few {
		if n == 1 {
			delete(h.few, value)
		} else {
			h.few[value] = n - 1
		}
	}
}

// finish makes the rows and looks for a value that dominates: one that half of
// all chunks with more than 0 have, or 0 itself if all have it.
func (h *Histogram) finish() {
	h.Rows = []Bucket{}
	for n, count := range h.counts {
		if count == 0 {
			continue
		}
		row := Bucket{Chunks: count}
		if n > 0 {
			row.From, row.To = 1<<(n-1), int64(1<<n-1)
		}
		h.Rows = append(h.Rows, row)
	}
	h.Dominant = nil
	if h.Chunks >= leastChunks && h.above == 0 {
		h.Dominant = &Dominant{0, h.Chunks}
	}
	if h.above < leastChunks {
		return
	}
	for value, n := range h.few {
		if n > h.above/2 {
			h.Dominant = &Dominant{value, n}
		}
	}
}
