package fsck

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"strata/anvil/level"
	"strata/region"
	"strata/region/vfs"
)

// Bounds of the walk over data files.
const (
	maxDataDepth = 16
	maxDataFiles = 1 << 20
)

// data checks the data files of the world and its dimensions, and its players.
func (c *check) data() {
	d := dataWalk{c: c, seen: map[string]bool{}}
	d.level()
	folders := append([]string{filepath.Join(c.w.Path(), "data")}, c.dataFolders()...)
	for _, dir := range folders {
		d.folder(dir, 0, ".dat")
	}
	players := c.w.Players()
	d.folder(players.Data, 0, ".dat")
	d.folder(players.Named, 0, ".dat")
	d.folder(players.Stats, 0, ".json")
	d.folder(players.Advancements, 0, ".json")
}

func (c *check) dataFolders() (dirs []string) {
	for _, d := range c.w.Dimensions() {
		dirs = append(dirs, d.Data)
	}
	return dirs
}

// dataWalk looks into folders of data files.
type dataWalk struct {
	c    *check
	seen map[string]bool // folders
}

// level checks level.dat, which opening the world has read or not, and what
// killed writers of it have left.
func (d *dataWalk) level() {
	path := filepath.Join(d.c.w.Path(), level.FileName)
	d.c.report.Files++
	if info, err := d.c.fs.Stat(path + level.OldSuffix); err == nil && info.Mode.IsRegular() {
		d.c.report.Files++
		if err := d.parse(path + level.OldSuffix); err != nil {
			d.c.find(Finding{Class: DamagedData, path: path + level.OldSuffix, Detail: err.Error()})
		}
	}
	entries, err := d.c.fs.ReadDir(d.c.w.Path())
	if err != nil {
		d.c.find(Finding{Class: region.IOError, path: d.c.w.Path(), Detail: err.Error()})
		return
	}
	for _, e := range entries {
		if !e.IsDir() && isTemporary(e.Name(), "level") {
			d.leftover(filepath.Join(d.c.w.Path(), e.Name()))
		}
	}
}

func (d *dataWalk) leftover(path string) {
	ours := strings.HasPrefix(filepath.Base(path), vfs.TempPrefix)
	if d.c.find(Finding{Class: region.Leftover, path: path, Detail: "temporary file"}) && !ours {
		d.c.report.leads.leftovers = append(d.c.report.leads.leftovers, path)
	}
}

// isTemporary reports whether a name is that of a temporary file: ours, or the
// game's, which begins with the name that it is for and goes on with digits.
func isTemporary(name, stem string) bool {
	if strings.HasPrefix(name, vfs.TempPrefix) {
		return true
	}
	rest, ok := strings.CutPrefix(name, stem)
	if rest, isDat := strings.CutSuffix(rest, ".dat"); ok && isDat {
		return isDigits(strings.TrimPrefix(rest, "-"))
	}
	return false
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// folder checks the files with a suffix, in folders below as well.
func (d *dataWalk) folder(dir string, depth int, suffix string) {
	if dir == "" || d.seen[dir] || depth > maxDataDepth {
		return
	}
	d.seen[dir] = true
	entries, err := d.c.fs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		d.c.find(Finding{Class: region.IOError, path: dir, Detail: err.Error()})
		return
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			d.folder(path, depth+1, suffix)
		case isTemporary(e.Name(), playerStem(e.Name())):
			d.leftover(path)
		case d.c.report.Files > maxDataFiles:
		case strings.HasSuffix(e.Name(), suffix), suffix == ".dat" && strings.HasSuffix(e.Name(), ".dat"+level.OldSuffix):
			d.file(path)
		}
	}
}

// playerStem is the UUID that a name begins with, or something that no name
// begins with.
func playerStem(name string) string {
	const uuid = len("00000000-0000-0000-0000-000000000000")
	if len(name) > uuid && name[uuid] == '-' {
		return name[:uuid]
	}
	return "/"
}

// file checks a data file. Whether it is compressed its first bytes say.
func (d *dataWalk) file(path string) {
	err := d.parse(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	d.c.report.Files++
	if err == nil {
		return
	}
	f := Finding{Class: DamagedData, path: path, Detail: err.Error()}
	if strings.HasSuffix(path, ".json") {
		f.Class = BadJSON
	}
	var system *fs.PathError
	if errors.As(err, &system) {
		f.Class = region.IOError
	}
	sound := false
	if !strings.HasSuffix(path, level.OldSuffix) && f.Class == DamagedData {
		if sound = d.parse(path+level.OldSuffix) == nil; sound {
			f.Detail += "; " + filepath.Base(path) + level.OldSuffix + " is sound"
		}
	}
	if d.c.find(f) && sound {
		d.c.report.leads.data = append(d.c.report.leads.data, path)
	}
}

// parse reads a data file.
func (d *dataWalk) parse(path string) error {
	data, err := vfs.ReadFile(d.c.fs, path, level.MaxFile)
	if err != nil {
		return err
	}
	if len(data) == 0 {
		return errors.New("0 bytes")
	}
	if strings.HasSuffix(path, ".json") {
		if !json.Valid(data) {
			return errors.New("no JSON")
		}
		return nil
	}
	if _, err := level.ParseDocument(data); err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	return nil
}
