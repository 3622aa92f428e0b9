package level

import (
	"fmt"
	"time"
)

// Edit changes a level step by step, each thing in the form (old or new) that
// the level has it in. The first mistake stays, and everything after it does
// nothing. It belongs to one goroutine.
//
//	edit := lvl.Edit()
//	edit.SetName("Alps")
//	edit.SetSpawn(level.Spawn{X: 8, Y: 70, Z: 8})
//	lvl, err := edit.Level()
type Edit struct {
	level *Level
	err   error
}

// Edit begins to change l, which stays as it is.
func (l *Level) Edit() *Edit { return &Edit{level: l} }

// Level returns the level with all changes, or the first mistake.
func (e *Edit) Level() (*Level, error) { return e.level, e.err }

// With merges the members that nbt.Marshal makes of v into the compound Data.
func (e *Edit) With(v any) {
	if e.err == nil {
		e.next(e.level.Merge(v, "Data"))
	}
}

// Set gives the member of Data that path leads to another value, as a whole.
func (e *Edit) Set(v any, path ...string) {
	if e.err == nil {
		e.next(e.level.Document.Set(v, append([]string{"Data"}, path...)...))
	}
}

func (e *Edit) next(doc *Document, err error) {
	if err != nil {
		e.err = err
		return
	}
	if doc != e.level.Document {
		e.level, e.err = New(doc)
	}
}

// SetVersion sets the world's version, which is the newest that chunks in it
// may have. Whoever raises it has kept a copy of the world.
func (e *Edit) SetVersion(v Version) {
	e.With(struct {
		DataVersion int32   `nbt:"DataVersion"`
		Version     Version `nbt:"Version"`
	}{v.ID, v})
}

// SetName sets the name that players see.
func (e *Edit) SetName(name string) { e.Set(name, "LevelName") }

// SetGameType sets the default game mode.
func (e *Edit) SetGameType(mode int32) { e.Set(mode, "GameType") }

// SetTime sets the world's age in ticks.
func (e *Edit) SetTime(ticks int64) { e.Set(ticks, "Time") }

// SetLastPlayed sets when the world was last saved.
func (e *Edit) SetLastPlayed(t time.Time) { e.Set(t.UnixMilli(), "LastPlayed") }

// SetInitialized says whether the spawn was chosen.
func (e *Edit) SetInitialized(done bool) { e.Set(done, "initialized") }

// SetPacks sets the data packs.
func (e *Edit) SetPacks(p Packs) { e.With(map[string]Packs{"DataPacks": p}) }

// SetSpawn sets the spawn. A level of the old form has no place for another
// dimension than the overworld or for a pitch: ErrShape.
func (e *Edit) SetSpawn(s Spawn) {
	if e.err != nil {
		return
	}
	if e.level.data.Get("spawn").Exists() || !e.level.data.Get("SpawnX").Exists() {
		e.With(map[string]any{"spawn": s.form()})
		return
	}
	if (s.Dimension != "" && s.Dimension != overworld) || s.Pitch != 0 {
		e.err = fmt.Errorf("%w: a level before 1.21.9 has no spawn in %s with pitch %g", ErrShape, s.Dimension, s.Pitch)
		return
	}
	e.With(s.oldForm())
}

// SetDifficulty sets the difficulty. The error wraps ErrShape if there is none
// of that name.
func (e *Edit) SetDifficulty(d Difficulty) {
	number := -1
	for n, name := range difficulties {
		if name == d.Name {
			number = n
		}
	}
	switch {
	case e.err != nil:
	case number < 0:
		e.err = fmt.Errorf("%w: no difficulty %q", ErrShape, d.Name)
	case e.level.data.Get("difficulty_settings").Exists() || !e.level.data.Get("Difficulty").Exists():
		e.With(map[string]Difficulty{"difficulty_settings": d})
	default:
		e.With(struct {
			Difficulty int8 `nbt:"Difficulty"`
			Locked     bool `nbt:"DifficultyLocked"`
			Hardcore   bool `nbt:"hardcore"`
		}{int8(number), d.Locked, d.Hardcore})
	}
}
