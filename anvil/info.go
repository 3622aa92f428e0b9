package anvil

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"strata/anvil/level"
	"strata/anvil/player"
	"strata/region"
)

// Info is what there is to say about a world at a glance.
type Info struct {
	Path        string          `json:"path"`
	Name        string          `json:"name"`
	Layout      Layout          `json:"layout"`
	Version     level.Version   `json:"version"`
	DataVersion int32           `json:"data_version"`
	Seed        *int64          `json:"seed,string"` // in JSON text, since numbers there may be rounded; null if it cannot be read
	Brands      []string        `json:"brands"`
	Players     int             `json:"players"`
	Dimensions  []DimensionInfo `json:"dimensions"`
	Findings    []Finding       `json:"findings"`
}

// DimensionInfo is what a dimension holds.
type DimensionInfo struct {
	ID       string     `json:"id"`
	MinY     *int32     `json:"min_y"` // null if the heights are not known
	Height   *int32     `json:"height"`
	Region   FolderInfo `json:"region"`
	Entities FolderInfo `json:"entities"`
	POI      FolderInfo `json:"poi"`
}

// FolderInfo is what a folder of region files holds, as their headers say.
type FolderInfo struct {
	Regions  int      `json:"regions"`  // region files
	Chunks   int      `json:"chunks"`   // entries in their headers, readable or not
	External int      `json:"external"` // .mcc files
	Bytes    int64    `json:"bytes"`    // of both kinds of files
	Failed   []Failed `json:"failed,omitempty"`
}

// Failed is a file or folder that could not be read.
type Failed struct {
	Path string
	Err  error
}

// MarshalJSON implements json.Marshaler.
func (f Failed) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Path  string `json:"path"`
		Error string `json:"error"`
	}{f.Path, f.Err.Error()})
}

// Info looks at all of a world's region files, at their headers alone. What
// cannot be read is listed as failed and the rest is counted. The only errors
// are the context's and those of listing the players.
func (w *World) Info(ctx context.Context) (*Info, error) {
	lvl := w.Level()
	info := &Info{
		Path: w.path, Name: lvl.Name(), Layout: w.layout, Version: lvl.Version(), DataVersion: lvl.DataVersion(),
		Brands: append([]string{}, lvl.Brands()...), Findings: append([]Finding{}, w.findings...), // lists in JSON, never null
	}
	if seed, ok := w.Seed(); ok {
		info.Seed = &seed
	}
	players, err := player.List(w.opts.FS, w.Players())
	if err != nil {
		return nil, err
	}
	info.Players = len(players)
	for _, d := range w.dimensions {
		di := DimensionInfo{ID: d.ID}
		if h, err := w.Height(d.ID); err == nil {
			di.MinY, di.Height = &h.MinY, &h.Blocks
		}
		for dir, to := range map[string]*FolderInfo{d.Region: &di.Region, d.Entities: &di.Entities, d.POI: &di.POI} {
			if *to, err = w.folderInfo(ctx, dir); err != nil {
				return nil, err
			}
		}
		info.Dimensions = append(info.Dimensions, di)
	}
	return info, nil
}

func (w *World) folderInfo(ctx context.Context, dir string) (info FolderInfo, err error) {
	entries, err := w.opts.FS.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return info, nil
	}
	if err != nil {
		info.Failed = append(info.Failed, Failed{dir, err})
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return info, err
		}
		path := filepath.Join(dir, e.Name())
		_, isRegion := region.ParseName(e.Name())
		_, isExternal := region.ParseExternalName(e.Name())
		if !isRegion && !isExternal {
			continue
		}
		size, chunks, err := w.fileInfo(path, isRegion)
		switch {
		case errors.Is(err, fs.ErrNotExist): // gone since it was listed
			continue
		case err != nil:
			info.Failed = append(info.Failed, Failed{path, err})
		}
		info.Bytes += size
		info.Chunks += chunks
		if isRegion {
			info.Regions++
		} else {
			info.External++
		}
	}
	return info, nil
}

// fileInfo is a file's size and how many entries its header has; what a header
// lacks of its size is empty.
func (w *World) fileInfo(path string, header bool) (size int64, chunks int, err error) {
	stat, err := w.opts.FS.Stat(path)
	if err != nil || !header {
		return stat.Size, 0, err
	}
	f, err := w.opts.FS.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return stat.Size, 0, err
	}
	defer f.Close()
	var h region.Header
	if _, err := f.ReadAt(h[:], 0); err != nil && err != io.EOF {
		return stat.Size, 0, err
	}
	for s := range region.Slot(region.Slots) {
		if !h.Entry(s).Empty() {
			chunks++
		}
	}
	return stat.Size, chunks, nil
}
