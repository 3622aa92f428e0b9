package level

import (
	"fmt"
	"path/filepath"
	"time"

	"strata/nbt"
	"strata/region/vfs"
)

// FileName is the name of level.dat.
const FileName = "level.dat"

// Level is level.dat: a document with a compound Data. What older games kept in
// it and newer ones keep in files of their own is read by functions that say so
// with a bool.
type Level struct {
	*Document
	data nbt.Tag
}

// New returns the level that doc is. The error wraps ErrShape if it has no
// compound Data.
func New(doc *Document) (*Level, error) {
	data := doc.Root().Get("Data")
	if data.Type() != nbt.TypeCompound {
		return nil, fmt.Errorf("%w: level.dat without a compound Data", ErrShape)
	}
	return &Level{doc, data}, nil
}

// Parse reads the bytes of a level.dat.
func Parse(file []byte) (*Level, error) {
	doc, err := ParseDocument(file)
	if err != nil {
		return nil, err
	}
	return New(doc)
}

// Read reads the level.dat of a world's folder, or its level.dat_old; see
// [ReadFile].
func Read(fsys vfs.FS, folder string) (*Level, Origin, error) {
	path := filepath.Join(folder, FileName)
	doc, origin, err := ReadFile(fsys, path)
	if err != nil {
		return nil, origin, err
	}
	l, err := New(doc)
	if err == nil || origin.FromOld() {
		return l, origin, fileError("read", origin.Path, err)
	}
	// A document of something else in its place.
	problem := fileError("read", path, err)
	old, oerr := readOne(fsys, path+OldSuffix)
	if oerr != nil {
		return nil, origin, problem
	}
	if l, oerr = New(old); oerr != nil {
		return nil, origin, problem
	}
	return l, Origin{Path: path + OldSuffix, Problem: problem}, nil
}

func fileError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return &FileError{op, path, err}
}

// Write puts l in the place of the folder's level.dat; see [WriteFile]. A
// document that is no level counts as one that could not be read.
func (l *Level) Write(fsys vfs.FS, folder string) error {
	return write(fsys, filepath.Join(folder, FileName), l.Document, keepSound(isLevel))
}

// Data returns the compound that holds everything.
func (l *Level) Data() nbt.Tag { return l.data }

// Version is the game's version as level.dat has it since 15w32a (1.9).
type Version struct {
	ID       int32  `nbt:"Id" json:"id"`     // the data version
	Name     string `nbt:"Name" json:"name"` // such as "26.2"
	Series   string `nbt:"Series" json:"series"`
	Snapshot bool   `nbt:"Snapshot" json:"snapshot"`
}

// Version returns what level.dat says of the game that wrote it, the zero
// Version if it says nothing.
func (l *Level) Version() Version {
	v := l.data.Get("Version")
	return Version{
		ID:       int32(integer(v.Get("Id"))),
		Name:     text(v.Get("Name")),
		Series:   text(v.Get("Series")),
		Snapshot: flag(v.Get("Snapshot")),
	}
}

// DataVersion returns the world's version, 0 if there is none, as before 15w32a
// (1.9). What mods put beside Data does not count.
func (l *Level) DataVersion() int32 { return dataVersion(l.data) }

// Name returns the name that players see.
func (l *Level) Name() string { return text(l.data.Get("LevelName")) }

// Initialized reports whether the game has chosen the spawn. If not it does at
// the next start.
func (l *Level) Initialized() bool { return flag(l.data.Get("initialized")) }

// AllowCommands reports whether players of a single-player world may use
// commands.
func (l *Level) AllowCommands() bool { return flag(l.data.Get("allowCommands")) }

// GameType returns the default game mode: 0 survival, 1 creative, 2 adventure,
// 3 spectator.
func (l *Level) GameType() int32 { return int32(integer(l.data.Get("GameType"))) }

// Time returns the world's age in ticks.
func (l *Level) Time() int64 { return integer(l.data.Get("Time")) }

// DayTime returns the time of day in ticks, which until 26.1 was here and since
// is in world_clocks.dat.
func (l *Level) DayTime() (ticks int64, ok bool) { return l.data.Get("DayTime").Int() }

// LastPlayed returns when the world was last saved, the zero Time if unknown.
func (l *Level) LastPlayed() time.Time {
	ms, ok := l.data.Get("LastPlayed").Int()
	if !ok || ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms)
}

// Brands returns the brands of all servers that have opened the world, such as
// "vanilla", "fabric" or "Paper".
func (l *Level) Brands() []string { return texts(l.data.Get("ServerBrands")) }

// WasModded reports whether a game that was not vanilla has opened the world.
func (l *Level) WasModded() bool { return flag(l.data.Get("WasModded")) }

// Bukkit returns the version that Bukkit and its kin, Paper among them, note in
// level.dat, or "".
func (l *Level) Bukkit() string { return text(l.data.Get("Bukkit.Version")) }

// Packs are the data packs of a world by their ids, such as "vanilla" and
// "file/mine.zip", in the order in which they apply.
type Packs struct {
	Enabled  []string `nbt:"Enabled"`
	Disabled []string `nbt:"Disabled"`
}

// Packs returns the world's data packs (since 1.13).
func (l *Level) Packs() Packs {
	packs := l.data.Get("DataPacks")
	return Packs{texts(packs.Get("Enabled")), texts(packs.Get("Disabled"))}
}

// Difficulty is how hard a world is.
type Difficulty struct {
	Name     string `nbt:"difficulty"` // "peaceful", "easy", "normal" or "hard"
	Hardcore bool   `nbt:"hardcore"`
	Locked   bool   `nbt:"locked"`
}

// difficulties are the names of the numbers that stood for them until 26.1.
var difficulties = [...]string{"peaceful", "easy", "normal", "hard"}

// Difficulty returns the difficulty in its old or new form, "" for its name if
// there is none (before 1.8) or no such number.
func (l *Level) Difficulty() Difficulty {
	if s := l.data.Get("difficulty_settings"); s.Exists() {
		return Difficulty{text(s.Get("difficulty")), flag(s.Get("hardcore")), flag(s.Get("locked"))}
	}
	d := Difficulty{Hardcore: flag(l.data.Get("hardcore")), Locked: flag(l.data.Get("DifficultyLocked"))}
	if n, ok := l.data.Get("Difficulty").Int(); ok && n >= 0 && n < int64(len(difficulties)) {
		d.Name = difficulties[n]
	}
	return d
}

// Player returns the player of a single-player world, a compound as in a player
// file; it does not exist in worlds of 26.1 and later, where PlayerID names the
// file.
func (l *Level) Player() nbt.Tag { return l.data.Get("Player") }

// PlayerID returns the UUID of the player of a single-player world (since
// 26.1).
func (l *Level) PlayerID() (id [16]byte, ok bool) {
	ints, ok := l.data.Get("singleplayer_uuid").IntArray()
	if !ok || ints.Len() != 4 {
		return id, false
	}
	copy(id[:], ints.Bytes())
	return id, true
}

func integer(t nbt.Tag) int64 { v, _ := t.Int(); return v }

func flag(t nbt.Tag) bool { return integer(t) != 0 }

func text(t nbt.Tag) string { s, _ := t.Text(); return s }

func texts(list nbt.Tag) []string {
	var out []string
	for _, t := range list.Elements() {
		if s, ok := t.Text(); ok {
			out = append(out, s)
		}
	}
	return out
}
