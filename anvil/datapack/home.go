package datapack

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"strata/region/vfs"
)

// Home is the folder in which imported game data lie, one file a version:
// DIR/game/26.2/game.pack. It need not exist.
type Home struct {
	Dir string
	// FS is the file system that Dir is on: default the machine's.
	FS vfs.FS
	// Limits bound what is opened.
	Limits Limits
}

const (
	gameDir  = "game"
	gameName = "game.pack"
	lockName = "lock"
)

// HomeDir returns the folder for Strata's data, from the environment that
// getenv reads and the name of the system as runtime.GOOS gives it:
// STRATA_DATA if that is set; else strata in $XDG_DATA_HOME,
// %LOCALAPPDATA% on Windows, or Library/Application Support on macOS; else
// .local/share/strata in the home folder. Relative values of XDG_DATA_HOME do
// not count (XDG Base Directory Specification 0.8). The error says what is not
// set.
func HomeDir(getenv func(string) string, goos string) (string, error) {
	if dir := getenv("STRATA_DATA"); dir != "" {
		return dir, nil
	}
	if dir := getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "strata"), nil
	}
	if goos == "windows" {
		if dir := getenv("LOCALAPPDATA"); dir != "" {
			return filepath.Join(dir, "strata"), nil
		}
		return "", errors.New("neither STRATA_DATA nor LOCALAPPDATA is set")
	}
	home := getenv("HOME")
	switch {
	case home == "":
		return "", errors.New("neither STRATA_DATA nor XDG_DATA_HOME nor HOME is set")
	case goos == "darwin":
		return filepath.Join(home, "Library", "Application Support", "strata"), nil
	default:
		return filepath.Join(home, ".local", "share", "strata"), nil
	}
}

func (h Home) fs() vfs.FS {
	if h.FS == nil {
		return vfs.OS()
	}
	return h.FS
}

// Path is where the data of a version lie, or would.
func (h Home) Path(version string) string { return filepath.Join(h.Dir, gameDir, version, gameName) }

// open opens an imported file.
func (h Home) open(path string) (*Pack, error) {
	f, err := h.fs().OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	p := &Pack{name: filepath.Base(filepath.Dir(path)), path: path, limits: h.Limits.withDefaults()}
	err = p.openFile(f)
	if err == nil && p.kind != KindGame {
		err = fmt.Errorf("%w: not a file that was imported", ErrDamaged)
	}
	if err != nil {
		return nil, inPack(path, "", errors.Join(err, f.Close()))
	}
	return p, nil
}

// Installed is an imported file as List finds it.
type Installed struct {
	Path string
	// StoredBytes is the size of the file.
	StoredBytes int64
	// Manifest is nil if the file can not be read; Err says why.
	Manifest *Manifest
	Err      error
}

// List returns what has been imported, the newest version of the game first,
// and damaged files last. A home that does not exist holds nothing.
func (h Home) List() ([]Installed, error) {
	entries, err := h.fs().ReadDir(filepath.Join(h.Dir, gameDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list game data: %w", err)
	}
	var list []Installed
	for _, e := range entries {
		if !e.IsDir() || !validVersionID(e.Name()) {
			continue
		}
		in := Installed{Path: h.Path(e.Name())}
		fi, err := h.fs().Stat(in.Path)
		if errors.Is(err, fs.ErrNotExist) {
			continue // left by an import that was interrupted
		}
		in.StoredBytes = fi.Size
		if err == nil {
			in.Manifest, err = h.manifest(in.Path)
		}
		in.Err = err
		list = append(list, in)
	}
	slices.SortStableFunc(list, func(a, b Installed) int { return cmp.Compare(b.worldVersion(), a.worldVersion()) })
	return list, nil
}

func (in Installed) worldVersion() int {
	if in.Manifest == nil {
		return 0
	}
	return in.Manifest.Version.WorldVersion
}

func (h Home) manifest(path string) (*Manifest, error) {
	p, err := h.open(path)
	if err != nil {
		return nil, err
	}
	m := p.Manifest()
	return m, p.Close()
}

// Find opens the imported data of a version of the game, or of another
// version with the same data: one of the same data pack format, such as 26.1
// for 26.1.2. The error wraps fs.ErrNotExist if there are none. A damaged file
// is an error, not a reason to take another.
func (h Home) Find(version string) (*Pack, error) {
	if !validVersionID(version) {
		return nil, fmt.Errorf("find game data: version %q: %w", clip(version), fs.ErrNotExist)
	}
	p, err := h.open(h.Path(version))
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return p, err
	}
	want, ok := KnownVersion(version)
	if ok {
		list, err := h.List()
		if err != nil {
			return nil, err
		}
		for _, in := range list {
			if in.Manifest != nil && in.Manifest.Version.Format == want.Format {
				return h.open(in.Path)
			}
		}
	}
	return nil, fmt.Errorf("game data of %s have not been imported into %s: %w", version, h.Dir, fs.ErrNotExist)
}

// Locate opens the game's own data of a version for a command: those at path,
// which is anything that Open takes or the folder of another home, or the
// imported ones if path is "". Errors are those of Open and Find; ErrNotPack
// if path is a data pack, and ErrVersion if its data are of another data pack
// format than the version's.
func (h Home) Locate(path string, version Version) (*Pack, error) {
	if path == "" {
		return h.Find(version.ID)
	}
	p, err := Open(path, Options{Limits: h.Limits})
	if errors.Is(err, ErrNotPack) {
		if fi, serr := os.Stat(filepath.Join(path, gameDir)); serr == nil && fi.IsDir() {
			return Home{Dir: path, Limits: h.Limits}.Find(version.ID)
		}
	}
	if err != nil {
		return nil, err
	}
	if err := p.mustBe(version); err != nil {
		return nil, inPack(p.name, "", errors.Join(err, p.Close()))
	}
	return p, nil
}

// mustBe returns an error unless the pack is the game's own data of a version
// with the same format.
func (p *Pack) mustBe(want Version) error {
	if mark := p.missingMark(); mark != "" {
		return fmt.Errorf("%w of the game's own data: no %s", ErrNotPack, mark)
	}
	got, err := p.Version()
	if err != nil {
		return err
	}
	if got.Format != want.Format {
		return fmt.Errorf("%w: the data are of %s, wanted are those of %s", ErrVersion, got, want)
	}
	return nil
}
