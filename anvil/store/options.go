package store

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"strata/anvil/store/journal"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// World says where the parts of a world lie.
type World struct {
	// FS is the file system; nil means the operating system's. Its type must
	// be comparable.
	FS vfs.FS
	// Roots are the folders of the world, the main one, with level.dat, first.
	// All of them are locked.
	Roots []journal.Root
	// Links are the folders below the roots that are symbolic links and that
	// something is written to. What lies behind other links is not written.
	Links []journal.Root
	// Dimensions are the world's dimensions, at most 256, in an order that the
	// caller chooses: a Dim is an index of it.
	Dimensions []Dimension
}

// Dimension is one dimension and its folders, which need not exist.
type Dimension struct {
	Name                  string // such as minecraft:overworld
	Region, Entities, POI string
}

// Priority orders loads that wait.
type Priority int8

// Priorities. Any other value may be used as well; higher ones go first.
const (
	Background Priority = -10
	Normal     Priority = 0
	Urgent     Priority = 10
)

// Options of a store. The zero value works.
type Options struct {
	// Memory is how many bytes clean, changed and in-flight objects may take
	// together; at least 16 MiB. Default: a quarter of the memory that the
	// container or the machine has, 64 MiB to 4 GiB. Objects that callers
	// hold are counted and never dropped.
	Memory int64
	// DirtyLimit is how many bytes of changed and in-flight objects there may
	// be before changes wait; default a quarter of Memory. What has only drifted
	// does not count, since it is held in any case.
	DirtyLimit int64
	// Interval is the longest time from a structural change to its epoch,
	// default 5 s. What a kill loses.
	Interval time.Duration
	// Autosave is the longest time from a change that is only drift to its
	// epoch, default 300 s. Where much is due at once, an epoch saves a quarter
	// of DirtyLimit of it, the oldest region files first, and the next one
	// follows at once.
	Autosave time.Duration
	// ByTick leaves the moment of each cut to the caller of Tick.
	ByTick bool
	// BeforeCut is called by Tick, on its goroutine and without locks held, when
	// it is about to make a cut: for what is written into chunks and files only
	// when they are saved. It may change objects and stage files, and must not
	// wait. Close calls it no more. nil is nobody.
	BeforeCut func()
	// Level of the compression, default mode sector.
	Level codec.Level
	// Loads and Encoders are how many objects are loaded and encoded at a
	// time, default GOMAXPROCS, at most 64. An encoder keeps about 3 MB.
	Loads, Encoders int
	// Raise raises a chunk to the world's version before it is changed, if
	// chunk.Steps lead there. Default: chunks keep their DataVersion until a
	// caller raises them.
	Raise bool
	// Attempts is how often saving one object may fail before it goes to the
	// rescue folder, default 3. A full disk does not count.
	Attempts int
	// PinLimit is how many bytes a snapshot may hold back in each folder
	// before it is revoked; default as in package region.
	PinLimit int64
	// MaxOpen is how many region files are kept open in each folder; default
	// as in package region.
	MaxOpen int
	// NoControl leaves the world without the endpoint that lets other processes
	// of Strata ask for pins, flushes and unloading: see Remote. There is one
	// only in the operating system's file system.
	NoControl bool
	// Events is told of what a caller would log, without locks held, from any
	// goroutine; nil means nobody listens.
	Events func(Event)
}

func (o Options) withDefaults() (Options, error) {
	if o.Memory == 0 {
		o.Memory = systemMemory()
	}
	if o.DirtyLimit == 0 {
		o.DirtyLimit = o.Memory / 4
	}
	if o.Interval == 0 {
		o.Interval = 5 * time.Second
	}
	if o.Autosave == 0 {
		o.Autosave = 300 * time.Second
	}
	workers := min(runtime.GOMAXPROCS(0), maxWorkers)
	if o.Loads == 0 {
		o.Loads = workers
	}
	if o.Encoders == 0 {
		o.Encoders = workers
	}
	if o.Attempts == 0 {
		o.Attempts = 3
	}
	switch {
	case o.Memory < 16<<20 || o.DirtyLimit < 0 || o.PinLimit < 0:
		return o, errors.New("store: Memory must be at least 16 MiB, limits not negative")
	case o.Interval < 0 || o.Autosave < 0:
		return o, errors.New("store: intervals must not be negative")
	case o.Loads < 1 || o.Loads > maxWorkers || o.Encoders < 1 || o.Encoders > maxWorkers:
		return o, fmt.Errorf("store: Loads and Encoders must be 1 to %d", maxWorkers)
	case o.Level != codec.Sector && (o.Level < codec.MinLevel || o.Level > codec.MaxLevel):
		return o, fmt.Errorf("store: %w: %v", codec.ErrUnknownLevel, o.Level)
	case o.Attempts < 1:
		return o, errors.New("store: Attempts must not be negative")
	}
	return o, nil
}

const maxWorkers = 64

func (w World) check() (World, error) {
	if w.FS == nil {
		w.FS = vfs.OS()
	}
	if len(w.Roots) == 0 {
		return w, errors.New("store: world without a folder")
	}
	if len(w.Dimensions) > 256 {
		return w, fmt.Errorf("store: %d dimensions are more than 256", len(w.Dimensions))
	}
	return w, nil
}

func (d *Dimension) dir(k Kind) string {
	switch k {
	case Entities:
		return d.Entities
	case POI:
		return d.POI
	}
	return d.Region
}

func (s *Store) regionOptions(readOnly bool) region.FolderOptions {
	return region.FolderOptions{
		Options: region.Options{FS: s.fs, ReadOnly: readOnly, MaxStream: maxStream, Events: s.regionEvent},
		MaxOpen: s.opts.MaxOpen,
	}
}

// maxStream bounds what a damaged length can make a load allocate.
const maxStream = 64 << 20

// maxDocument bounds an inflated chunk, entry or document.
const maxDocument = 256 << 20
