package store

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"strata/anvil/store/journal"
	"strata/region"
	"strata/region/codec"
)

// stageLimit is how many region files are written and flushed at a time.
const stageLimit = 8

// part is what an epoch changes in one region file.
type part struct {
	f       *folder
	pos     region.Pos
	saves   []*save
	file    *region.File
	release func()
	group   *region.Group
	err     error
}

// commit encodes a batch and makes it durable as one epoch. What has failed
// too often goes to the rescue folder, and the epoch on without it.
func (s *Store) commit(b *batch) error {
	s.encodeAll(b.saves)
	for {
		s.rescueFrozen(b)
		err := s.try(b)
		if err == nil || !s.rescue(b, err) {
			return err
		}
	}
}

// try makes a batch durable, or nothing of it.
func (s *Store) try(b *batch) error {
	var errs []error
	for _, f := range b.files {
		f.err = nil
	}
	for _, sv := range b.saves {
		if !sv.rescued {
			errs = append(errs, sv.err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err // of encoding
	}
	parts := s.parts(b)
	defer func() {
		for _, p := range parts {
			if p.release != nil {
				p.release()
			}
		}
	}()
	if err := stageAll(parts); err != nil {
		return err
	}
	if len(parts) == 0 && len(b.files) == 0 {
		return nil
	}
	if err := s.acknowledge(b, parts); err != nil {
		return err
	}
	for _, p := range parts {
		for _, sv := range p.saves {
			entry := p.file.Entry(sv.o.ref.Pos.Slot())
			s.acked(sv, tag{entry, p.f.exchanges(p.pos)})
		}
	}
	return nil
}

// parts sorts what is to be written by region files.
func (s *Store) parts(b *batch) []*part {
	type at struct {
		f   *folder
		pos region.Pos
	}
	byFile := map[at]*part{}
	var parts []*part
	for _, sv := range b.saves {
		if sv.elided || sv.rescued {
			continue
		}
		k := at{s.folderOf(sv.o.ref), sv.o.ref.Pos.Region()}
		p := byFile[k]
		if p == nil {
			p = &part{f: k.f, pos: k.pos}
			byFile[k] = p
			parts = append(parts, p)
		}
		p.saves = append(p.saves, sv)
	}
	slices.SortFunc(parts, func(a, b *part) int {
		return cmp.Or(cmp.Compare(a.f.dim, b.f.dim), cmp.Compare(a.f.kind, b.f.kind),
			cmp.Compare(a.pos.X, b.pos.X), cmp.Compare(a.pos.Z, b.pos.Z))
	})
	for _, p := range parts {
		slices.SortFunc(p.saves, func(a, b *save) int { return cmp.Compare(a.o.ref.Pos.Slot(), b.o.ref.Pos.Slot()) })
	}
	return parts
}

// stageAll writes and flushes the payloads of all parts, or aborts them all.
func stageAll(parts []*part) error {
	var g errgroup.Group
	g.SetLimit(stageLimit)
	for _, p := range parts {
		g.Go(func() error {
			p.err = p.stage()
			return nil
		})
	}
	g.Wait() //nolint:errcheck // each part has its own error
	var errs []error
	for _, p := range parts {
		if p.err != nil {
			p.blame()
			errs = append(errs, p.err)
		}
	}
	if len(errs) == 0 {
		return nil
	}
	for _, p := range parts {
		if p.group != nil {
			p.group.Abort()
		}
	}
	return errors.Join(errs...)
}

func (p *part) stage() error {
	var err error
	if p.file, p.release, err = p.f.acquire(p.pos, true); err != nil {
		return err
	}
	writes := make([]region.Write, len(p.saves))
	for i, sv := range p.saves {
		writes[i] = region.Write{
			Slot: sv.o.ref.Pos.Slot(), Scheme: codec.Zlib, Data: sv.payload,
			Delete: sv.value == nil, Journaled: true,
		}
	}
	p.group, err = p.file.Stage(writes...)
	return err
}

// blame says whose error it is that the part could not be staged: one
// object's if it names a slot, otherwise that of all.
func (p *part) blame() {
	var e *region.Error
	one := errors.As(p.err, &e) && e.Slot >= 0
	for _, sv := range p.saves {
		if !one || int(sv.o.ref.Pos.Slot()) == e.Slot {
			sv.err = p.err
		}
	}
}

// acknowledge commits staged parts and files through the journal.
func (s *Store) acknowledge(b *batch, parts []*part) error {
	ep, err := s.journal.Begin()
	added := 0
	if err == nil {
		for _, p := range parts {
			if err = ep.Add(p.group); err != nil {
				break
			}
			added++
		}
	}
	if err == nil {
		err = s.addFiles(ep, b.files)
	}
	if err != nil {
		if ep != nil {
			ep.Abort()
		}
		for _, p := range parts[added:] {
			p.group.Abort()
		}
		return s.noteBroken(err)
	}
	if err := ep.Commit(context.Background()); err != nil {
		return s.noteBroken(err)
	}
	for _, f := range b.files {
		if s.isLevel(f.path) {
			s.readVersion(f.data)
		}
	}
	return nil
}

func (s *Store) addFiles(ep *journal.Epoch, files []*fileChange) error {
	slices.SortFunc(files, func(a, b *fileChange) int { return cmp.Compare(a.path, b.path) })
	for _, f := range files {
		if f.rescued {
			continue
		}
		f.err = s.addFile(ep, f)
		if f.err != nil {
			return f.err
		}
	}
	return nil
}

func (s *Store) addFile(ep *journal.Epoch, f *fileChange) error {
	if err := s.keepForSnapshots(f.path); err != nil {
		return err
	}
	if f.remove {
		return ep.Remove(f.path)
	}
	if f.opts.KeepOld {
		if err := s.keepFile(ep, f.path); err != nil {
			return err
		}
	}
	return ep.Write(f.path, f.data, f.opts.Perm)
}
