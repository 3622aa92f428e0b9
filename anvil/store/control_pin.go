package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"strata/anvil/session/control"
	"strata/region"
	"strata/region/vfs"
)

// wireRegion is a region's file as a pin has it.
type wireRegion struct {
	Dim    Dim    `json:"dim"`
	Kind   Kind   `json:"kind"`
	X      int32  `json:"x"`
	Z      int32  `json:"z"`
	Size   int64  `json:"size"` // of the file when the pin began, in bytes
	Header []byte `json:"header"`
}

// pinItem is a region or a data file of a pin.
type pinItem struct {
	Region *wireRegion `json:"region,omitempty"`
	File   *place      `json:"file,omitempty"`
}

type pinResult struct {
	ID    uint64 `json:"id"`
	Epoch uint64 `json:"epoch"`
	Files int    `json:"files"` // how many items there were
	Count int    `json:"regions"`
}

// pinArgs name a pin and something of it.
type pinArgs struct {
	ID   uint64 `json:"id"`
	File *place `json:"file,omitempty"`
	Dim  Dim    `json:"dim,omitempty"`
	Kind Kind   `json:"kind,omitempty"`
	X    int32  `json:"x,omitempty"`
	Z    int32  `json:"z,omitempty"`
}

// pin makes a snapshot for another process. It ends with the connection.
func (h *holder) pin(ctx context.Context, call *control.Call) (any, error) {
	if !h.reserve() {
		return nil, coded(fmt.Errorf("%w: %d", ErrTooMany, maxPins))
	}
	err := h.s.Barrier(ctx)
	var sn *Snapshot
	if err == nil {
		sn, err = h.s.pin()
	}
	id := h.enter(sn)
	if err != nil {
		return nil, coded(fmt.Errorf("begin pin: %w", err))
	}
	call.OnEnd(func() { h.end(id) })
	r := pinResult{ID: id, Epoch: sn.epoch}
	if err = h.sendRegions(ctx, call, sn, &r); err == nil {
		err = h.sendFiles(call, sn, &r)
	}
	if err == nil && sn.Revoked() {
		err = region.ErrPinRevoked
	}
	if err != nil {
		h.end(id)
		return nil, coded(fmt.Errorf("begin pin: %w", err))
	}
	return r, nil
}

// reserve makes sure that there is room for one more pin.
func (h *holder) reserve() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.pins)+h.busy >= maxPins {
		return false
	}
	h.busy++
	return true
}

// enter takes a snapshot in, or gives its room back if it is nil.
func (h *holder) enter(sn *Snapshot) uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy--
	if sn != nil {
		h.last++
		h.pins[h.last] = sn
	}
	return h.last
}

// end ends a pin, if it has not been ended.
func (h *holder) end(id uint64) {
	h.mu.Lock()
	sn := h.pins[id]
	delete(h.pins, id)
	h.mu.Unlock()
	if sn == nil {
		return
	}
	if _, err := sn.end(); err != nil {
		h.s.event(Event{Kind: CleanupFailed, Err: err})
	}
}

func (h *holder) find(id uint64) (*Snapshot, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	sn := h.pins[id]
	if sn == nil {
		return nil, fmt.Errorf("%w: %d", ErrNoPin, id)
	}
	return sn, nil
}

