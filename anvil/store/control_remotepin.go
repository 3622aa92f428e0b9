package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"strata/region"
	"strata/region/vfs"
)

// RemotePin is a world that another process has open, as it was at one moment.
// It is a file system for reading at which the world's files are what they were
// then: region files, external bodies and data files. Region files are read
// through handles of this process, by the headers that the holder has copied;
// the sectors which those name are not used again while the pin stands.
//
// What was read counts only if Check returns nil after it: the holder may have
// died, or have given the pin up for want of space. It is safe for concurrent
// use.
type RemotePin struct {
	r       *RemoteStore
	id      uint64
	epoch   uint64
	regions map[string]*pinnedRegion
	files   map[string]place
	dirs    map[string]map[string]bool // folders: their entries, true for folders
}

type pinnedRegion struct {
	dim    Dim
	kind   Kind
	pos    region.Pos
	size   int64
	header region.Header
}

// addRegion takes a region in.
func (p *RemotePin) addRegion(x *wireRegion) {
	g := &pinnedRegion{dim: x.Dim, kind: x.Kind, pos: region.Pos{X: x.X, Z: x.Z}, size: x.Size, header: region.Header(x.Header)}
	path := filepath.Join(p.r.world.Dimensions[x.Dim].dir(x.Kind), g.pos.Name())
	p.regions[path] = g
	p.addEntry(path, false)
}

func (p *RemotePin) addFile(at place) error {
	path, err := at.resolve(&p.r.world)
	if err != nil {
		return err
	}
	p.files[path] = at
	p.addEntry(path, false)
	return nil
}

func (p *RemotePin) addDir(dir string) {
	if p.dirs[dir] == nil {
		p.dirs[dir] = map[string]bool{}
	}
}

// addEntry notes a file or folder in the folder it is in, up to the root.
func (p *RemotePin) addEntry(path string, isDir bool) {
	dir := filepath.Dir(path)
	_, known := p.dirs[dir]
	p.addDir(dir)
	p.dirs[dir][filepath.Base(path)] = isDir
	if !known && dir != filepath.Dir(dir) {
		p.addEntry(dir, true)
	}
}

// Epoch is the number of the pinned epoch at its holder.
func (p *RemotePin) Epoch() uint64 { return p.epoch }

// World is the world with the pin as its file system: OpenRead of it loads
// chunks and documents as they were.
func (p *RemotePin) World() World {
	w := p.r.world
	w.FS = p
	return w
}

// Folder opens one of a dimension's folders as it was; fs.ErrNotExist if it had
// no region file. The caller closes it.
func (p *RemotePin) Folder(dim Dim, k Kind) (*region.Folder, error) {
	if int(dim) >= len(p.r.world.Dimensions) || k >= kinds {
		return nil, fmt.Errorf("pinned folder: %w", ErrRange)
	}
	return region.OpenFolder(p.r.world.Dimensions[dim].dir(k), region.FolderOptions{
		Options: region.Options{FS: p, ReadOnly: true, MaxStream: maxStream},
	})
}

// PinnedRegion is a region file of a pin.
type PinnedRegion struct {
	RegionRef
	Path   string
	Size   int64 // of the file when the pin began, in bytes
	Header region.Header
}

// Regions calls f with every region file there was, in no order, until it
// returns false.
func (p *RemotePin) Regions(f func(PinnedRegion) bool) {
	for path, g := range p.regions {
		if !f(PinnedRegion{RegionRef{g.dim, g.kind, g.pos}, path, g.size, g.header}) {
			return
		}
	}
}

// Files calls f with the path of every data file there was, in no order, until
// it returns false: see Snapshot.Files.
func (p *RemotePin) Files(f func(path string) bool) {
	for path := range p.files {
		if !f(path) {
			return
		}
	}
}

// Check returns nil if the pin still stands, so that all that was read from it
// so far is good. The error wraps region.ErrPinRevoked if the holder has given
// it up, ErrNoPin after Release, control.ErrClosed if the holder is gone.
func (p *RemotePin) Check(ctx context.Context) error {
	return p.r.call(ctx, opCheck, pinArgs{ID: p.id}, nil, nil)
}

// Release ends the pin. Its files must not be read after it. ErrNoPin if it
// has ended before.
func (p *RemotePin) Release(ctx context.Context) error {
	return p.r.call(ctx, opUnpin, pinArgs{ID: p.id}, nil, nil)
}

// askTimeout is for a question to the holder that reading a file needs. A
// holder that does not answer has hung, and the connection ends.
const askTimeout = time.Minute

func (p *RemotePin) ask(op string, args pinArgs, result any, items func(json.RawMessage) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), askTimeout)
	defer cancel()
	args.ID = p.id
	return p.r.call(ctx, op, args, result, items)
}

// openData opens a data file's pinned version.
func (p *RemotePin) openData(name string, at place) (vfs.File, error) {
	base := p.r.world.FS
	present, err := base.OpenFile(name, os.O_RDONLY, 0)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	// Asked after it was opened: see holder.file.
	var aside *place
	aerr := p.ask(opFile, pinArgs{File: &at}, &aside, nil)
	if aerr == nil && aside == nil {
		return present, err
	}
	if err == nil {
		aerr = errors.Join(aerr, present.Close())
	}
	if aerr != nil {
		return nil, fmt.Errorf("open pinned %s: %w", name, aerr)
	}
	path, err := aside.resolve(&p.r.world)
	if err != nil {
		return nil, err
	}
	return base.OpenFile(path, os.O_RDONLY, 0)
}

// body fetches the external body of a chunk.
func (p *RemotePin) body(name string, g *pinnedRegion, c region.ChunkPos) (vfs.File, error) {
	var data []byte
	var size int
	err := p.ask(opBody, pinArgs{Dim: g.dim, Kind: g.kind, X: c.X, Z: c.Z}, &size, func(item json.RawMessage) error {
		var piece []byte
		if err := json.Unmarshal(item, &piece); err != nil {
			return err
		}
		if len(data)+len(piece) > maxStream {
			return vfs.ErrTooLarge
		}
		data = append(data, piece...)
		return nil
	})
	if err == nil && size != len(data) {
		err = fmt.Errorf("%d bytes of %d came", len(data), size)
	}
	if err != nil {
		return nil, fmt.Errorf("open pinned %s: %w", name, err)
	}
	return &pinnedBody{name: name, data: data}, nil
}
