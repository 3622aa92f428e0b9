package backup

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"

	"golang.org/x/sync/errgroup"

	"strata/backup/pack"
	"strata/region"
	"strata/region/vfs"
)

// outFile is a file of a snapshot that is being made. In a dry run it is none.
type outFile struct {
	fs     vfs.FS
	file   vfs.File
	name   string
	flush  *errgroup.Group
	sum    hash.Hash
	hashed int64 // what sum has: writes are in order, or it is read again
	random bool
	cloned bool
}

func (c *treeCreator) create(name string) (*outFile, error) {
	o := &outFile{fs: c.t.fs, name: c.to(name), flush: &c.flush, sum: sha256.New()}
	if c.o.DryRun {
		return o, nil
	}
	var err error
	o.file, err = c.t.fs.OpenFile(o.name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o444)
	return o, err
}

func (o *outFile) writeAt(b []byte, at int64) error {
	if at == o.hashed {
		o.sum.Write(b)
		o.hashed += int64(len(b))
	} else {
		o.random = true
	}
	if o.file == nil || isZero(b) && len(b) >= region.SectorBytes {
		return nil // a hole
	}
	_, err := o.file.WriteAt(b, at)
	return err
}

// id gives the file its size and returns its SHA-256.
func (o *outFile) id(size int64) (pack.ID, error) {
	if o.file == nil {
		return pack.ID(o.sum.Sum(nil)), nil
	}
	if !o.cloned {
		if err := o.file.Truncate(size); err != nil {
			return pack.ID{}, err
		}
	}
	if !o.random && o.hashed == size {
		return pack.ID(o.sum.Sum(nil)), nil
	}
	return hashFile(o.file, size)
}

// finish has the file made durable.
func (o *outFile) finish() error {
	if o.file == nil {
		return nil
	}
	file := o.file
	o.flush.Go(func() error { return errors.Join(file.Sync(), file.Close()) })
	return nil
}

func hashFile(f io.ReaderAt, size int64) (pack.ID, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, io.NewSectionReader(f, 0, size))
	if err == nil && n != size {
		err = io.ErrUnexpectedEOF
	}
	return pack.ID(sum.Sum(nil)), err
}

func (o *outFile) remove() {
	if o.file == nil {
		return
	}
	o.file.Close()      //nolint:errcheck // it is removed
	o.fs.Remove(o.name) //nolint:errcheck // its folder is
}
