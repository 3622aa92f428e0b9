package store

import (
	"context"
	"fmt"
	"slices"

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

// keys are the objects that are meant, each once.
func (sel *selection) keys() []uint64 {
	keys := make([]uint64, 0, len(sel.Chunks)+len(sel.Regions)*region.Slots)
	for _, c := range sel.Chunks {
		keys = append(keys, c.ref().key())
	}
	for _, r := range sel.Regions {
		for slot := range region.Slot(region.Slots) {
			pos := region.Pos{X: r.X, Z: r.Z}.Chunk(slot)
			keys = append(keys, Ref{r.Dim, r.Kind, pos}.key())
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
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
	// A part at a time: a tick may be waiting for the lock.
	for keys := range slices.Chunk(sel.keys(), 1024) {
		var idle []uint64
		s.mu.Lock()
		for _, key := range keys {
			switch o := s.objects[key]; {
			case o == nil:
				idle = append(idle, key)
			case o.holds == 0 && o.load == nil:
				stay = append(stay, Stayed{o.ref, StaysChanged})
			default:
				stay = append(stay, Stayed{o.ref, StaysHeld})
			}
		}
		s.mu.Unlock()
		for _, key := range idle {
			s.cache.take(key) // clean, and nobody's
		}
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
	areas := map[regionAt]struct{}{}
	folders := map[*folder]struct{}{}
	for _, r := range regions {
		areas[regionAt{r.Dim, r.Kind, region.Pos{X: r.X, Z: r.Z}}] = struct{}{}
		folders[s.folders[int(r.Dim)*kinds+int(r.Kind)]] = struct{}{}
	}
	for f := range folders {
		f.swap.Lock()
		defer f.swap.Unlock()
	}
	if err := s.mayForget(areas); err != nil {
		return err
	}
	for f := range folders {
		if err := f.close(); err != nil {
			return err
		}
	}
	for at := range areas {
		f := s.folders[int(at.dim)*kinds+int(at.kind)]
		f.mu.Lock()
		f.files[at.pos]++
		f.mu.Unlock()
	}
	return nil
}

func (s *Store) mayForget(areas map[regionAt]struct{}) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return ErrClosed
	case len(s.snapshots) > 0:
		return region.ErrPinned
	}
	for _, o := range s.objects {
		if _, meant := areas[regionAt{o.ref.Dim, o.ref.Kind, o.ref.Pos.Region()}]; meant {
			return s.fail("reload", o.ref, ErrHeld)
		}
	}
	return nil
}
