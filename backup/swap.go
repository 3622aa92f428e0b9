package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"strata/backup/source"
	"strata/region/vfs"
)

// swap is what is left to do of a restore in place once everything is staged. When
// its file is durable the restore will be completed, by the next run if need be;
// before that nothing of the world has changed.
type swap struct {
	// Moves are from staged files to files of the world, relative to the staging
	// folder and to the world's main folder.
	Moves []move `json:"moves"`
	// Removes are files of the world.
	Removes []string `json:"removes"`
}

type move struct {
	From string `json:"from"`
	To   string `json:"to"`
}

const (
	swapName    = "swap.json"
	stageFolder = "staged"
	maxSwap     = 1 << 30
)

// swapOf lists what was staged.
func (x *restorer) swapOf(p *replacing, stage string) (*swap, error) {
	s := &swap{}
	base := filepath.Base(filepath.Dir(filepath.Dir(stage)))
	made := map[target]bool{}
	for _, root := range x.rec.Roots {
		suffix, err := x.suffixOf(root)
		if err != nil {
			return nil, err
		}
		dir := filepath.Join(stage, stageFolder, rootFolder+suffix)
		err = walkFiles(x.FS, dir, "", func(rel string) {
			t := target{suffix, rel}
			made[t] = true
			s.Moves = append(s.Moves, move{filepath.ToSlash(filepath.Join(stageFolder, rootFolder+suffix, rel)), filepath.ToSlash(t.path(base))})
		})
		if err != nil {
			return nil, err
		}
	}
	for _, t := range p.remove {
		if !made[t] {
			s.Removes = append(s.Removes, filepath.ToSlash(t.path(base)))
		}
	}
	return s, nil
}

// walkFiles calls f with the files below a folder.
func walkFiles(fsys vfs.FS, dir, rel string, f func(rel string)) error {
	entries, err := fsys.ReadDir(filepath.Join(dir, rel))
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := filepath.Join(rel, e.Name())
		if !e.IsDir() {
			f(name)
		} else if err := walkFiles(fsys, dir, name, f); err != nil {
			return err
		}
	}
	return nil
}

// check refuses paths that are not the world's.
func (s *swap) check(fsys vfs.FS, dir string) error {
	base := filepath.Base(dir)
	ok := func(p string) bool {
		p = filepath.FromSlash(p)
		if filepath.IsLocal(p) {
			return true
		}
		rest, err := filepath.Rel("..", p)
		return err == nil && filepath.IsLocal(rest) && len(rest) > len(base) && rest[:len(base)] == base
	}
	for _, m := range s.Moves {
		if !filepath.IsLocal(filepath.FromSlash(m.From)) || !ok(m.To) {
			return fmt.Errorf("%s to %s: %w", m.From, m.To, ErrDamaged)
		}
	}
	for _, r := range s.Removes {
		if !ok(r) {
			return fmt.Errorf("remove %s: %w", r, ErrDamaged)
		}
	}
	_, err := fsys.Stat(dir)
	return err
}

// write makes the swap durable: from then on it is completed.
func (s *swap) write(fsys vfs.FS, stage string) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return vfs.WriteFileSync(fsys, filepath.Join(stage, swapName), withSum(data), 0o644)
}

// apply does what is left of the swap.
func (s *swap) apply(fsys vfs.FS, dir string) error {
	stage := filepath.Join(dir, source.OwnFolder, source.RestoreFolder)
	changed := map[string]bool{}
	for _, m := range s.Moves {
		from, to := filepath.Join(stage, filepath.FromSlash(m.From)), filepath.Join(dir, filepath.FromSlash(m.To))
		if _, err := fsys.Lstat(from); errors.Is(err, fs.ErrNotExist) {
			continue // done before
		}
		if err := vfs.MkdirAllSync(fsys, filepath.Dir(to), 0o755); err != nil {
			return err
		}
		if err := moveFile(fsys, from, to); err != nil {
			return fmt.Errorf("swap in %s: %w", m.To, err)
		}
		changed[filepath.Dir(to)] = true
	}
	for _, r := range s.Removes {
		path := filepath.Join(dir, filepath.FromSlash(r))
		if err := fsys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		changed[filepath.Dir(path)] = true
	}
	for d := range changed {
		if err := fsys.SyncDir(d); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := fsys.Remove(filepath.Join(stage, swapName)); err != nil {
		return err
	}
	if err := fsys.SyncDir(stage); err != nil {
		return err
	}
	return removeAll(fsys, stage)
}

// moveFile puts a file in another's place: by a rename, or, where that lies on
// another file system behind a link, by a copy beside it.
func moveFile(fsys vfs.FS, from, to string) error {
	err := fsys.Rename(from, to)
	if err == nil {
		return nil
	}
	src, oerr := fsys.OpenFile(from, os.O_RDONLY, 0)
	if oerr != nil {
		return errors.Join(err, oerr)
	}
	defer src.Close()
	info, serr := src.Stat()
	if serr != nil {
		return errors.Join(err, serr)
	}
	temp := filepath.Join(filepath.Dir(to), vfs.TempPrefix+"restore-"+filepath.Base(to))
	if rerr := fsys.Remove(temp); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
		return errors.Join(err, rerr)
	}
	if cerr := copyVerified(context.Background(), src, fsys, temp, statOf(info)); cerr != nil {
		return errors.Join(err, cerr)
	}
	return fsys.Rename(temp, to)
}

// recoverSwap completes a restore in place that was killed, or removes what it had
// staged if nothing was changed yet. The world is locked.
func recoverSwap(fsys vfs.FS, dir string) error {
	stage := filepath.Join(dir, source.OwnFolder, source.RestoreFolder)
	if _, err := fsys.Lstat(stage); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return err
	}
	data, err := vfs.ReadFile(fsys, filepath.Join(stage, swapName), maxSwap)
	if errors.Is(err, fs.ErrNotExist) {
		return removeAll(fsys, stage)
	}
	if err != nil {
		return err
	}
	var s swap
	data, err = checkSum(data)
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", swapName, ErrDamaged, err)
	}
	if err := s.check(fsys, dir); err != nil {
		return err
	}
	return s.apply(fsys, dir)
}
