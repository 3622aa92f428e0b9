package codec

import (
	"errors"

	"strata/region/codec/flate"
)

// DefaultLimit is the largest payload [Decoder.Append] yields when the caller
// sets no limit: 256 MiB. The largest chunks seen in the wild are a few MB.
const DefaultLimit = 256 << 20

// Decoder decompresses streams of every known scheme. The zero value is
// ready. Keep it, and use it from one goroutine at a time.
type Decoder struct {
	inflate flate.Decoder
}

// Append appends the payload of stream src, which is of scheme s, to dst and
// returns the result, as append does; dst must not overlap src. A limit <= 0
// means [DefaultLimit].
//
// Bytes of src after the end of its stream are ignored, as the game's reader
// ignores them; [Decoder.AppendN] tells how many there are. (Scheme none has
// no end of its own: all of src is payload.)
//
// The error is an [Error] whose cause is [ErrUnknownScheme] (for
// [Custom] and everything not [Scheme.Known]), [ErrCorrupt], [ErrTruncated],
// [ErrChecksum] or [ErrLimit]. On error the result is dst with its old length;
// bytes beyond that length may have been overwritten.
func (d *Decoder) Append(dst []byte, s Scheme, src []byte, limit int) ([]byte, error) {
	out, _, err := d.AppendN(dst, s, src, limit)
	return out, err
}

// AppendN is [Decoder.Append] and also returns how many bytes of src the
// stream took. A smaller number than len(src) means trailing bytes.
func (d *Decoder) AppendN(dst []byte, s Scheme, src []byte, limit int) (out []byte, n int, err error) {
	if limit <= 0 {
		limit = DefaultLimit
	}
	switch s {
	case Zlib:
		out, n, err = d.inflate.AppendZlib(dst, src, limit)
	case Gzip:
		out, n, err = d.inflate.AppendGzip(dst, src, limit)
	case None:
		if len(src) > limit {
			return dst, 0, limitError(s, 0, limit)
		}
		return append(dst, src...), len(src), nil
	case LZ4:
		return decodeLZ4(dst, src, limit)
	default:
		return dst, 0, &Error{Scheme: s, Err: ErrUnknownScheme}
	}
	if err != nil {
		return dst, 0, flateError(s, err)
	}
	return out, n, nil
}

// flateError turns what codec/flate says into this package's words.
func flateError(s Scheme, err error) error {
	out := &Error{Scheme: s, Err: ErrCorrupt, Detail: err.Error()}
	if e := (*flate.Error)(nil); errors.As(err, &e) {
		out.Offset, out.Detail = e.Offset, e.Reason
	}
	switch {
	case errors.Is(err, flate.ErrTruncated):
		out.Err = ErrTruncated
	case errors.Is(err, flate.ErrChecksum):
		out.Err = ErrChecksum
	case errors.Is(err, flate.ErrLimit):
		out.Err = ErrLimit
	case errors.Is(err, flate.ErrDictionary):
		out.Detail = "preset dictionary"
	}
	return out
}
