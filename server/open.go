package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/store"
	"strata/pregen"
	"strata/region"
	"strata/server/command"
	"strata/server/play"
	"strata/server/source"
	"strata/server/stream"
	"strata/server/world"
)

// dimensionIDs are those that are played in; a number in keys of chunks' frames is
// an index of them.
var dimensionIDs = []string{anvil.Overworld, "minecraft:the_nether", "minecraft:the_end"}

// openWorld opens the world for reading, or makes it before.
func openWorld(o *Options) (*anvil.World, error) {
	if _, err := os.Stat(filepath.Join(o.World, "level.dat")); errors.Is(err, fs.ErrNotExist) {
		fresh := level.Fresh{Difficulty: o.Difficulty, Hardcore: o.Hardcore}
		if err := pregen.CreateWorld(o.World, anvil.CreateOptions{Fresh: fresh, Seed: o.Seed}, nil); err != nil {
			return nil, err
		}
	}
	return anvil.Open(o.World, anvil.Options{})
}

// open opens the world and makes the game in it.
func (s *Server) open() (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, s.closeWorld())
		}
	}()
	o := &s.options
	w, err := openWorld(o)
	if err != nil {
		return err
	}
	defer w.Close()
	if s.generators, err = source.OpenGenerators(w, source.GeneratorOptions{IgnorePacks: true}); err != nil {
		return err
	}
	where, err := store.WorldOf(w, dimensionIDs...)
	if err != nil {
		return err
	}
	if s.store, err = store.Open(where, store.Options{ByTick: true, BeforeCut: s.beforeCut, Interval: o.SaveEvery, Level: o.Level, Memory: s.memory.store, Events: s.logStore}); err != nil {
		return err
	}
	if s.chunks, err = stream.NewCache(stream.CacheOptions{
		Encoder: stream.EncoderOptions{Tables: s.store.Tables()}, Threshold: s.conns.Threshold(), MaxBytes: s.memory.frames,
	}); err != nil {
		return err
	}
	s.limit = source.NewLimit(o.Workers)
	for i, id := range dimensionIDs {
		d, err := s.openDimension(w, where, uint8(i), id)
		if err != nil {
			return err
		}
		s.worlds = append(s.worlds, d)
	}
	if err := s.openSaved(w); err != nil {
		return err
	}
	s.seed, _ = w.Seed()
	h, all := s.newHost()
	s.commands = command.New(all)
	s.game, err = play.NewGame(play.Options{
		Commands: playerCommands{s, h}, Files: playerFiles{s.store, w.Players()}, ForceGameMode: o.ForceGameMode,
		Dimensions: s.worlds, Chunks: s.chunks, Threshold: s.conns.Threshold(), Tables: s.store.Tables(), World: s.saved, Seed: s.seed, IDs: &s.ids,
		Motd: o.Motd, Borders: s.borders(w), Protected: s.protected, AllowFlight: o.AllowFlight,
		MaxPlayers: o.MaxPlayers, ViewDistance: o.ViewDistance, PauseAfter: int64(o.PauseWhenEmpty / tickTime), Log: o.Log,
	})
	return err
}

func (s *Server) openDimension(w *anvil.World, where store.World, key uint8, id string) (*world.Dimension, error) {
	index := -1
	for i, d := range where.Dimensions {
		if d.Name == id {
			index = i
		}
	}
	height, err := w.Height(id)
	if err != nil {
		return nil, err
	}
	if index < 0 {
		return nil, fmt.Errorf("%s: %w", id, anvil.ErrNoDimension)
	}
	options := source.Options{Store: s.store, Dim: store.Dim(index), Memory: s.memory.generate, Ahead: true, Limit: s.limit, Workers: s.options.Workers}
	options.Open = func() (pregen.Generator, error) { return s.generators.Generator(id, s.store.Tables()) }
	options.Events = func(e source.Event) { s.options.Log.Info(e.Text, "dimension", id, "error", e.Err) }
	made, err := source.New(options)
	if err != nil {
		return nil, err
	}
	s.sources[id] = made
	return world.NewDimension(world.Options{
		ID: id, Source: made, Version: s.store.Version(), IDs: &s.ids, Together: s.store.Together, Sky: id == anvil.Overworld, Hot: id == anvil.Nether, Foreign: s.store.Tables().States,
		Shape: stream.Shape{
			Low: chunk.SectionY(height.MinY >> 4), High: chunk.SectionY((height.MinY + height.Blocks) >> 4),
		},
		Unloaded: func(pos region.ChunkPos) { s.chunks.Forget(key, pos) },
		Failed: func(pos region.ChunkPos, err error) {
			s.options.Log.Error("chunk cannot be had", "dimension", id, "x", pos.X, "z", pos.Z, "error", err)
		},
	}), nil
}

// borders are the borders of the dimensions that have one of their own.
func (s *Server) borders(w *anvil.World) map[string]level.WorldBorder {
	all := map[string]level.WorldBorder{}
	for _, id := range dimensionIDs {
		var b level.WorldBorder
		doc, err := w.ReadData("world_border", id)
		if err == nil {
			err = doc.Decode(&b)
		}
		switch {
		case err == nil:
			all[id] = b
		case !errors.Is(err, fs.ErrNotExist):
			s.options.Log.Warn("the world border cannot be read", "dimension", id, "error", err)
		}
	}
	return all
}

func (s *Server) logStore(e store.Event) {
	if e.Err != nil {
		s.options.Log.Warn("store", "event", string(e.Kind), "path", e.Path, "error", e.Err)
	}
}

// closeWorld closes what of the world is open.
func (s *Server) closeWorld() error {
	var errs []error
	for _, d := range s.worlds {
		errs = append(errs, d.Close())
	}
	if s.chunks != nil {
		errs = append(errs, s.chunks.Close())
	}
	if s.store != nil {
		errs = append(errs, s.store.Close())
	}
	if s.generators != nil {
		errs = append(errs, s.generators.Close())
	}
	return errors.Join(errs...)
}
