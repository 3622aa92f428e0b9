package journal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/cespare/xxhash/v2"

	"strata/region/vfs"
)

// state is what a file is: the zero state is absent.
type state struct {
	present bool
	size    int64
	sum     uint64 // xxh64 of the content
}

func stateOf(data []byte) state {
	return state{true, int64(len(data)), xxhash.Sum64(data)}
}

func (s state) String() string {
	if !s.present {
		return "absent"
	}
	return fmt.Sprintf("%d bytes with xxh64 %016x", s.size, s.sum)
}

// isAbsent reports whether an error says that there is no such file, or no
// folder to hold it.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// errIrregular: something else than a file has a file's name.
var errIrregular = errors.New("not a regular file")

// hashBuffer is the most of a file that is in memory while it is hashed.
const hashBuffer = 128 << 10

// readState is the state of the file at path. ErrSymlink and errIrregular if
// it is none.
func readState(fsys vfs.FS, path string) (state, error) {
	s, _, err := sizeOf(fsys, path)
	if err != nil || !s.present {
		return s, err
	}
	return hashFile(fsys, path, s.size)
}

// sizeOf is the state of the file at path without its sum.
func sizeOf(fsys vfs.FS, path string) (state, fs.FileMode, error) {
	info, err := fsys.Lstat(path)
	switch {
	case isAbsent(err):
		return state{}, 0, nil
	case err != nil:
		return state{}, 0, err
	case info.Mode&fs.ModeSymlink != 0:
		return state{}, 0, fmt.Errorf("%s: %w", path, ErrSymlink)
	case !info.Mode.IsRegular():
		return state{}, 0, fmt.Errorf("%s: %w", path, errIrregular)
	}
	return state{present: true, size: info.Size}, info.Mode.Perm(), nil
}

// hashFile reads a file that is likely of that size.
func hashFile(fsys vfs.FS, path string, size int64) (state, error) {
	f, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if isAbsent(err) {
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	defer f.Close()
	s, d, buf := state{present: true}, xxhash.New(), make([]byte, min(size+1, hashBuffer))
	for {
		n, err := f.ReadAt(buf, s.size)
		d.Write(buf[:n]) //nolint:errcheck // a hash takes everything
		s.size += int64(n)
		if err == io.EOF {
			s.sum = d.Sum64()
			return s, nil
		}
		if err != nil {
			return state{}, err
		}
	}
}

// stateAmong is the state of the file at path if it is one of those wanted;
// known is false if it is none. A file whose size differs is not read.
func stateAmong(fsys vfs.FS, path string, wanted ...state) (s state, known bool, err error) {
	s, _, err = sizeOf(fsys, path)
	if errors.Is(err, ErrSymlink) || errors.Is(err, errIrregular) {
		return s, false, nil
	}
	if err != nil {
		return s, false, err
	}
	likely := false
	for _, w := range wanted {
		likely = likely || w.present == s.present && w.size == s.size
	}
	if !likely {
		return s, false, nil
	}
	if s.present {
		if s, err = hashFile(fsys, path, s.size); err != nil {
			return s, false, err
		}
	}
	for _, w := range wanted {
		known = known || w == s
	}
	return s, known, nil
}
