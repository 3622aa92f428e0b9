package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"strata/anvil/session"
	"strata/anvil/session/control"
	"strata/anvil/store/journal"
	"strata/region"
	"strata/region/vfs"
)

// RemoteStore is the store of a world that another process has open, as far as
// it can be asked for. It is safe for concurrent use; its calls wait for one
// another. A call whose context ends closes the connection, and with it end
// the pins that were made through it.
type RemoteStore struct {
	client *control.Client
	world  World
	data   int32
}

// A holder that is just opening or closing the world has the lock and no
// endpoint. It is given this long before it counts as another program.
const (
	settleTries = 10
	settlePause = 50 * time.Millisecond
)

// Remote connects to the process that has the world open. Of w the file system
// and the roots count; the dimensions are the holder's, see
// [RemoteStore.World]. The error wraps ErrNotHeld if nobody has the world,
// ErrForeign if somebody else than Strata does, control.ErrBusy if there is no
// room for another connection, or ErrProtocol. Close ends the connection.
func Remote(ctx context.Context, w World) (*RemoteStore, error) {
	r, err := remote(ctx, w)
	if err != nil {
		return nil, fmt.Errorf("connect to the holder of the world: %w", err)
	}
	return r, nil
}

func remote(ctx context.Context, w World) (*RemoteStore, error) {
	w, err := w.check()
	if err != nil {
		return nil, err
	}
	c, err := dial(ctx, w)
	if err != nil {
		return nil, err
	}
	r := &RemoteStore{client: c}
	var l layout
	err = r.call(ctx, opHello, nil, &l, nil)
	if err == nil {
		r.data = l.DataVersion
		r.world, err = l.worldFor(w)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return r, nil
}

// dial connects, and finds out whose the world is if nobody answers.
func dial(ctx context.Context, w World) (*control.Client, error) {
	main := w.Roots[0].Dir
	for try := 0; ; try++ {
		c, err := control.Dial(ctx, w.FS, main)
		if err == nil {
			return c, nil
		}
		if !errors.Is(err, control.ErrNoEndpoint) && !errors.Is(err, control.ErrStale) && !errors.Is(err, control.ErrDamaged) {
			return nil, err
		}
		if try == 0 {
			held, herr := session.Held(w.FS, main)
			if herr != nil {
				return nil, herr
			}
			if !held {
				return nil, fmt.Errorf("%w: %w", ErrNotHeld, err)
			}
		}
		if try == settleTries {
			return nil, fmt.Errorf("%w: %w", ErrForeign, err)
		}
		select {
		case <-time.After(settlePause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// worldFor is the holder's world below our own roots.
func (l *layout) worldFor(w World) (World, error) {
	if l.Protocol != controlVersion {
		return w, fmt.Errorf("%w: %d, ours is %d", ErrProtocol, l.Protocol, controlVersion)
	}
	got := World{FS: w.FS}
	for i, name := range l.Roots {
		dir := ""
		for j, r := range w.Roots {
			if i == 0 && j == 0 || i > 0 && j > 0 && r.Name == name {
				dir = r.Dir
			}
		}
		if dir == "" {
			return w, fmt.Errorf("the holder's folder %q: %w", name, ErrPath)
		}
		got.Roots = append(got.Roots, journal.Root{Name: name, Dir: dir})
	}
	for _, d := range l.Dimensions {
		dim := Dimension{Name: d.Name}
		dirs := [kinds]*string{&dim.Region, &dim.Entities, &dim.POI}
		for k, p := range d.Dirs {
			if p == nil {
				continue
			}
			dir, err := p.resolve(&got)
			if err != nil {
				return w, err
			}
			*dirs[k] = dir
		}
		got.Dimensions = append(got.Dimensions, dim)
	}
	return got.check()
}

// call is Client.Call with the meaning of errors.
func (r *RemoteStore) call(ctx context.Context, op string, args, result any, items func(json.RawMessage) error) error {
	return decoded(r.client.Call(ctx, op, args, result, items))
}

// World is the holder's world with our own file system and roots: a Dim is an
// index of its Dimensions, as it is for the holder.
func (r *RemoteStore) World() World { return r.world }

// Version is the DataVersion of the world's level.dat when we connected.
func (r *RemoteStore) Version() int32 { return r.data }

// Flush has everything that was changed made durable: see Store.Barrier.
func (r *RemoteStore) Flush(ctx context.Context) error { return r.call(ctx, opFlush, nil, nil, nil) }

// Close ends the connection and the pins that were made through it.
func (r *RemoteStore) Close() error { return r.client.Close() }

// Unload has the holder save everything, and forget chunks and regions that
// nobody uses there: they are read from the disk when they are needed again. It
// lists what stays; a server keeps what its players are near. At most 4,096
// chunks and 1,024 regions at a time. Nothing keeps the holder from loading
// them again at once.
func (r *RemoteStore) Unload(ctx context.Context, chunks []Ref, regions []RegionRef) ([]Stayed, error) {
	sel := selection{Regions: wireRegions(regions)}
	for _, c := range chunks {
		sel.Chunks = append(sel.Chunks, wireRef{Dim: c.Dim, Kind: c.Kind, X: c.Pos.X, Z: c.Pos.Z})
	}
	return r.stayed(ctx, opUnload, sel)
}

// Reload is Unload of regions, and their files are opened anew. It is all or
// nothing: if anything stays, which it lists, or if there are pins
// (region.ErrPinned), the files stay open as they are.
func (r *RemoteStore) Reload(ctx context.Context, regions []RegionRef) ([]Stayed, error) {
	return r.stayed(ctx, opReload, selection{Regions: wireRegions(regions)})
}

func wireRegions(regions []RegionRef) (all []wireRef) {
	for _, r := range regions {
		all = append(all, wireRef{Dim: r.Dim, Kind: r.Kind, X: r.Pos.X, Z: r.Pos.Z})
	}
	return all
}

func (r *RemoteStore) stayed(ctx context.Context, op string, sel selection) ([]Stayed, error) {
	if len(sel.Chunks) > maxUnloadChunks || len(sel.Regions) > maxUnloadRegions {
		return nil, fmt.Errorf("%s: %w: %d chunks and %d regions", op, ErrTooMany, len(sel.Chunks), len(sel.Regions))
	}
	var stay []Stayed
	err := r.call(ctx, op, sel, nil, func(item json.RawMessage) error {
		var refs []wireRef
		if err := json.Unmarshal(item, &refs); err != nil {
			return err
		}
		if len(stay)+len(refs) > maxUnloadChunks+maxUnloadRegions*region.Slots {
			return fmt.Errorf("%w: more stays than was asked for", ErrTooMany)
		}
		for _, x := range refs {
			stay = append(stay, Stayed{x.ref(), x.Why})
		}
		return nil
	})
	return stay, err
}

// Limits of what a pin takes, each region 8 KiB and a data file its path.
const (
	maxPinRegions = 1 << 16
	maxPinFiles   = 1 << 20
)

// Pin has everything made durable and the world kept as it is then, until the
// pin is released or the connection ends, also by a kill on either side. Writers
// go on. The holder opens every region file for it. With a store that is
// opened with ByTick it waits for a Tick.
//
// The error wraps vfs.ErrNoSpace, region.ErrPinRevoked, or ErrTooMany for more
// than 16 pins at the holder, 65,536 regions or 1,048,576 data files.
func (r *RemoteStore) Pin(ctx context.Context) (*RemotePin, error) {
	p := &RemotePin{r: r, regions: map[string]*pinnedRegion{}, files: map[string]place{}, dirs: map[string]map[string]bool{}}
	dims := r.world.Dimensions
	var got pinResult
	err := r.call(ctx, opPin, nil, &got, func(raw json.RawMessage) error {
		var item pinItem
		if err := json.Unmarshal(raw, &item); err != nil {
			return err
		}
		switch x := item.Region; {
		case x != nil && (int(x.Dim) >= len(dims) || x.Kind >= kinds || len(x.Header) != region.HeaderBytes || len(p.regions) >= maxPinRegions):
			return fmt.Errorf("region %d,%d of the pin: %w", x.X, x.Z, ErrRange)
		case x != nil:
			p.addRegion(x)
		case item.File != nil && len(p.files) < maxPinFiles:
			return p.addFile(*item.File)
		default:
			return errors.New("an item of the pin that is neither region nor file")
		}
		return nil
	})
	if err == nil && (got.Count != len(p.regions) || got.Files != len(p.files)) {
		err = fmt.Errorf("pin of %d regions and %d files came as %d and %d", got.Count, got.Files, len(p.regions), len(p.files))
	}
	if err != nil {
		return nil, fmt.Errorf("pin the world: %w", err)
	}
	p.id, p.epoch = got.ID, got.Epoch
	for _, root := range r.world.Roots {
		p.addDir(filepath.Clean(root.Dir)) // also if it has no files
	}
	return p, nil
}

var _ vfs.FS = (*RemotePin)(nil)
