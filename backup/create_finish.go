package backup

import (
	"fmt"
	"slices"

	"strata/backup/pack"
	"strata/backup/table"
)

// count counts the chunks of a region file.
func (c *creator) count(e *entry) {
	if e.dimension == "" || e.record != 0 {
		return
	}
	c.out.count(e)
}

func (s *Snapshot) count(e *entry) {
	s.Chunks += e.region.chunks
	for i := range s.Dimensions {
		if s.Dimensions[i].ID == e.dimension {
			s.Dimensions[i].Chunks += e.region.chunks
		}
	}
}

// putTables stores the tables of regions and then that of the snapshot.
func (c *creator) putTables() error {
	for _, p := range c.tables {
		id, _, err := c.w.Put(p.piece)
		if err != nil {
			return err
		}
		p.e.region.table = id
		c.rows[p.row].Value = string(p.e.append(nil))
	}
	slices.SortFunc(c.rows, func(a, b tableRow) int {
		if a.Key < b.Key {
			return -1
		}
		return 1
	})
	data, err := table.Encode(c.rows, c.root)
	if err != nil {
		return err
	}
	if data == nil {
		c.out.Root = pack.ID(c.root.ID).String()
		return nil
	}
	id, _, err := c.w.Put(append([]byte{kindTable}, data...))
	c.out.Root = id.String()
	return err
}

// finish makes the snapshot durable, and exist.
func (c *creator) finish() (err error) {
	if err := c.w.Finish(); err != nil {
		c.w.Abort()
		return fmt.Errorf("write packs: %w", err)
	}
	s := &c.out.Snapshot
	s.NewBytes = c.w.Added().Stored
	s.Took = max(0, c.r.opts.Now().Sub(s.Time))
	if c.parent != nil {
		s.Suspect = suspicions(&c.parent.Snapshot, s)
	}
	c.rep.Notes = append(c.rep.Notes, c.src.Notes...)
	if c.o.DryRun {
		s.ID = ""
		err = c.w.Commit()
	} else {
		err = c.publish()
	}
	c.rep.Snapshot = *s
	return err
}

// publish makes the snapshot exist, once its packs are durable. Its file is flushed
// together with the last of them.
func (c *creator) publish() error {
	staged, n, err := c.r.stage(&c.out)
	if err != nil {
		c.w.Abort()
	} else if err = c.w.Commit(); err != nil {
		err = fmt.Errorf("write packs: %w", err)
	}
	if err == nil {
		err = c.r.reveal(c.out.ID, staged)
	}
	if err != nil {
		if staged != "" {
			c.r.fs.Remove(staged) //nolint:errcheck // the next run removes it
		}
		return fmt.Errorf("write snapshot: %w", err)
	}
	c.out.NewBytes += n
	return nil
}

// listed are the files of the snapshot.
func (c *creator) listed() (map[string]*entry, error) {
	return parseEntries(c.rows)
}

func parseEntries(rows []tableRow) (map[string]*entry, error) {
	all := make(map[string]*entry, len(rows))
	for _, row := range rows {
		e, err := parseEntry(row.Value)
		if err != nil {
			return nil, err
		}
		all[row.Key] = e
	}
	return all, nil
}

// suspicions compares a snapshot with the one before.
func suspicions(before, now *Snapshot) (all []string) {
	if now.Chunks*2 < before.Chunks {
		all = append(all, "fewer-chunks")
	}
	for _, d := range before.Dimensions {
		if d.Chunks == 0 {
			continue
		}
		i := slices.IndexFunc(now.Dimensions, func(x DimensionSize) bool { return x.ID == d.ID })
		if i < 0 || now.Dimensions[i].Chunks == 0 {
			all = append(all, "lost-dimension "+d.ID)
		}
	}
	return all
}
