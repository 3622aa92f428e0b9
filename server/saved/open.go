package saved

import (
	"errors"
	"fmt"
	"io/fs"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/registry"
	"strata/anvil/store"
)

// Names of data files.
const (
	rulesName   = "game_rules"
	weatherName = "weather"
	clocksName  = "world_clocks"
)

// Overworld is the clock that days go by.
const Overworld = "minecraft:overworld"

// theEnd is the other clock of the game.
const theEnd = "minecraft:the_end"

// Files are a world's files with what a World has.
type Files struct {
	store   *store.Store
	level   *level.Level
	path    string // of level.dat
	rules   file
	weather file
	clocks  file
	written World
	old     bool // from before 26.1
}

// file is one data file.
type file struct {
	path    string
	doc     *level.Document // nil: there is none
	damaged bool
}

// Open reads what a world has. The store of it must be open, so that its files are
// whole; w may be from before. Files that cannot be read but level.dat are told to
// problem, and their values are those of a new world.
func Open(w *anvil.World, s *store.Store, problem func(error)) (*Files, *World, error) {
	l, origin, err := level.Read(w.FS(), w.Path())
	if err != nil {
		return nil, nil, err
	}
	if origin.FromOld() {
		problem(fmt.Errorf("%s is read instead: %w", origin.Path, origin.Problem))
	}
	f := &Files{store: s, level: l, path: s.World().Roots[0].Dir, old: w.Layout() != anvil.NewLayout}
	f.path = levelPath(f.path)
	for name, to := range map[string]*file{rulesName: &f.rules, weatherName: &f.weather, clocksName: &f.clocks} {
		place, err := w.DataFile(name, "")
		if err != nil {
			return nil, nil, err
		}
		to.path = place.Path
		if place.InLevel {
			continue
		}
		doc, _, err := level.ReadFile(w.FS(), place.Path)
		switch {
		case err == nil:
			to.doc = doc
		case !errors.Is(err, fs.ErrNotExist):
			to.damaged = true
			problem(err)
		}
	}
	world := f.read(problem)
	f.written = world.Clone()
	return f, &world, nil
}

// read makes the values of what the files say.
func (f *Files) read(problem func(error)) World {
	l := f.level
	w := World{
		Time: l.Time(), Difficulty: l.Difficulty(), GameMode: l.GameType(), Chosen: l.Initialized(),
		Rules: defaultRules(), Clocks: map[string]Clock{},
	}
	if w.Difficulty.Name == "" {
		w.Difficulty.Name = "normal"
	}
	if w.GameMode < 0 || w.GameMode > 3 {
		w.GameMode = 0
	}
	var ok bool
	if w.Spawn, ok = l.Spawn(); !ok {
		w.Chosen = false
	}
	if w.Weather, ok = l.Weather(); !ok && f.weather.doc != nil {
		if err := f.weather.doc.Decode(&w.Weather); err != nil {
			problem(fmt.Errorf("%s: %w", f.weather.path, err))
		}
	}
	f.readRules(w.Rules)
	f.readClocks(w.Clocks)
	day, ok := l.DayTime()
	if !ok {
		day = w.Time
	}
	for _, id := range []string{Overworld, theEnd} {
		if _, has := w.Clocks[id]; !has {
			w.Clocks[id] = Clock{Ticks: day, Rate: 1}
		}
	}
	return w
}

// readRules takes the rules whose values are of their kind and in their range.
func (f *Files) readRules(rules map[string]int32) {
	var has level.GameRules
	if f.rules.doc == nil || f.rules.doc.Decode(&has) != nil {
		return
	}
	for _, r := range registry.GameRules(registry.V26_2) {
		if on, ok := has.Bool(r.Name); ok && r.Bool {
			rules[r.Name] = boolInt(on)
		}
		if n, ok := has.Int(r.Name); ok && !r.Bool && (r.Min >= r.Max || r.Min <= n && n <= r.Max) {
			rules[r.Name] = n
		}
	}
}

func boolInt(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// readClocks takes what is a clock.
func (f *Files) readClocks(clocks map[string]Clock) {
	if f.clocks.doc == nil {
		return
	}
	for name, tag := range f.clocks.doc.Content().Members() {
		ticks, ok := tag.Get("total_ticks").Int()
		if !ok {
			continue
		}
		c := Clock{Ticks: ticks, Rate: 1}
		if rate, ok := tag.Get("rate").Float(); ok && rate > 0 && rate <= 1000 {
			c.Rate = float32(rate)
		}
		paused, _ := tag.Get("paused").Int()
		c.Paused = paused != 0
		clocks[string(name)] = c
	}
}
