package vfs

import (
	"golang.org/x/sys/unix"
)

// flush uses F_FULLFSYNC: fsync on macOS leaves the data in the drive's cache.
// Network file systems do not have it; fsync is all they offer.
func flush(fd uintptr) error {
	err := retry(func() error {
		_, err := unix.FcntlInt(fd, unix.F_FULLFSYNC, 0)
		return err
	})
	if isUnsupported(err) || err == unix.EINVAL {
		return retry(func() error { return unix.Fsync(int(fd)) })
	}
	return err
}

func flushDir(fd uintptr) error { return flush(fd) }

// reserve allocates from the present end to off+n, the only place where
// F_PREALLOCATE can, and extends the size. Holes inside the file stay: APFS
// writes elsewhere in any case, so a reservation there would not hold.
func reserve(fd uintptr, off, n int64) error {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(int(fd), &st) }); err != nil {
		return err
	}
	if off+n <= st.Size {
		return nil
	}
	req := unix.Fstore_t{Flags: unix.F_ALLOCATEALL, Posmode: unix.F_PEOFPOSMODE, Length: off + n - st.Size}
	err := retry(func() error { return unix.FcntlFstore(fd, unix.F_PREALLOCATE, &req) })
	if isUnsupported(err) {
		return tag(ErrUnsupported, err)
	}
	if err != nil {
		return err
	}
	return retry(func() error { return unix.Ftruncate(int(fd), off+n) })
}

// punchBlock is APFS's block: F_PUNCHHOLE takes whole blocks only.
const punchBlock = 4096

// punch frees the whole blocks of the range and writes zeros over the rest of
// it, as the other systems do on their own.
func (f *osFile) punch(fd uintptr, off, n int64) error {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(int(fd), &st) }); err != nil {
		return err
	}
	end := min(off+n, st.Size)
	from := (off + punchBlock - 1) / punchBlock * punchBlock
	to := end / punchBlock * punchBlock
	if from >= to {
		return f.zero(off, end)
	}
	// fpunchhole_t is flags, a reserved word, offset and length: the first
	// four fields of fstore_t, whose wrapper takes any command.
	hole := unix.Fstore_t{Offset: from, Length: to - from}
	err := retry(func() error { return unix.FcntlFstore(fd, unix.F_PUNCHHOLE, &hole) })
	if isUnsupported(err) {
		return tag(ErrUnsupported, err)
	}
	if err != nil {
		return err
	}
	if err := f.zero(off, from); err != nil {
		return err
	}
	return f.zero(to, end)
}

// zero writes zeros from off to end, less than two blocks.
func (f *osFile) zero(off, end int64) error {
	if off >= end {
		return nil
	}
	_, err := f.f.WriteAt(make([]byte, end-off), off)
	return err
}

func cloneFile(src, dst string) error {
	err := retry(func() error { return unix.Clonefile(src, dst, 0) })
	if isUnsupported(err) {
		return tag(ErrUnsupported, err)
	}
	return err
}
