package pack

import "io"

// Sealer encrypts whole files. It is safe for concurrent use.
type Sealer interface {
	// Seal returns a writer of what is to be sealed into dst. Close ends it and
	// does not close dst.
	Seal(dst io.Writer) (io.WriteCloser, error)
	// Unseal returns what was sealed, and its length. The error is about the key,
	// or the bytes.
	Unseal(src io.ReaderAt, size int64) (io.ReaderAt, int64, error)
}
