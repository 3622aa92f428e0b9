package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"strata/region/vfs"
)

// File is a file of a repository by its path with slashes.
type File struct {
	Path  string
	Bytes int64
}

// Source is a repository to copy.
type Source struct {
	FS  vfs.FS
	Dir string
	// Files are all its files: none needs one that stands behind it.
	Files []File
}

// Options of a copy.
type Options struct {
	// Mirror removes from the copy what the repository no longer has, the files
	// that others do not need first.
	Mirror bool
	DryRun bool
	// Progress is called with the bytes that are done and to be done.
	Progress func(done, total int64)
}

// Report is what was done, or would be.
type Report struct {
	Files   int64 `json:"files"` // of the repository
	Copied  int64 `json:"copied"`
	Bytes   int64 `json:"copied_bytes"`
	Removed int64 `json:"removed"`
	// Extra are files of the copy that the repository does not have.
	Extra  int64 `json:"extra"`
	DryRun bool  `json:"dry_run"`
}

// Copy brings a copy up to a repository. Whatever happens in between, no file
// stands in the copy before those that it needs.
func Copy(ctx context.Context, s Source, to Store, o Options) (*Report, error) {
	r := &Report{Files: int64(len(s.Files)), DryRun: o.DryRun}
	if err := s.copy(ctx, to, o, r); err != nil {
		return r, fmt.Errorf("copy to %s: %w", to, err)
	}
	return r, nil
}

func (s *Source) copy(ctx context.Context, to Store, o Options, r *Report) error {
	if !o.DryRun {
		if err := to.Sweep(ctx); err != nil {
			return err
		}
	}
	has, err := listed(ctx, to)
	if err != nil {
		return err
	}
	var missing []File
	total := int64(0)
	for _, f := range s.Files {
		if err := checkName(f.Path); err != nil {
			return err
		}
		if bytes, ok := has[f.Path]; !ok || bytes != f.Bytes {
			missing = append(missing, f)
			total += f.Bytes
		}
		delete(has, f.Path)
	}
	r.Extra = int64(len(has))
	done := int64(0)
	for _, f := range missing {
		if !o.DryRun {
			if err := s.put(ctx, to, f, func(n int64) {
				if done += n; o.Progress != nil {
					o.Progress(done, total)
				}
			}); err != nil {
				return fmt.Errorf("%s: %w", f.Path, err)
			}
		}
		r.Copied++
		r.Bytes += f.Bytes
	}
	if !o.Mirror {
		return nil
	}
	for _, name := range s.removable(has) {
		if !o.DryRun {
			if err := to.Remove(ctx, name); err != nil {
				return fmt.Errorf("remove %s: %w", name, err)
			}
		}
		r.Removed++
	}
	return nil
}

func listed(ctx context.Context, s Store) (map[string]int64, error) {
	has := map[string]int64{}
	err := s.List(ctx, func(name string, bytes int64) error {
		has[name] = bytes
		return nil
	})
	return has, err
}

func (s *Source) open(f File) (vfs.File, error) {
	return s.FS.OpenFile(filepath.Join(s.Dir, filepath.FromSlash(f.Path)), 0, 0)
}

func (s *Source) put(ctx context.Context, to Store, f File, progress func(int64)) (err error) {
	file, err := s.open(f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err == nil && info.Size != f.Bytes {
		err = errShort
	}
	if err != nil {
		return err
	}
	r := &countingReader{io.NewSectionReader(file, 0, f.Bytes), progress}
	return to.Put(ctx, f.Path, f.Bytes, r)
}

type countingReader struct {
	r io.Reader
	f func(int64)
}

func (c *countingReader) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.f(int64(n))
	return n, err
}

