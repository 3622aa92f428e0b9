package flate

import "math"

// DefaultLimit is the most bytes one call appends when the caller gives no
// limit of its own: far above any chunk, far below what hurts a server.
const DefaultLimit = 256 << 20

const (
	// maxRatio bounds what one byte of input can become: the shortest match is
	// two bits (a one-bit length code and a one-bit distance code) for 258
	// bytes, so eight bits make 4*258.
	maxRatio = 4 * maxMatch
)

// Decoder decodes whole streams from memory to memory. The zero value is ready
// and a Decoder may be used again after any result, errors included; it keeps
// its tables (about 16 KiB) but none of the caller's slices. It must not be
// used by two goroutines at once.
//
// All three methods share these rules:
//   - The stream starts at src[0] and may be followed by other data, which is
//     not looked at; n is the number of bytes the stream itself took.
//   - The decoded bytes are appended to dst as the append built-in would do it.
//     Matches never reach back into what dst held before. Bytes of dst's array
//     between the end of the result and its capacity may be overwritten with
//     anything, so a caller whose data lies there, src included, clips the
//     capacity first (slices.Clip).
//   - limit is the most bytes appended; <= 0 means [DefaultLimit]. A stream
//     with more fails with [ErrLimit], and memory beyond the limit is never
//     allocated for it. Memory grows in steps with what was really decoded, so
//     an input cannot claim more than 1,032 times its own size and 16 KiB.
//   - With enough capacity in dst nothing is allocated.
//   - On an error the result is dst with its length and content unchanged
//     (though what lies behind its length may not be), n is 0, and the error
//     is an *[Error].
type Decoder struct {
	// The tables of the block at hand: the Decoder's own or the fixed ones.
	t *tables

	in    []byte // the whole input
	pos   int    // next byte to load; beyond len(in) it counts padding bytes
	bits  uint64 // loaded and not yet consumed, first bit lowest
	nbits uint   // how many of them

	// What bits holds above nbits is either zero or what the next bytes of in
	// will put there again, so OR-ing them in once more changes nothing.

	buf   []byte // the caller's slice or the one grown from it, up to its capacity
	base  int    // where this call's output starts in buf
	out   []byte // buf[base:], at most limit bytes of it
	op    int    // how many bytes of out are decoded
	limit int

	dyn struct {
		tables
		pre  [1 << preBits]uint32
		lens [maxLitCodes + maxDistCodes]uint8
	}
}

// Append decodes one raw DEFLATE stream (RFC 1951).
//
// It accepts exactly the streams that compress/flate accepts, and takes as many
// bytes of them. In doubtful cases that means:
//   - A code must be complete. Excepted are a code with one symbol, of length
//     1, and a code without symbols: with these it is the unused bit patterns
//     that are corrupt, where they are met. (klauspost/compress 1.20.4 goes on
//     with the distance codes of the block before where a block has none.)
//   - A block without an end-of-block code is corrupt or truncated where it
//     ends instead of at its header. (zlib refuses the header.)
//   - More than 286 literal/length or 30 distance lengths are corrupt, though
//     unused; so are the symbols 286, 287 and the distance symbols 30, 31 of the
//     fixed codes where they are met.
//   - Distances may reach back 32 KiB, to the first byte of the stream at most.
//
// Only the kind of an error may differ from other decoders: for input that is
// both damaged and cut off, what is met first depends on how far each looks
// ahead.
func (d *Decoder) Append(dst, src []byte, limit int) (out []byte, n int, err error) {
	d.begin(dst, src, limit)
	defer d.end()
	if err := d.stream(); err != nil {
		return dst, 0, err
	}
	return d.result(), d.consumed(), nil
}

// begin takes over the arguments of a call.
func (d *Decoder) begin(dst, src []byte, limit int) {
	if limit <= 0 {
		limit = DefaultLimit
	}
	limit = min(limit, math.MaxInt-len(dst))
	d.in, d.pos, d.bits, d.nbits = src, 0, 0, 0
	d.buf, d.base, d.limit = dst[:cap(dst)], len(dst), limit
	d.op = 0
	d.setOut()
}

// end lets go of the caller's memory.
func (d *Decoder) end() {
	d.in, d.buf, d.out = nil, nil, nil
}

// setOut derives out after buf changed.
func (d *Decoder) setOut() {
	d.out = d.buf[d.base:]
	if len(d.out) > d.limit {
		d.out = d.out[:d.limit]
	}
}

// result is the caller's slice with the decoded bytes at its end.
func (d *Decoder) result() []byte { return d.buf[:d.base+d.op] }

