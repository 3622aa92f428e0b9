package worldmap

import (
	"cmp"
	"context"
	"image"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"strata/region"
)

// tileSide is the side of a tile in pixels.
const tileSide = regionSide

// Level is one scale of a map of tiles.
type Level struct {
	Scale int
	// Tiles are those that are there, sorted by z and x. Tile X, Z begins at
	// block 512 * Scale * X, and so for Z.
	Tiles []region.Pos
}

// Tiles are what WriteTiles wrote.
type Tiles struct {
	Levels []Level // the finest first
	Files  int
	Bytes  int64
}

// WriteTiles draws the plan into a folder of tiles of 512 by 512 pixels, which
// is created if need be: SCALE/r.X.Z.png from the given scale on to one at
// which at most four tiles are left, index.html to look at them, and map.json,
// which says what the map shows. name is the title of the page. The tiles of an
// earlier map in the folder are replaced, and those that are not drawn again
// removed. The error wraps ErrScale, or ErrNotMap if the folder holds
// something else.
func (p *Plan) WriteTiles(ctx context.Context, dir, name string, scale int) (*Result, *Tiles, error) {
	if err := checkScale(scale); err != nil {
		return nil, nil, err
	}
	if err := prepareFolder(dir); err != nil {
		return nil, nil, err
	}
	t := &tiler{plan: p, dir: dir}
	result, err := t.finest(ctx, scale)
	if err != nil {
		return result, nil, err
	}
	for level := t.tiles.Levels[0]; ; level = t.tiles.Levels[len(t.tiles.Levels)-1] {
		if level.Scale == MaxScale || fewTiles(level.Tiles) {
			break
		}
		if err := t.coarser(ctx, level); err != nil {
			return result, nil, err
		}
	}
	if err := t.removeOld(); err != nil {
		return result, nil, err
	}
	err = t.writePage(newPageData(p, name, t.tiles.Levels, result))
	return result, &t.tiles, err
}

// fewTiles reports whether tiles lie in a square of two by two.
func fewTiles(tiles []region.Pos) bool {
	for _, pos := range tiles {
		if pos.Z-tiles[0].Z > 1 || pos.X-tiles[0].X > 1 || tiles[0].X-pos.X > 1 {
			return false
		}
	}
	return true
}

// tiler writes a map of tiles.
type tiler struct {
	plan  *Plan
	dir   string
	tiles Tiles
}

// workers is how many tiles are encoded at the same time.
func (t *tiler) workers() int {
	return cmp.Or(max(0, t.plan.options.Workers), runtime.GOMAXPROCS(0))
}

// finest draws the first level. A tile is written when all of its regions have
// been drawn.
func (t *tiler) finest(ctx context.Context, scale int) (*Result, error) {
	due := make(map[region.Pos]int)
	for _, f := range t.plan.files {
		due[parent(f.Pos, scale)]++
	}
	if err := t.addLevel(scale, due); err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(t.workers())
	blanks := make(chan *image.NRGBA, t.workers()+1)
	open := make(map[region.Pos]*image.NRGBA)
	side := tileSide / scale
	written := make([]int64, len(due))
	next := 0
	result, err := t.plan.Draw(ctx, func(r *Region) error {
		pos := parent(r.Pos, scale)
		tile := open[pos]
		if tile == nil {
			tile = blank(blanks)
			open[pos] = tile
		}
		corner := image.Pt(int(r.Pos.X)*side-int(pos.X)*tileSide, int(r.Pos.Z)*side-int(pos.Z)*tileSide)
		shrink(tile, corner, r.Image, scale)
		if due[pos]--; due[pos] > 0 {
			return nil
		}
		delete(open, pos)
		bytes := &written[next]
		next++
		group.Go(func() (err error) {
			*bytes, err = t.write(scale, pos, tile)
			select {
			case blanks <- tile:
			default:
			}
			return err
		})
		return nil
	})
	if failed := group.Wait(); failed != nil {
		err = failed // the end of ctx is but its consequence
	}
	t.count(written)
	return result, err
}

// blank is an empty tile, of those that were used before if there is one.
func blank(used <-chan *image.NRGBA) *image.NRGBA {
	select {
	case tile := <-used:
		clear(tile.Pix)
		return tile
	default:
		return image.NewNRGBA(image.Rect(0, 0, tileSide, tileSide))
	}
}

// parent is the tile that another one is in, at a scale that many times
// coarser.
func parent(pos region.Pos, by int) region.Pos {
	return region.Pos{X: int32(floorTo(int(pos.X), by) / by), Z: int32(floorTo(int(pos.Z), by) / by)}
}

// addLevel adds a level with tiles at the given places, and makes its folder.
func (t *tiler) addLevel(scale int, at map[region.Pos]int) error {
	tiles := slices.SortedFunc(maps.Keys(at), func(a, b region.Pos) int {
		return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X))
	})
	t.tiles.Levels = append(t.tiles.Levels, Level{scale, tiles})
	return os.MkdirAll(filepath.Join(t.dir, strconv.Itoa(scale)), 0o777)
}

// coarser makes the level after another one of that one's tiles.
func (t *tiler) coarser(ctx context.Context, finer Level) error {
	due := make(map[region.Pos]int)
	for _, pos := range finer.Tiles {
		due[parent(pos, 2)]++
	}
	scale := finer.Scale * 2
	if err := t.addLevel(scale, due); err != nil {
		return err
	}
	tiles := t.tiles.Levels[len(t.tiles.Levels)-1].Tiles
	written := make([]int64, len(tiles))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(t.workers())
	for i, pos := range tiles {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			tile, err := t.merge(finer, pos)
			if err != nil {
				return err
			}
			written[i], err = t.write(scale, pos, tile)
			return err
		})
	}
	err := group.Wait()
	t.count(written)
	return err
}

// merge makes a tile of the four of a finer level.
func (t *tiler) merge(finer Level, pos region.Pos) (*image.NRGBA, error) {
	tile := image.NewNRGBA(image.Rect(0, 0, tileSide, tileSide))
	for z := range int32(2) {
		for x := range int32(2) {
			child := region.Pos{X: pos.X*2 + x, Z: pos.Z*2 + z}
			_, there := slices.BinarySearchFunc(finer.Tiles, child, func(a, b region.Pos) int {
				return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X))
			})
			if !there {
				continue
			}
			picture, err := readTile(t.path(finer.Scale, child))
			if err != nil {
				return nil, err
			}
			shrink(tile, image.Pt(int(x)*tileSide/2, int(z)*tileSide/2), picture, 2)
		}
	}
	return tile, nil
}

// count adds files that were written.
func (t *tiler) count(sizes []int64) {
	for _, n := range sizes {
		if n > 0 {
			t.tiles.Files++
			t.tiles.Bytes += n
		}
	}
}
