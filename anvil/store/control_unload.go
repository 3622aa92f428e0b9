package store

import (
	"context"
	"fmt"

	"strata/anvil/session/control"
	"strata/region"
)

// RegionRef names a region's file.
type RegionRef struct {
	Dim  Dim
	Kind Kind
	Pos  region.Pos
}

// Stayed is an object that could not be unloaded.
type Stayed struct {
	Ref Ref
	Why StayReason
}

// StayReason says why an object stays in memory.
type StayReason string

// The reasons.
const (
	StaysHeld    StayReason = "held"    // somebody uses it
	StaysChanged StayReason = "changed" // it was changed again, or could not be saved
)

// Limits of one call to unload.
const (
	maxUnloadChunks  = 4096
	maxUnloadRegions = 1024
	stayedItems      = 1000 // in one line of the answer
)

// wireRef is a chunk's object, or a region's file.
type wireRef struct {
	Dim  Dim        `json:"dim"`
	Kind Kind       `json:"kind"`
	X    int32      `json:"x"`
	Z    int32      `json:"z"`
	Why  StayReason `json:"why,omitempty"`
}

func (r wireRef) ref() Ref { return Ref{r.Dim, r.Kind, region.ChunkPos{X: r.X, Z: r.Z}} }

// selection is what is to be unloaded.
type selection struct {
	Chunks  []wireRef `json:"chunks,omitempty"`
	Regions []wireRef `json:"regions,omitempty"`
}

// check reports what is too much or cannot be.
func (sel *selection) check(s *Store) error {
	if len(sel.Chunks) > maxUnloadChunks || len(sel.Regions) > maxUnloadRegions {
		return fmt.Errorf("%w: %d chunks and %d regions", ErrTooMany, len(sel.Chunks), len(sel.Regions))
	}
	for _, c := range sel.Chunks {
		if !s.valid(c.ref()) {
			return s.fail("unload", c.ref(), ErrRange)
		}
	}
	const most = (maxPos + 1) / 32
	for _, r := range sel.Regions {
		if int(r.Dim) >= len(s.world.Dimensions) || r.Kind >= kinds || r.X < -most+1 || r.X >= most || r.Z < -most+1 || r.Z >= most {
			return fmt.Errorf("unload region %d,%d: %w", r.X, r.Z, ErrRange)
		}
	}
	return nil
}

// keys are the objects that are meant.
func (sel *selection) keys() map[uint64]struct{} {
	keys := make(map[uint64]struct{}, len(sel.Chunks)+len(sel.Regions)*region.Slots)
	for _, c := range sel.Chunks {
		keys[c.ref().key()] = struct{}{}
	}
	for _, r := range sel.Regions {
		for slot := range region.Slot(region.Slots) {
			pos := region.Pos{X: r.X, Z: r.Z}.Chunk(slot)
			keys[Ref{r.Dim, r.Kind, pos}.key()] = struct{}{}
		}
	}
	return keys
}

// unload makes everything durable and drops what nobody uses: the next load
// reads it from the disk. What stays is said.
func (h *holder) unload(ctx context.Context, call *control.Call) (any, error) {
	sel, err := h.selected(ctx, call)
	if err != nil {
		return nil, err
	}
	return nil, sendStayed(call, h.s.drop(sel))
}

func (h *holder) selected(ctx context.Context, call *control.Call) (*selection, error) {
	sel := new(selection)
	if err := call.Args(sel); err != nil {
		return nil, err
	}
	if err := sel.check(h.s); err != nil {
		return nil, coded(err)
	}
	return sel, coded(h.s.Barrier(ctx))
}

func sendStayed(call *control.Call, all []Stayed) error {
	for len(all) > 0 {
		n := min(len(all), stayedItems)
		item := make([]wireRef, n)
		for i, st := range all[:n] {
			item[i] = wireRef{st.Ref.Dim, st.Ref.Kind, st.Ref.Pos.X, st.Ref.Pos.Z, st.Why}
		}
		if err := call.Send(item); err != nil {
			return err
		}
		all = all[n:]
	}
	return nil
}

// drop takes what is selected out of the cache and lists what cannot go.
func (s *Store) drop(sel *selection) (stay []Stayed) {
	keys := sel.keys()
	s.mu.Lock()
	for key, o := range s.objects {
		if _, meant := keys[key]; !meant {
			continue
		}
		why := StaysHeld
		if o.holds == 0 && o.load == nil {
			why = StaysChanged
		}
		stay = append(stay, Stayed{o.ref, why})
		delete(keys, key)
	}
	s.mu.Unlock()
	for key := range keys {
		s.cache.take(key) // clean, and nobody's
	}
	return stay
}

// reload is unload, and the headers of the region files are read again. If
// something of them is in use, or pinned, nothing is done.
func (h *holder) reload(ctx context.Context, call *control.Call) (any, error) {
	sel, err := h.selected(ctx, call)
	if err != nil {
		return nil, err
	}
	if len(sel.Chunks) > 0 {
		return nil, &control.Error{Code: control.CodeBad, Message: "regions are reloaded, not chunks"}
	}
	if stay := h.s.drop(sel); len(stay) > 0 {
		return nil, sendStayed(call, stay)
	}
	return nil, coded(h.s.forgetFiles(sel.Regions))
}

// forgetFiles closes the folders that the regions are in: they open again when
// they are needed. What the cache has of the regions no longer counts.
func (s *Store) forgetFiles(regions []wireRef) error {
	s.publish.Lock()
	defer s.publish.Unlock()
	folders := map[*folder][]region.Pos{}
	for _, r := range regions {
		f := s.folders[int(r.Dim)*kinds+int(r.Kind)]
		folders[f] = append(folders[f], region.Pos{X: r.X, Z: r.Z})
	}
	for f := range folders {
		f.swap.Lock()
		defer f.swap.Unlock()
	}
	if err := s.mayForget(folders); err != nil {
		return err
	}
	for f, all := range folders {
		if err := f.close(); err != nil {
			return err
		}
		f.mu.Lock()
		for _, p := range all {
			f.files[p]++
		}
		f.mu.Unlock()
	}
	return nil
}

func (s *Store) mayForget(folders map[*folder][]region.Pos) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return ErrClosed
	case len(s.snapshots) > 0:
		return region.ErrPinned
	}
	for f, all := range folders {
		for _, p := range all {
			if (&Raw{s, f}).anyHeld(p) {
				return fmt.Errorf("region %v: %w", p, ErrHeld)
			}
		}
	}
	return nil
}