// consumed is the number of input bytes used so far, a partly used byte
// included. It exceeds len(in) when padding was consumed.
func (d *Decoder) consumed() int { return d.pos - int(d.nbits>>3) }

// fail makes an error at the present place. If the input had ended before it,
// that is what is wrong, whatever the padding decoded to.
func (d *Decoder) fail(kind error, reason string) error {
	offset := d.consumed()
	if offset > len(d.in) {
		offset, kind, reason = len(d.in), ErrTruncated, ""
	}
	return &Error{Format: "deflate", Offset: offset, Reason: reason, Err: kind}
}

// stream decodes blocks until the last one.
func (d *Decoder) stream() error {
	for {
		d.fill()
		header := d.bits
		d.drop(3)
		if d.consumed() > len(d.in) {
			return d.fail(ErrTruncated, "")
		}
		var err error
		switch header >> 1 & 3 {
		case 0:
			err = d.storedBlock()
		case 1:
			d.t = fixedTables
			err = d.huffmanBlock()
		case 2:
			if err = d.readTables(); err == nil {
				d.t = &d.dyn.tables
				err = d.huffmanBlock()
			}
		default:
			err = d.fail(ErrCorrupt, "block type 3")
		}
		if err != nil || header&1 != 0 {
			return err
		}
	}
}

// fill loads input until at least 56 bits are there. Behind the end of the
// input it loads zeros, which pos counts: consumed tells if they were used.
func (d *Decoder) fill() {
	if d.pos <= len(d.in)-8 {
		d.bits |= load64(d.in, d.pos) << (d.nbits & 63)
		d.pos += int(63-d.nbits) >> 3
		d.nbits |= 56
		return
	}
	for d.nbits < 56 {
		if d.pos < len(d.in) {
			d.bits |= uint64(d.in[d.pos]) << (d.nbits & 63)
		}
		d.pos++
		d.nbits += 8
	}
}

// drop consumes n bits.
func (d *Decoder) drop(n uint) {
	d.bits >>= n & 63
	d.nbits -= n
}

// take consumes n <= 16 bits and returns them.
func (d *Decoder) take(n uint) int {
	v := int(d.bits & (1<<(n&63) - 1))
	d.drop(n)
	return v
}

// seek drops the bits already loaded and goes on at byte pos.
func (d *Decoder) seek(pos int) {
	d.pos, d.bits, d.nbits = pos, 0, 0
}

// storedBlock copies a block without compression.
func (d *Decoder) storedBlock() error {
	at := d.consumed()
	d.seek(at)
	if len(d.in)-at < 4 {
		d.seek(len(d.in))
		return d.fail(ErrTruncated, "")
	}
	length := int(d.in[at]) | int(d.in[at+1])<<8
	inverse := int(d.in[at+2]) | int(d.in[at+3])<<8
	at += 4
	d.seek(at)
	if length^0xFFFF != inverse {
		return d.fail(ErrCorrupt, "stored block with a wrong length")
	}
	if length > len(d.in)-at {
		d.seek(len(d.in))
		return d.fail(ErrTruncated, "")
	}
	if err := d.room(length); err != nil {
		return err
	}
	d.op += copy(d.out[d.op:], d.in[at:at+length])
	d.seek(at + length)
	return nil
}

// room makes sure that n more bytes fit into out.
func (d *Decoder) room(n int) error {
	if n <= len(d.out)-d.op {
		return nil
	}
	if n > d.limit-d.op {
		return d.fail(ErrLimit, "")
	}
	d.grow(n)
	return nil
}

// grow moves the output to a larger array, for n more bytes at least. It
// doubles, or starts with a guess from the size of the input, and asks neither
// for more than the limit nor for more than the rest of the input can fill.
func (d *Decoder) grow(n int) {
	left := int64(max(0, len(d.in)-d.pos)) + 8 // 8: what bits may hold
	size := max(2*int64(len(d.out)), int64(d.op+n), firstSize(len(d.in)))
	if size > int64(d.limit)/2 {
		size = int64(d.limit) // now, lest it take one more copy for a bit more
	}
	size = min(size, int64(d.op+n)+maxRatio*left)

	grown := make([]byte, d.base+int(size)) // append would round up by a quarter
	copy(grown, d.buf[:d.base+d.op])
	d.buf = grown
	d.setOut()
}

// firstSize guesses the output of n bytes of input: chunks unpack to about
// seven times their size, but a long input gets less on trust.
func firstSize(n int) int64 {
	const small = 32 << 10
	return 8*int64(min(n, small)) + 2*int64(max(0, n-small)) + fastSlack
}
