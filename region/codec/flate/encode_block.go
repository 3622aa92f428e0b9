package flate

import (
	"encoding/binary"
	"slices"
)

// A blockWriter writes blocks, each in the cheapest of the three forms.
// Stored blocks are held back while more of them follow, so that they come
// out in full length.
type blockWriter struct {
	bitWriter
	src   []byte
	base  int // length of the caller's part of out
	limit int // most bytes to write past base

	storedStart, storedEnd int // source held back for stored blocks

	huffman huffman
	header  dynamicHeader
	lit     prefixCode
	dist    prefixCode
	litEnc  [litSymbols]uint32 // code, and length << 16, of the code in use
	distEnc [distSymbols]uint32
}

// The two-bit block types of RFC 1951 section 3.2.3.
const (
	typeStored  = 0
	typeFixed   = 1
	typeDynamic = 2
)

// maxStored is the most bytes a stored block holds.
const maxStored = 65535

// reset starts a stream of src that is appended to dst.
func (w *blockWriter) reset(dst, src []byte, limit int) {
	w.bitWriter = bitWriter{out: dst}
	w.src, w.base, w.limit = src, len(dst), limit
	w.storedStart, w.storedEnd = 0, 0
}

// finish returns the stream, which is whole if the final block has been
// written, and lets go of the caller's slices.
func (w *blockWriter) finish() []byte {
	w.align()
	out := w.out
	w.out, w.src = nil, nil
	return out
}

// write writes the block c, whose sequences are seqs. It reports false when
// the stream would become longer than the limit; then nothing more may be
// written.
func (w *blockWriter) write(c *cell, seqs []sequence, final bool) bool {
	c.counts[endOfBlock] = 1
	w.huffman.build(c.counts[:litSymbols], maxCodeBits, &w.lit)
	w.huffman.build(c.counts[litSymbols:], maxCodeBits, &w.dist)
	w.header.plan(&w.huffman, &w.lit, &w.dist)

	extra := c.counts.extraBits()
	dynamic := 3 + w.header.bits + extra + c.counts.codeBits(&w.lit, &w.dist)
	fixed := 3 + extra + c.counts.codeBits(&fixedLit, &fixedDist)
	stored := w.storedBits(c.end - c.start)
	least := min(dynamic, fixed, stored)
	if !w.fits(least) {
		return false
	}
	if stored == least {
		w.hold(c.start, c.end)
		if final {
			w.flushStored(true)
		}
		return true
	}
	w.flushStored(false)
	w.reserve(least/8 + 1)
	if dynamic == least {
		w.put(blockHead(typeDynamic, final), 3)
		w.header.write(&w.bitWriter)
		w.writeSequences(seqs, c.start, &w.lit, &w.dist)
	} else {
		w.put(blockHead(typeFixed, final), 3)
		w.writeSequences(seqs, c.start, &fixedLit, &fixedDist)
	}
	return true
}

// blockHead returns the three bits in front of every block.
func blockHead(kind uint64, final bool) uint64 {
	if final {
		return kind<<1 | 1
	}
	return kind << 1
}

// fits reports whether the stream keeps the limit with so many bits more.
func (w *blockWriter) fits(more int) bool {
	held := w.storedEnd - w.storedStart
	done := len(w.out) - w.base + held
	if held > 0 {
		done += 5 * ((held + maxStored - 1) / maxStored)
	}
	return done+(int(w.held)+more+7)/8 <= w.limit
}

// storedBits returns how many bits n more bytes cost when stored.
func (w *blockWriter) storedBits(n int) int {
	held := w.storedEnd - w.storedStart
	blocks := (held+n+maxStored-1)/maxStored - (held+maxStored-1)/maxStored
	if held == 0 {
		// The first head takes three bits and the rest of their byte.
		blocks = max(blocks, 1)
		return 3 + int(-(w.bitWriter.held+3)&7) + 32 + (blocks-1)*40 + 8*n
	}
	return blocks*40 + 8*n
}

// hold adds source to the stored blocks held back. It follows what is held.
func (w *blockWriter) hold(start, end int) {
	if w.storedStart == w.storedEnd {
		w.storedStart = start
	}
	w.storedEnd = end
}

