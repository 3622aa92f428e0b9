package codec

import "strata/region/codec/flate"

const (
	recordHeaderSize = 5 // length and scheme, before the stream
	sectorSize       = 4096
)

// sectorDeflater is mode sector: see the package comment.
type sectorDeflater struct {
	overhead     int // bytes of the record beside the raw deflate stream
	fast, strong deflater
	retry        []byte // the strong encoder's result, until it is chosen
}

func newSectorDeflater(framing int) (*sectorDeflater, error) {
	fast, err := newFastDeflater(5)
	if err != nil {
		return nil, err
	}
	strong, err := flate.NewEncoder(8)
	if err != nil {
		return nil, err
	}
	return &sectorDeflater{overhead: recordHeaderSize + framing, fast: fast, strong: strong}, nil
}

// Append implements deflater.
func (d *sectorDeflater) Append(dst, src []byte) []byte {
	start := len(dst)
	dst = d.fast.Append(dst, src)
	record := d.overhead + len(dst) - start
	full := record / sectorSize * sectorSize
	over := record - full
	if full == 0 || over == 0 || over*100 > record*8 {
		return dst
	}
	d.retry = d.strong.Append(d.retry[:0], src)
	if d.overhead+len(d.retry) <= full {
		dst = append(dst[:start], d.retry...)
	}
	return dst
}
