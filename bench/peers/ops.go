package main

import (
	"fmt"
	"runtime"
	"time"

	"github.com/Tnze/go-mc/save"
)

const clockWall = "wall"

// op is one operation. Its functions get the sample as needs says.
type op struct {
	name  string
	needs needs
	wall  bool // measured on the wall clock
	// setUp, if set, comes before each pass.
	setUp func(*sample) error
	// pass does the work on every chunk and fails if it made less of it than
	// the sample has. Nothing else is measured.
	pass func(*sample) error
	// verify checks the results on every chunk, once, after a first pass that
	// does not count.
	verify func(*sample) error
}

type needs int

const (
	needsChunks needs = iota
	needsTrees        // sample.trees
	needsFiles        // sample.open and sample.regions
)

var ops = []op{
	{name: "nbt/unmarshal", pass: unmarshalPass, verify: verifyTyped},
	{name: "nbt/unmarshal-any", pass: unmarshalAnyPass, verify: nothingMore},
	{name: "nbt/marshal", needs: needsTrees, pass: marshalPass, verify: nothingMore},
	{name: "storage/open", needs: needsFiles, pass: openPass, verify: nothingMore},
	filesOp("storage/load", loadPass, loadChunk),
	filesOp("storage/load-kept", loadPass, newKeptLoader().load),
	filesOp("storage/scan", scanPass, loadChunk),
	filesOp("storage/scan-kept", scanPass, newKeptLoader().load),
	{name: "storage/save", needs: needsTrees, wall: true, setUp: setUpSave, pass: savePass, verify: verifySaved},
}

// loader decodes what ReadSector returned. The chunk is valid until the next
// call.
type loader func(data []byte) (*save.Chunk, error)

func filesOp(name string, pass func(*sample, loader) error, load loader) op {
	return op{
		name: name, needs: needsFiles,
		pass:   func(s *sample) error { return pass(s, load) },
		verify: func(s *sample) error { return verifyFiles(s, load) },
	}
}

// nothingMore is for ops that checkFaithful, which comes first, already checks.
func nothingMore(*sample) error { return nil }

func opNames() (names []string) {
	for _, o := range ops {
		names = append(names, o.name)
	}
	return names
}

func opNamed(name string) (op, bool) {
	for _, o := range ops {
		if o.name == name {
			return o, true
		}
	}
	return op{}, false
}

// run makes one pass and measures it.
func (s *sample) run(o op) (timing, error) {
	if err := s.prepare(o); err != nil {
		return timing{}, err
	}
	return s.measure(o)
}

func (s *sample) prepare(o op) error {
	if !s.faithful {
		if err := s.checkFaithful(); err != nil {
			return err
		}
		s.faithful = true
	}
	switch o.needs {
	case needsTrees:
		if err := s.needTrees(); err != nil {
			return err
		}
	case needsFiles:
		s.trees = nil
		if err := s.needFiles(); err != nil {
			return err
		}
	case needsChunks:
		s.trees = nil
	}
	if s.verified[o.name] {
		return nil
	}
	if err := o.ready(s); err != nil {
		return err
	}
	if err := o.pass(s); err != nil {
		return err
	}
	if err := o.verify(s); err != nil {
		return fmt.Errorf("the results are wrong: %w", err)
	}
	s.verified[o.name] = true
	return nil
}

func (o op) ready(s *sample) error {
	if o.setUp == nil {
		return nil
	}
	return o.setUp(s)
}

func (s *sample) measure(o op) (timing, error) {
	if err := o.ready(s); err != nil {
		return timing{}, err
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	wall, process, thread := time.Now(), processTime(), threadTime()
	err := o.pass(s)
	threadTook, processTook, wallTook := threadTime()-thread, processTime()-process, time.Since(wall)
	if err != nil {
		return timing{}, err
	}
	runtime.ReadMemStats(&after)
	t := timing{
		Clock: threadClock, NS: threadTook.Nanoseconds(),
		WallNS: wallTook.Nanoseconds(), ProcessNS: processTook.Nanoseconds(),
		Mallocs: after.Mallocs - before.Mallocs, AllocBytes: after.TotalAlloc - before.TotalAlloc,
	}
	if o.wall {
		t.Clock, t.NS = clockWall, t.WallNS
	}
	return t, nil
}
