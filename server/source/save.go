package source

import (
	"context"
	"errors"
	"fmt"
	"time"

	"strata/anvil/store"
	"strata/pregen"
	"strata/region/vfs"
)

// check looks at whether what was made is what was asked for.
func (s *Source) check(j *job, out *outcome) error {
	for i := range out.made {
		m := &out.made[i]
		c, work := m.Chunk, j.area.Contains(m.Pos)
		switch {
		case c == nil && work && m.Err == nil:
			return fmt.Errorf("chunk %v: nothing was made: %w", m.Pos, ErrGenerator)
		case c == nil:
		case c.Pos() != m.Pos:
			return fmt.Errorf("chunk %v says that it is %v: %w", m.Pos, c.Pos(), ErrGenerator)
		case c.DataVersion() > s.opts.Store.Version():
			return fmt.Errorf("chunk %v is of version %d, the world of %d: %w", m.Pos, c.DataVersion(), s.opts.Store.Version(), ErrGenerator)
		}
	}
	return nil
}

// save puts what was made into the store, the rim first, all of it: on a full
// disk it waits until there is room again or the source is closed. Full chunks
// that were there before are not touched.
func (s *Source) save(out *outcome) error {
	for _, finished := range []bool{false, true} {
		for i := range out.made {
			m := &out.made[i]
			_, relit := out.base[m.Pos]
			if m.Chunk == nil || relit || m.Chunk.Full() != finished {
				continue
			}
			if err := s.put(m); err != nil {
				s.opts.Events(Event{Text: fmt.Sprintf("chunk %v cannot be saved", m.Pos), Err: err})
				if s.ctx.Err() != nil {
					return err
				}
				m.Chunk, m.Err = nil, err
			}
		}
	}
	return nil
}

// closeGrace is how long a source that is closed waits for room to save what it
// has made: nobody may make any, as the store's ticks have ended.
const closeGrace = 2 * time.Second

// put puts a chunk and its documents. A source that is closed meanwhile saves
// what it has all the same, unless there is no room.
func (s *Source) put(m *pregen.Made) error {
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.ctx))
	defer cancel()
	defer context.AfterFunc(s.ctx, func() {
		wait(ctx, closeGrace)
		cancel()
	})()
	for {
		err := s.putOnce(ctx, m)
		if !errors.Is(err, vfs.ErrNoSpace) {
			return err
		}
		if s.ctx.Err() != nil {
			return err
		}
		wait(s.ctx, spaceRetry)
	}
}

func (s *Source) putOnce(ctx context.Context, m *pregen.Made) error {
	for kind, data := range map[store.Kind][]byte{store.Entities: m.Entities, store.POI: m.POI} {
		if data == nil {
			continue
		}
		ref := store.Ref{Dim: s.opts.Dim, Kind: kind, Pos: m.Pos}
		if err := s.opts.Store.PutDocument(ctx, ref, data); err != nil {
			return err
		}
	}
	return s.opts.Store.Put(ctx, s.opts.Dim, m.Chunk.Clone())
}
