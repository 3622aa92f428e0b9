package codec

import (
	"fmt"

	kflate "github.com/klauspost/compress/flate"

	"strata/region/codec/flate"
)

// fastLevels maps our levels 1 to 4 to klauspost's. Its own steps are uneven
// (2 is hardly smaller than 1 on chunks), so ours take the ones that each buy
// something. Index 0 is unused.
var fastLevels = [5]int{0, 1, 3, 5, 6}

// newDeflater returns the raw deflate encoder behind a numbered level.
func newDeflater(l Level) (deflater, error) {
	if int(l) < len(fastLevels) {
		return newFastDeflater(fastLevels[l])
	}
	return flate.NewEncoder(int(l))
}

// fastDeflater drives a klauspost writer as a one-shot encoder.
type fastDeflater struct {
	w   *kflate.Writer
	out appendWriter
}

func newFastDeflater(level int) (*fastDeflater, error) {
	d := new(fastDeflater)
	w, err := kflate.NewWriter(&d.out, level)
	if err != nil {
		return nil, fmt.Errorf("klauspost level %d: %w", level, err)
	}
	d.w = w
	return d, nil
}

// Append implements deflater. The writer's only errors are its sink's, and an
// appendWriter has none.
func (d *fastDeflater) Append(dst, src []byte) []byte {
	d.out.buf = dst
	d.w.Reset(&d.out)
	_, _ = d.w.Write(src)
	_ = d.w.Close()
	dst = d.out.buf
	d.out.buf = nil // the caller's buffer, not ours to keep alive
	return dst
}

// appendWriter is an io.Writer that appends.
type appendWriter struct{ buf []byte }

func (w *appendWriter) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	return len(p), nil
}
