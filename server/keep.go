package server

import (
	"errors"
	"fmt"
	"time"

	"strata/anvil"
	"strata/anvil/level"
	"strata/server/play"
	"strata/server/saved"
	"strata/server/source"
)

// keepEvery is how many ticks lie between two looks at whether the world's data
// has changed, which begins an epoch.
const keepEvery = 100

// keepEmptyEvery is keepEvery while nobody is on: then only time goes by.
const keepEmptyEvery = 6000

// openSaved reads what the world has beside chunks and players. The options that
// the game takes from server.properties at each start win over it.
func (s *Server) openSaved(w *anvil.World) (err error) {
	problem := func(err error) { s.options.Log.Error("a file of the world cannot be read", "error", err) }
	if s.files, s.saved, err = saved.Open(w, s.store, problem); err != nil {
		return err
	}
	s.heavy = s.files.Heavy()
	s.saved.GameMode = int32(s.options.GameMode)
	if d := &s.saved.Difficulty; s.options.Difficulty != "" && !d.Locked {
		d.Name = s.options.Difficulty
	}
	return s.chooseSpawn()
}

// chooseSpawn gives a world that was never played the spawn that the game would
// have given it.
func (s *Server) chooseSpawn() error {
	if s.saved.Chosen {
		return nil
	}
	found, err := s.generators.Spawn()
	if source.Unsupported(err) {
		s.options.Log.Warn("no spawn can be looked for", "taken", s.saved.Spawn, "error", err)
		return nil
	}
	if err != nil {
		return err
	}
	s.saved.Spawn = level.Spawn{Dimension: anvil.Overworld, X: int32(found.X), Y: int32(found.Y), Z: int32(found.Z)}
	s.saved.Chosen = true
	return nil
}

// beforeCut writes down what is not kept in chunks as it changes.
func (s *Server) beforeCut() {
	s.game.SavePlayers()
	for _, d := range s.worlds {
		if err := errors.Join(d.SaveTicks(), d.SaveEntities(true)); err != nil {
			s.options.Log.Error("scheduled ticks or entities cannot be saved", "dimension", d.ID(), "error", err)
		}
	}
	s.keepWorld()
}

// keepWorld puts what has changed of the world's data into the epoch. Where that
// takes long it is done beside the ticks, and comes into the next one.
func (s *Server) keepWorld() {
	if !s.heavy {
		s.stageWorld(s.saved)
		return
	}
	if s.staging.CompareAndSwap(false, true) {
		now := s.saved.Clone()
		s.saving.Go(func() {
			defer s.staging.Store(false)
			s.stageWorld(&now)
		})
	}
}

func (s *Server) stageWorld(w *saved.World) {
	if err := s.files.Stage(w, time.Now()); err != nil {
		s.options.Log.Error("the world's data cannot be saved", "error", err)
	}
}

// keepNow is called each tick: what has changed is not left for long, also when
// nothing else makes an epoch. While nobody is on there is less hurry.
func (s *Server) keepNow() {
	if s.untilKept--; s.untilKept > 0 {
		return
	}
	s.untilKept = keepEvery
	if s.game.Players() == 0 {
		s.untilKept = keepEmptyEvery
	}
	s.keepWorld()
}

// notePause is called each tick: a world that begins to stand still is saved, unless
// that is switched off.
func (s *Server) notePause() {
	was := s.paused
	s.paused = s.game.Paused()
	if !s.paused || was {
		return
	}
	s.options.Log.Info(fmt.Sprintf("Server empty for %.0f seconds, pausing", s.options.PauseWhenEmpty.Seconds()))
	if s.saveOff {
		return
	}
	s.keepWorld()
	s.saving.Go(func() {
		if err := s.store.Barrier(s.context); err != nil && s.context.Err() == nil {
			s.options.Log.Error("the world cannot be saved", "error", err)
		}
	})
}

// spawnDistance is how far a place is from the spawn, the greater of both
// directions; false elsewhere than in its dimension.
func (s *Server) spawnDistance(p *play.Player, x, z int32) (int64, bool) {
	dimension, at := s.game.WorldSpawn()
	dx, dz := int64(x)-int64(at.X), int64(z)-int64(at.Z)
	return max(dx, -dx, dz, -dz), dimension == p.Dimension()
}
