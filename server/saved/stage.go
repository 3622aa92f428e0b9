package saved

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"strata/anvil/level"
	"strata/anvil/store"
)

func levelPath(dir string) string { return filepath.Join(dir, level.FileName) }

// Changed reports whether a world is another one than the files have, staged ones
// counted.
func (f *Files) Changed(w *World) bool {
	a, b := &f.written, w
	return a.Time != b.Time || a.Weather != b.Weather || a.Difficulty != b.Difficulty || a.GameMode != b.GameMode ||
		a.Spawn != b.Spawn || a.Chosen != b.Chosen || !maps.Equal(a.Rules, b.Rules) || !maps.Equal(a.Clocks, b.Clocks)
}

// heavyLevel is how long the NBT of a level.dat may be that is packed within a tick.
const heavyLevel = 64 << 10

// Heavy reports whether staging takes longer than a tick goroutine has time for.
func (f *Files) Heavy() bool { return len(f.level.Bytes()) > heavyLevel }

// Stage puts the files that a world has changed into the epoch that is going on,
// together. played is when that was. A world that has not changed stages nothing.
// The error is that of the store, or of a value that files do not hold; what has
// changed counts as changed then.
func (f *Files) Stage(w *World, played time.Time) error {
	if f.old || !f.Changed(w) {
		return nil
	}
	next := *f
	var files []staged
	add := func(to *file, changed bool, content any) (err error) {
		if !changed {
			return nil
		}
		s := staged{path: to.path, keep: to.damaged}
		if s.data, err = to.with(content, f.level.DataVersion()); err == nil {
			files = append(files, s)
		}
		return err
	}
	err := errors.Join(
		add(&next.rules, !maps.Equal(f.written.Rules, w.Rules), rulesContent(&next.rules, w.Rules)),
		add(&next.weather, f.written.Weather != w.Weather, w.Weather),
		add(&next.clocks, !maps.Equal(f.written.Clocks, w.Clocks), clocksContent(&next.clocks, w.Clocks)),
	)
	if err != nil {
		return err
	}
	data, err := next.setLevel(w, played)
	if err != nil {
		return err
	}
	files = append(files, staged{f.path, data, true})
	err = f.store.Together(func(t store.Together) error {
		for _, s := range files {
			if err := t.StageFile(s.path, s.data, store.FileOptions{KeepOld: s.keep}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	next.written = w.Clone()
	*f = next
	return nil
}

// staged is a file that is ready.
type staged struct {
	path string
	data []byte
	keep bool
}

// with gives a file content, and returns its bytes.
func (f *file) with(content any, version int32) ([]byte, error) {
	var err error
	if f.doc == nil {
		f.doc, err = level.NewDocument(content, version)
	} else {
		f.doc, err = f.doc.With(content)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.path, err)
	}
	f.damaged = false
	return f.doc.Pack()
}

// setLevel gives level.dat what of a world it has, and returns its bytes.
func (f *Files) setLevel(w *World, played time.Time) ([]byte, error) {
	e := f.level.Edit()
	e.SetTime(w.Time)
	e.SetLastPlayed(played)
	if w.Difficulty != f.written.Difficulty {
		e.SetDifficulty(w.Difficulty)
	}
	if w.GameMode != f.written.GameMode {
		e.SetGameType(w.GameMode)
	}
	if w.Spawn != f.written.Spawn || w.Chosen != f.written.Chosen {
		e.SetSpawn(w.Spawn)
		e.SetInitialized(w.Chosen)
	}
	l, err := e.Level()
	if err != nil {
		return nil, err
	}
	f.level = l
	return l.Pack()
}
