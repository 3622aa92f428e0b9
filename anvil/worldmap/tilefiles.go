package worldmap

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"strata/region"
)

const (
	dataName = "map.json"
	pageName = "index.html"
)

// prepareFolder makes sure that a folder is there and has nothing in it that is
// not of a map.
func prepareFolder(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		return markFolder(dir)
	case err != nil:
		return err
	case len(entries) == 0:
		return markFolder(dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, dataName))
	if err != nil || !isPageData(data) {
		return fmt.Errorf("%s: %w", dir, ErrNotMap)
	}
	return nil
}

// markFolder begins a map.json: a run that is broken off leaves a map.
func markFolder(dir string) error {
	return os.WriteFile(filepath.Join(dir, dataName), []byte(`{"format":"`+pageFormat+`"}`), 0o644)
}

// readTile reads a tile that was written before.
func readTile(path string) (_ *image.NRGBA, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	decoded, err := png.Decode(bufio.NewReaderSize(file, 64<<10))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	picture, ok := decoded.(*image.NRGBA)
	if !ok || picture.Rect != image.Rect(0, 0, tileSide, tileSide) {
		return nil, fmt.Errorf("%s: another picture than was written", path)
	}
	return picture, nil
}

func (t *tiler) path(scale int, pos region.Pos) string {
	return filepath.Join(t.dir, strconv.Itoa(scale), tileName(pos))
}

func tileName(pos region.Pos) string { return fmt.Sprintf("r.%d.%d.png", pos.X, pos.Z) }

// write writes a tile and returns its size.
func (t *tiler) write(scale int, pos region.Pos, tile *image.NRGBA) (int64, error) {
	return writeFile(t.path(scale, pos), func(out *bufio.Writer) error {
		p := newPNGWriter(out, tileSide, tileSide)
		for row := range slices.Chunk(tile.Pix, tileSide*pixelBytes) {
			if err := p.row(row); err != nil {
				return err
			}
		}
		return p.close()
	})
}

// removeOld removes the tiles of an earlier map that are not of this one.
func (t *tiler) removeOld() error {
	for scale := 1; scale <= MaxScale; scale *= 2 {
		dir := filepath.Join(t.dir, strconv.Itoa(scale))
		entries, err := os.ReadDir(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		ours := make(map[string]bool)
		for _, level := range t.tiles.Levels {
			if level.Scale == scale {
				for _, pos := range level.Tiles {
					ours[tileName(pos)] = true
				}
			}
		}
		for _, e := range entries {
			if isTile(e.Name()) && !ours[e.Name()] {
				if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
					return err
				}
			}
		}
		if len(ours) == 0 {
			_ = os.Remove(dir) // unless something else is in it
		}
	}
	return nil
}

// isTile reports whether a name is one of our tiles, finished or not.
func isTile(name string) bool {
	if strings.HasPrefix(name, temporary) {
		return true
	}
	var pos region.Pos
	n, err := fmt.Sscanf(name, "r.%d.%d.png", &pos.X, &pos.Z)
	return n == 2 && err == nil && tileName(pos) == name
}

// temporary is what names of unfinished files begin with.
const temporary = ".strata-"

// writeFile writes a file under a temporary name beside it, puts it in the
// place of path, and returns its size.
func writeFile(path string, write func(*bufio.Writer) error) (size int64, err error) {
	file, err := os.CreateTemp(filepath.Dir(path), temporary+"*")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	out := bufio.NewWriterSize(file, 64<<10)
	err = write(out)
	if err == nil {
		err = out.Flush()
	}
	info, statErr := file.Stat()
	err = errors.Join(err, statErr, file.Chmod(0o644), file.Close())
	if err != nil {
		return 0, err
	}
	return info.Size(), os.Rename(file.Name(), path)
}
