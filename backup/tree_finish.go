package backup

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// finish makes the snapshot durable, and exist.
func (c *treeCreator) finish() error {
	s := &c.out
	s.Took = max(0, c.t.opts.Now().Sub(s.Time))
	if c.parent != nil {
		s.Suspect = suspicions(&c.parent.Snapshot, s)
	}
	c.rep.Notes = append(c.rep.Notes, c.src.Notes...)
	if c.o.DryRun {
		s.ID = ""
		c.rep.Snapshot = *s
		return nil
	}
	slices.SortFunc(c.rows, func(a, b tableRow) int { return strings.Compare(a.Key, b.Key) })
	n, err := c.list()
	if err == nil {
		err = c.reveal()
	}
	if err != nil {
		return errors.Join(err, c.t.removeFolder(c.stage))
	}
	s.NewBytes = c.rep.CopiedBytes + n
	m, err := c.t.write(&record{Snapshot: *s})
	if err != nil {
		return fmt.Errorf("write snapshot: %w", err)
	}
	s.NewBytes += m
	c.rep.Snapshot = *s
	return nil
}

// list writes the list of the files.
func (c *treeCreator) list() (int64, error) {
	data, err := packList(c.rows)
	if err != nil {
		return 0, err
	}
	out, err := c.create(listName)
	if err != nil {
		return 0, err
	}
	if err := out.writeAt(data, 0); err != nil {
		out.remove()
		return 0, err
	}
	if _, err := out.id(int64(len(data))); err != nil {
		out.remove()
		return 0, err
	}
	return int64(len(data)), out.finish()
}

// reveal gives the folder of the snapshot its name, with all in it durable.
func (c *treeCreator) reveal() error {
	c.dirs["."] = true
	for d := range c.dirs {
		c.flush.Go(func() error { return c.t.fs.SyncDir(c.to(d)) })
	}
	if err := c.flush.Wait(); err != nil {
		return err
	}
	if err := sealFolders(c.t.fs, c.stage, 0o555); err != nil {
		return err
	}
	final := c.t.folder(c.out.ID)
	if err := c.t.fs.Rename(c.stage, final); err != nil {
		return err
	}
	return c.t.fs.SyncDir(filepath.Dir(final))
}

// listed are the files of the snapshot.
func (c *treeCreator) listed() (map[string]*entry, error) { return parseEntries(c.rows) }
