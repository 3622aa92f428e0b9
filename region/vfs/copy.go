package vfs

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// copyBuffer is how much CopyFile holds in memory.
const copyBuffer = 256 << 10

// CopyFile makes dst, which must not exist, a copy of src's content: a reflink
// where the file system can (cloned), a copy of the bytes elsewhere. A source
// with holes is copied with holes. Neither content nor name is durable yet.
// After an error dst is removed again if that is possible.
func CopyFile(fsys FS, dst, src string) (cloned bool, err error) {
	err = fsys.Clone(src, dst)
	if err == nil {
		return true, nil
	}
	if !errors.Is(err, ErrUnsupported) {
		return false, err
	}
	s, err := fsys.OpenFile(src, os.O_RDONLY, 0)
	if err != nil {
		return false, err
	}
	defer s.Close() // read only: nothing to lose
	fi, err := s.Stat()
	if err != nil {
		return false, err
	}
	d, err := fsys.OpenFile(dst, os.O_RDWR|os.O_CREATE|os.O_EXCL, fi.Mode.Perm())
	if err != nil {
		return false, err
	}
	sparse := fi.Allocated >= 0 && fi.Allocated < fi.Size
	err = copyData(d, s, sparse)
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return false, errors.Join(err, fsys.Remove(dst))
	}
	return false, nil
}

// copyData copies to the end of s. If sparse, blocks of zeros are left out.
func copyData(d, s File, sparse bool) error {
	buf := make([]byte, copyBuffer)
	for off := int64(0); ; {
		n, err := s.ReadAt(buf, off)
		if err != nil && err != io.EOF {
			return err
		}
		if werr := writeData(d, buf[:n], off, sparse); werr != nil {
			return werr
		}
		off += int64(n)
		if err == nil {
			continue
		}
		if sparse {
			return d.Truncate(off) // the end may be a hole
		}
		return nil
	}
}

// writeData writes p, in runs between the blocks of zeros if sparse.
func writeData(d File, p []byte, off int64, sparse bool) error {
	if !sparse {
		if len(p) == 0 {
			return nil
		}
		_, err := d.WriteAt(p, off)
		return err
	}
	for from := 0; from < len(p); {
		to := from
		for to < len(p) && !isZeroBlock(p, to) {
			to = min(to+pageSize, len(p))
		}
		if to > from {
			if _, err := d.WriteAt(p[from:to], off+int64(from)); err != nil {
				return err
			}
		}
		from = to
		for from < len(p) && isZeroBlock(p, from) {
			from = min(from+pageSize, len(p))
		}
	}
	return nil
}

// isZeroBlock reports whether the block of p that begins at i is all zeros.
func isZeroBlock(p []byte, i int) bool {
	return bytes.Equal(p[i:min(i+pageSize, len(p))], zeroPage[:min(pageSize, len(p)-i)])
}
