package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"golang.org/x/sync/errgroup"

	"strata/backup/source"
	"strata/region/vfs"
)

// toFolder restores to a folder that is absent or empty. All is written beside it
// and gets its name in the end.
func (x *restorer) toFolder(ctx context.Context, names []string) error {
	x.rep.To = x.To
	to := filepath.Clean(x.To)
	if entries, err := x.FS.ReadDir(to); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s: %w", to, ErrNotEmpty)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if x.DryRun {
		for _, n := range names {
			if e := x.files[n]; e.kind != source.Folder {
				x.plan("write", n, e.stat.size)
				x.wrote(n)
			}
		}
		return nil
	}
	parent := filepath.Dir(to)
	if err := vfs.MkdirAllSync(x.FS, parent, 0o755); err != nil {
		return err
	}
	if err := x.checkSpace(parent, x.total); err != nil {
		return err
	}
	stage := filepath.Join(parent, vfs.TempPrefix+"restore-"+filepath.Base(to))
	if err := removeAll(x.FS, stage); err != nil {
		return fmt.Errorf("remove what an interrupted restore has left: %w", err)
	}
	suffixes, err := x.stage(ctx, names, stage)
	if err != nil {
		return errors.Join(err, removeAll(x.FS, stage))
	}
	return x.reveal(stage, to, suffixes)
}

// reveal gives what was staged its names, the main folder last.
func (x *restorer) reveal(stage, to string, suffixes []string) error {
	if err := x.FS.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for i := len(suffixes) - 1; i >= 0; i-- {
		final := to + suffixes[i]
		if err := x.FS.Rename(filepath.Join(stage, rootFolder+suffixes[i]), final); err != nil {
			return err
		}
	}
	if err := x.FS.Remove(stage); err != nil {
		return err
	}
	return x.FS.SyncDir(filepath.Dir(to))
}

// rootFolder is what the main folder of a world is called while it is staged.
const rootFolder = "world"

// stage writes files of the snapshot below a folder that is absent, durably. It
// returns the suffixes of the world's folders, the main one first.
func (x *restorer) stage(ctx context.Context, names []string, stage string) (suffixes []string, err error) {
	if err := vfs.MkdirAllSync(x.FS, stage, 0o755); err != nil {
		return nil, err
	}
	for _, root := range x.rec.Roots {
		suffix, err := x.suffixOf(root)
		if err != nil || strings.ContainsAny(suffix, `/\`) {
			return nil, fmt.Errorf("folders of snapshot %s: %w", x.rec.ID, ErrDamaged)
		}
		suffixes = append(suffixes, suffix)
		if err := x.FS.Mkdir(filepath.Join(stage, rootFolder+suffix), 0o755); err != nil {
			return nil, err
		}
	}
	dirs := map[string]bool{stage: true}
	for _, suffix := range suffixes {
		dirs[filepath.Join(stage, rootFolder+suffix)] = true
	}
	// Several at a time, so that the disk's flushes are made together.
	work, within := errgroup.WithContext(ctx)
	work.SetLimit(flushes)
	for _, n := range names {
		if within.Err() != nil {
			break
		}
		to, err := x.place(n, stage, dirs)
		if err != nil {
			return nil, errors.Join(err, work.Wait())
		}
		if to == "" {
			continue
		}
		work.Go(func() error {
			if err := x.write(within, n, x.files[n], x.FS, to, func(string) {}); err != nil {
				return fmt.Errorf("restore %s: %w", n, err)
			}
			x.wrote(n)
			return nil
		})
	}
	if err := errors.Join(work.Wait(), ctx.Err()); err != nil {
		return nil, err
	}
	return suffixes, x.flushDirs(dirs)
}

func (x *restorer) flushDirs(dirs map[string]bool) error {
	var work errgroup.Group
	work.SetLimit(flushes)
	for dir := range dirs {
		work.Go(func() error { return x.FS.SyncDir(dir) })
	}
	return work.Wait()
}

// place makes the folders of a file and returns its path; "" for a folder.
func (x *restorer) place(n, stage string, dirs map[string]bool) (string, error) {
	suffix, rel, err := x.local(n)
	if err != nil {
		return "", err
	}
	e := x.files[n]
	to := filepath.Join(stage, rootFolder+suffix, rel)
	dir := filepath.Dir(to)
	if e.kind == source.Folder {
		dir = to
	}
	if !dirs[dir] {
		if err := vfs.MkdirAll(x.FS, dir, 0o755); err != nil {
			return "", err
		}
	}
	for d := dir; len(d) > len(stage) && !dirs[d]; d = filepath.Dir(d) {
		dirs[d] = true
	}
	if e.kind == source.Folder {
		return "", nil
	}
	return to, nil
}

// checkSpace refuses what does not fit.
func (x *restorer) checkSpace(dir string, bytes int64) error {
	free, err := x.FS.FreeBytes(dir)
	if err != nil {
		return nil //nolint:nilerr // what cannot be told is found when it is written
	}
	if free < bytes {
		return fmt.Errorf("%d bytes are needed and %d are free: %w", bytes, free, vfs.ErrNoSpace)
	}
	return nil
}

// removeAll removes a folder and what is in it, links not followed. A folder that
// is absent is no error.
func removeAll(fsys vfs.FS, dir string) error {
	info, err := fsys.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := fsys.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := removeAll(fsys, filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return fsys.Remove(dir)
}