func (h *holder) sendRegions(ctx context.Context, call *control.Call, sn *Snapshot, r *pinResult) error {
	for i, fp := range sn.pins {
		if fp == nil {
			continue
		}
		all, err := fp.Regions()
		if err != nil {
			return err
		}
		for _, pos := range all {
			if err := ctx.Err(); err != nil {
				return err
			}
			p, err := fp.Region(pos)
			if errors.Is(err, fs.ErrNotExist) {
				continue // made after the pin
			}
			if err != nil {
				return err
			}
			info, err := h.s.fs.Stat(p.Path())
			if err != nil {
				return err
			}
			if r.Count++; r.Count > maxPinRegions {
				return fmt.Errorf("%w: regions beyond %d", ErrTooMany, maxPinRegions)
			}
			err = call.Send(pinItem{Region: &wireRegion{
				Dim: h.s.folders[i].dim, Kind: h.s.folders[i].kind, X: pos.X, Z: pos.Z, Size: info.Size, Header: p.Header()[:],
			}})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *holder) sendFiles(call *control.Call, sn *Snapshot, r *pinResult) error {
	files, err := sn.Files()
	if err != nil {
		return err
	}
	if r.Files = len(files); r.Files > maxPinFiles {
		return fmt.Errorf("%w: data files beyond %d", ErrTooMany, maxPinFiles)
	}
	for _, path := range files {
		p, err := placeOf(&h.s.world, path)
		if err != nil {
			return err
		}
		if err := call.Send(pinItem{File: &p}); err != nil {
			return err
		}
	}
	return nil
}

// check answers only for a pin that still stands.
func (h *holder) check(_ context.Context, call *control.Call) (any, error) {
	_, _, err := h.standing(call)
	return nil, coded(err)
}

func (h *holder) standing(call *control.Call) (*Snapshot, pinArgs, error) {
	var args pinArgs
	if err := call.Args(&args); err != nil {
		return nil, args, err
	}
	sn, err := h.find(args.ID)
	if err == nil && sn.Revoked() {
		err = fmt.Errorf("pin %d: %w", args.ID, region.ErrPinRevoked)
	}
	return sn, args, err
}

func (h *holder) unpin(_ context.Context, call *control.Call) (any, error) {
	var args pinArgs
	if err := call.Args(&args); err != nil {
		return nil, err
	}
	if _, err := h.find(args.ID); err != nil {
		return nil, coded(err)
	}
	h.end(args.ID)
	return nil, nil
}

// file answers where a data file's pinned version is, null if it is at its
// path. Who has opened the path before asking then has the pinned version:
// a file is kept aside before another is renamed into its place.
func (h *holder) file(_ context.Context, call *control.Call) (any, error) {
	sn, args, err := h.standing(call)
	if err != nil {
		return nil, coded(err)
	}
	if args.File == nil {
		return nil, coded(fmt.Errorf("no file: %w", ErrPath))
	}
	path, err := args.File.resolve(&h.s.world)
	if err != nil {
		return nil, coded(err)
	}
	aside, replaced := sn.keptAt(path)
	switch {
	case !replaced:
		return (*place)(nil), nil
	case aside == "":
		return nil, coded(fmt.Errorf("%s: %w", path, fs.ErrNotExist))
	}
	p, err := placeOf(&h.s.world, aside)
	return &p, err
}

// keptAt is where a file is that was replaced since the snapshot began.
func (sn *Snapshot) keptAt(path string) (aside string, replaced bool) {
	sn.mu.Lock()
	defer sn.mu.Unlock()
	aside, replaced = sn.kept[filepath.Clean(path)]
	return aside, replaced
}

// bodyPiece is how many bytes of a body go into one item.
const bodyPiece = 512 << 10

// body sends an external body: what was replaced since, only this process has
// open.
func (h *holder) body(_ context.Context, call *control.Call) (any, error) {
	sn, args, err := h.standing(call)
	if err != nil {
		return nil, coded(err)
	}
	ref := Ref{args.Dim, args.Kind, region.ChunkPos{X: args.X, Z: args.Z}}
	if !h.s.valid(ref) {
		return nil, coded(h.s.fail("read body", ref, ErrRange))
	}
	rec, err := sn.Read(ref, nil)
	switch {
	case errors.Is(err, ErrAbsent) || err == nil && !rec.External:
		return nil, coded(h.s.fail("read body", ref, fs.ErrNotExist))
	case err != nil:
		return nil, coded(err)
	case len(rec.Data) > maxStream:
		return nil, coded(h.s.fail("read body", ref, vfs.ErrTooLarge))
	}
	for data := rec.Data; len(data) > 0; {
		n := min(len(data), bodyPiece)
		if err := call.Send(data[:n]); err != nil {
			return nil, err
		}
		data = data[n:]
	}
	return len(rec.Data), nil
}
