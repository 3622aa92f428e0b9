package worldmap

import (
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/region"
)

// filesOf lists the files below a folder.
func filesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, relErr := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(rel))
			err = relErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names
}

func writeTiles(t *testing.T, dir string, o Options, scale int) *Tiles {
	t.Helper()
	p, err := NewPlan(hillWorld(t, -3, 29), o)
	if err != nil {
		t.Fatal(err)
	}
	result, tiles, err := p.WriteTiles(t.Context(), dir, "Hills", scale)
	if err != nil {
		t.Fatal(err)
	}
	if result.Chunks != p.Chunks {
		t.Errorf("%d of %d chunks", result.Chunks, p.Chunks)
	}
	return tiles
}

func TestTilesAreTheRegionsAndEachLevelHalfTheOneBefore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "map")
	tiles := writeTiles(t, dir, Options{}, 1)
	want := []string{"1/r.-1.0.png", "1/r.-1.1.png", "1/r.0.0.png", "1/r.0.1.png", "index.html", "map.json"}
	if diff := cmp.Diff(want, filesOf(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if tiles.Files != len(want) || len(tiles.Levels) != 1 {
		t.Errorf("%+v", tiles)
	}
	whole, _ := picture(t, hillWorld(t, -3, 29), Options{}, 1)
	for _, pos := range tiles.Levels[0].Tiles {
		tile, err := readTile(filepath.Join(dir, "1", tileName(pos)))
		if err != nil {
			t.Fatal(err)
		}
		left, top := int(pos.X)*512+3*16, int(pos.Z)*512-29*16
		for y := range tileSide {
			for x := range tileSide {
				at := image.Pt(left+x, top+y)
				if at.In(whole.Rect) && tile.NRGBAAt(x, y) != whole.NRGBAAt(at.X, at.Y) || !at.In(whole.Rect) && tile.NRGBAAt(x, y).A != 0 {
					t.Fatalf("tile %v differs from the picture at %d,%d", pos, x, y)
				}
			}
		}
	}
}

func TestCoarseTilesAreMadeOfFinerOnes(t *testing.T) {
	dir := t.TempDir()
	fine := &tiler{plan: &Plan{}, dir: dir}
	at := map[region.Pos]int{{X: -2}: 1, {X: -1}: 1, {X: -1, Z: 1}: 1, {X: 2, Z: 5}: 1}
	if err := fine.addLevel(1, at); err != nil {
		t.Fatal(err)
	}
	pictures := make(map[region.Pos]*image.NRGBA)
	for pos := range at {
		m := image.NewNRGBA(image.Rect(0, 0, tileSide, tileSide))
		for i := range m.Pix {
			m.Pix[i] = byte(noise(i>>6, int(pos.X)*9+int(pos.Z), 1, 256)) | 1
		}
		pictures[pos] = m
		if _, err := fine.write(1, pos, m); err != nil {
			t.Fatal(err)
		}
	}
	if err := fine.coarser(t.Context(), fine.tiles.Levels[0]); err != nil {
		t.Fatal(err)
	}
	level := fine.tiles.Levels[1]
	if diff := cmp.Diff([]region.Pos{{X: -1}, {X: 1, Z: 2}}, level.Tiles); diff != "" {
		t.Fatalf("tiles (-want +got):\n%s", diff)
	}
	want := image.NewNRGBA(image.Rect(0, 0, tileSide, tileSide))
	shrink(want, image.Pt(0, 0), pictures[region.Pos{X: -2}], 2)
	shrink(want, image.Pt(256, 0), pictures[region.Pos{X: -1}], 2)
	shrink(want, image.Pt(256, 256), pictures[region.Pos{X: -1, Z: 1}], 2)
	got, err := readTile(fine.path(2, region.Pos{X: -1}))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Pix, want.Pix) {
		t.Error("a coarse tile is not the mean of the finer ones")
	}
	if fewTiles(fine.tiles.Levels[0].Tiles) || fewTiles(level.Tiles) || !fewTiles([]region.Pos{{X: -1}, {}, {X: -1, Z: 1}}) {
		t.Error("levels end too early or too late")
	}
}