// flushStored writes what is held back, if anything.
func (w *blockWriter) flushStored(final bool) {
	rest := w.src[w.storedStart:w.storedEnd]
	w.storedStart = w.storedEnd
	for len(rest) > 0 {
		part := rest[:min(len(rest), maxStored)]
		rest = rest[len(part):]
		w.reserve(len(part) + 6)
		w.put(blockHead(typeStored, final && len(rest) == 0), 3)
		w.align()
		w.out = binary.LittleEndian.AppendUint16(w.out, uint16(len(part)))
		w.out = binary.LittleEndian.AppendUint16(w.out, ^uint16(len(part)))
		w.out = append(w.out, part...)
	}
}

// writeSequences writes the sequences of the source at pos and the end of the
// block. There is room for all of it.
func (w *blockWriter) writeSequences(seqs []sequence, pos int, lit, dist *prefixCode) {
	for i := range w.litEnc {
		w.litEnc[i] = uint32(lit.code[i]) | uint32(lit.length[i])<<16
	}
	for i := range w.distEnc {
		w.distEnc[i] = uint32(dist.code[i]) | uint32(dist.length[i])<<16
	}
	out, at := w.out[:cap(w.out)], len(w.out)
	acc, held := w.acc, w.held
	for _, q := range seqs {
		run := w.src[pos : pos+int(q.literals)]
		pos += len(run) + int(q.length)
		// Less than a byte is held after each store, so three literals fit.
		for len(run) >= 3 {
			a, b, c := w.litEnc[run[0]], w.litEnc[run[1]], w.litEnc[run[2]]
			run = run[3:]
			acc |= uint64(a&0xffff) << (held & 63)
			held += a >> 16
			acc |= uint64(b&0xffff) << (held & 63)
			held += b >> 16
			acc |= uint64(c&0xffff) << (held & 63)
			held += c >> 16
			store64(out, at, acc)
			at += int(held >> 3)
			acc >>= held & 56
			held &= 7
		}
		for _, b := range run {
			a := w.litEnc[b]
			acc |= uint64(a&0xffff) << (held & 63)
			held += a >> 16
		}
		if len(run) != 0 {
			store64(out, at, acc)
			at += int(held >> 3)
			acc >>= held & 56
			held &= 7
		}
		if q.length == 0 {
			continue
		}
		// At most 15+5 and 15+13 bits.
		lc := lengthCode[q.length]
		a := w.litEnc[firstLenCode+int(lc)]
		acc |= uint64(a&0xffff) << (held & 63)
		held += a >> 16
		acc |= uint64(q.length-lengthBase[lc]) << (held & 63)
		held += uint32(lengthExtra[lc])
		dc := distCode(q.dist)
		a = w.distEnc[dc]
		acc |= uint64(a&0xffff) << (held & 63)
		held += a >> 16
		acc |= uint64(q.dist-distBase[dc]) << (held & 63)
		held += uint32(distExtra[dc])
		store64(out, at, acc)
		at += int(held >> 3)
		acc >>= held & 56
		held &= 7
	}
	w.out, w.acc, w.held = out[:at], acc, held
	a := w.litEnc[endOfBlock]
	w.put(uint64(a&0xffff), a>>16)
}

// A bitWriter appends bits to out, the first in the lowest place. Between
// calls it holds less than a byte.
type bitWriter struct {
	out  []byte
	acc  uint64
	held uint32 // bits in acc
}

// bitSlack is the room past the last byte that a store of eight bytes needs.
const bitSlack = 8

// reserve makes room for n bytes.
func (w *bitWriter) reserve(n int) {
	if cap(w.out)-len(w.out) < n+bitSlack {
		w.out = slices.Grow(w.out, n+bitSlack)
	}
}

// put appends the low n bits of v, n <= 48, whose other bits are zero. There
// is room for them.
func (w *bitWriter) put(v uint64, n uint32) {
	w.acc |= v << (w.held & 63)
	w.held += n
	at := len(w.out)
	store64(w.out[:at+8], at, w.acc)
	w.out = w.out[:at+int(w.held>>3)]
	w.acc >>= w.held & 56
	w.held &= 7
}

// align fills up the byte that has been begun.
func (w *bitWriter) align() {
	if w.held > 0 {
		w.out = append(w.out, byte(w.acc))
		w.acc, w.held = 0, 0
	}
}