// removable orders files that the repository does not have: first those of the
// folders whose files stand last in it, then those of folders it does not know.
func (s *Source) removable(extra map[string]int64) []string {
	rank := map[string]int{}
	for i, f := range s.Files {
		rank[topOf(f.Path)] = i
	}
	names := make([]string, 0, len(extra))
	for name := range extra {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := rankOf(rank, b) - rankOf(rank, a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names
}

func rankOf(rank map[string]int, name string) int {
	if at, ok := rank[topOf(name)]; ok {
		return at
	}
	return -1
}

func topOf(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

// Fetch makes a repository of a copy, in a folder that is absent, empty, or
// what an interrupted Fetch has left. last says which files have to come
// after all others: those that make it a repository.
func Fetch(ctx context.Context, from Store, fsys vfs.FS, dir string, last func(path string) bool, o Options) (*Report, error) {
	r := &Report{DryRun: o.DryRun}
	if err := fetch(ctx, from, fsys, dir, last, o, r); err != nil {
		return r, fmt.Errorf("fetch %s: %w", from, err)
	}
	return r, nil
}

func fetch(ctx context.Context, from Store, fsys vfs.FS, dir string, last func(string) bool, o Options, r *Report) error {
	wanted, err := listed(ctx, from)
	if err != nil {
		return err
	}
	if len(wanted) == 0 {
		return fs.ErrNotExist
	}
	files := make([]File, 0, len(wanted))
	for name, bytes := range wanted {
		if err := checkName(name); err != nil {
			return err
		}
		files = append(files, File{name, bytes})
	}
	slices.SortFunc(files, func(a, b File) int {
		if last(a.Path) != last(b.Path) {
			if last(b.Path) {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Path, b.Path)
	})
	r.Files = int64(len(files))
	if o.DryRun {
		for _, f := range files {
			r.Copied, r.Bytes = r.Copied+1, r.Bytes+f.Bytes
		}
		return nil
	}
	store, err := openFolder(fsys, dir, true)
	if err != nil {
		return err
	}
	local := store.(*folder)
	if err := local.Sweep(ctx); err != nil {
		return err
	}
	has, err := listed(ctx, local)
	if err != nil {
		return err
	}
	for name := range has {
		if _, ok := wanted[name]; !ok {
			return fmt.Errorf("%s is in %s and not in the copy: %w", name, dir, fs.ErrExist)
		}
	}
	total, done := int64(0), int64(0)
	for _, f := range files {
		total += f.Bytes
	}
	for _, f := range files {
		if bytes, ok := has[f.Path]; ok && bytes == f.Bytes {
			total -= bytes
			continue
		}
		in, err := from.Get(ctx, f.Path)
		if err == nil {
			err = local.Put(ctx, f.Path, f.Bytes, &countingReader{in, func(n int64) {
				if done += n; o.Progress != nil {
					o.Progress(done, total)
				}
			}})
			err = errors.Join(err, in.Close())
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Path, err)
		}
		r.Copied, r.Bytes = r.Copied+1, r.Bytes+f.Bytes
	}
	return nil
}

// Difference is a file that is not the same on both sides.
type Difference struct {
	Path string `json:"path"`
	What string `json:"what"` // missing, another size, other bytes
}

// Check compares a copy with its repository, byte for byte.
func Check(ctx context.Context, s Source, in Store, progress func(done, total int64)) ([]Difference, error) {
	has, err := listed(ctx, in)
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", in, err)
	}
	total, done := int64(0), int64(0)
	for _, f := range s.Files {
		total += f.Bytes
	}
	var all []Difference
	for _, f := range s.Files {
		what := ""
		if bytes, ok := has[f.Path]; !ok {
			what = "missing"
		} else if bytes != f.Bytes {
			what = "another size"
		} else if same, err := s.same(ctx, in, f); err != nil {
			return all, fmt.Errorf("check %s of %s: %w", f.Path, in, err)
		} else if !same {
			what = "other bytes"
		}
		if what != "" {
			all = append(all, Difference{f.Path, what})
		}
		if done += f.Bytes; progress != nil {
			progress(done, total)
		}
	}
	return all, nil
}

func (s *Source) same(ctx context.Context, in Store, f File) (same bool, err error) {
	file, err := s.open(f)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	other, err := in.Get(ctx, f.Path)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, other.Close()) }()
	own := io.NewSectionReader(file, 0, f.Bytes)
	theirs := &boundReader{ctx, other}
	a, b := make([]byte, 1<<18), make([]byte, 1<<18)
	for {
		n, errA := io.ReadFull(own, a)
		m, errB := io.ReadFull(theirs, b)
		if !bytes.Equal(a[:n], b[:m]) {
			return false, nil
		}
		ended := errors.Is(errA, io.EOF) || errors.Is(errA, io.ErrUnexpectedEOF)
		endedB := errors.Is(errB, io.EOF) || errors.Is(errB, io.ErrUnexpectedEOF)
		switch {
		case errA != nil && !ended:
			return false, errA
		case errB != nil && !endedB:
			return false, errB
		case ended || endedB:
			return ended && endedB, nil
		}
	}
}