func TestTilesOfACoarseScaleHoldSeveralRegions(t *testing.T) {
	dir := t.TempDir()
	tiles := writeTiles(t, dir, Options{}, 4)
	if diff := cmp.Diff([]region.Pos{{X: -1}, {}}, tiles.Levels[0].Tiles); diff != "" {
		t.Errorf("tiles (-want +got):\n%s", diff)
	}
	small, _ := picture(t, hillWorld(t, -3, 29), Options{}, 4)
	tile, err := readTile(filepath.Join(dir, "4", "r.0.0.png"))
	if err != nil {
		t.Fatal(err)
	}
	for y := range small.Rect.Dy() {
		for x := 12; x < small.Rect.Dx(); x++ {
			if tile.NRGBAAt(x-12, y+116) != small.NRGBAAt(x, y) {
				t.Fatalf("tile and picture differ at %d,%d", x, y)
			}
		}
	}
}

func TestANewMapReplacesTheOldOne(t *testing.T) {
	dir := t.TempDir()
	writeTiles(t, dir, Options{}, 1)
	keep := filepath.Join(dir, "1", "notes.txt")
	if err := errors.Join(
		os.WriteFile(keep, nil, 0o600), os.WriteFile(filepath.Join(dir, "1", temporary+"123"), nil, 0o600),
	); err != nil {
		t.Fatal(err)
	}
	writeTiles(t, dir, Options{Pick: func(pos region.ChunkPos) bool { return pos.X < 0 && pos.Z < 32 }}, 1)
	if diff := cmp.Diff([]string{"1/notes.txt", "1/r.-1.0.png", "index.html", "map.json"}, filesOf(t, dir)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	writeTiles(t, dir, Options{}, 2)
	for _, name := range filesOf(t, dir) {
		if strings.HasPrefix(name, "1/r") {
			t.Errorf("%s is left of the map at another scale", name)
		}
	}
}

func TestFoldersOfOtherThingsAreLeftAlone(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "level.dat"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := NewPlan(hillWorld(t, -3, 29), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.WriteTiles(t.Context(), dir, "Hills", 1); !errors.Is(err, ErrNotMap) {
		t.Errorf("the error is %v", err)
	}
	if got := filesOf(t, dir); len(got) != 1 {
		t.Errorf("files: %v", got)
	}
}

func TestThePageNeedsNothingButItsTiles(t *testing.T) {
	dir := t.TempDir()
	p, err := NewPlan(hillWorld(t, -3, 29), Options{Overlay: overlayNamed(t, "status")})
	if err != nil {
		t.Fatal(err)
	}
	const name = `</script><img src="https://example.org/x.png">`
	_, tiles, err := p.WriteTiles(t.Context(), dir, name, 1)
	if err != nil {
		t.Fatal(err)
	}
	html, err := os.ReadFile(filepath.Join(dir, pageName))
	if err != nil {
		t.Fatal(err)
	}
	text := string(html)
	if strings.Count(text, "</script>") != 1 || strings.Contains(text, "<img") || strings.Contains(text, dataPlace) {
		t.Error("what the world is called gets into the page")
	}
	start := strings.Index(text, `{"format"`)
	data, rest, _ := strings.Cut(text[start:], ";\n")
	var d pageData
	if err := json.Unmarshal([]byte(data), &d); err != nil {
		t.Fatal(err)
	}
	if d.Name != name || len(d.Legend) != 3 || len(d.Levels) != len(tiles.Levels) || len(d.Levels[0].Tiles) != 4 {
		t.Errorf("the page's map: %+v", d)
	}
	own := text[:start] + rest
	if found := regexp.MustCompile(`(?i)https?:|//[a-z]|url\(|@import|\ssrc\s*=|href|fetch|XMLHttpRequest|WebSocket|sendBeacon|import\(|eval`).FindString(own); found != "" {
		t.Errorf("the page has %q", found)
	}
	if n := strings.Count(own, ".src = "); n != 1 || !strings.Contains(own, "default-src 'none'; img-src 'self' file:;") {
		t.Errorf("pictures are loaded in %d places, or the policy is not strict", n)
	}
	for _, level := range d.Levels {
		for _, at := range level.Tiles {
			if _, err := os.Stat(filepath.Join(dir, strconv.Itoa(level.Scale), tileName(region.Pos{X: at[0], Z: at[1]}))); err != nil {
				t.Error(err)
			}
		}
	}
}
