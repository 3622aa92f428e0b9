package undo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Finish says that the command is through: everything is made durable, and
// what has become of the objects is noted, so that Undo can tell what has changed
// since. A change that is not finished can be undone as well; one that keeps
// nothing goes.
func (c *Change) Finish(ctx context.Context) error {
	if c.opts.Off {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed || c.dirty:
		return fmt.Errorf("finish the change: %w", ErrState)
	case c.m.State == Saving: // nothing was kept
		return c.discard()
	}
	if err := c.finish(ctx); err != nil {
		return fmt.Errorf("note what was changed: %w", err)
	}
	return c.close()
}

func (c *Change) finish(ctx context.Context) error {
	if err := c.w.s.Barrier(ctx); err != nil {
		return err
	}
	if err := c.w.writeAfter(ctx, c.dir, c.log.file, c.log.off); err != nil {
		return err
	}
	m := c.m
	m.State, m.Finished = Done, true
	if err := m.write(c.w.fs, c.dir); err != nil {
		return err
	}
	c.m = m
	return nil
}

// writeAfter notes the present state of everything in a log.
func (w *world) writeAfter(ctx context.Context, dir string, log io.ReaderAt, size int64) (err error) {
	file, err := w.fs.OpenFile(filepath.Join(dir, afterName), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err == nil {
			err = w.fs.SyncDir(dir) // before the manifest says that it is there
		}
	}()
	out := logWriter{file: file}
	in := newLogReader(log, size, true)
	var buf []byte
	for {
		f, _, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			buf, err = w.look(f, buf)
		}
		if err == nil {
			err = out.add(f, nil)
		}
		if err != nil {
			return err
		}
	}
	return out.sync()
}

// look makes a frame say what there is now.
func (w *world) look(f *frame, buf []byte) ([]byte, error) {
	switch f.kind {
	case fileFrame:
		path, err := w.filePath(f.name)
		if err != nil {
			return buf, err
		}
		f.state, _, f.perm, err = w.readFile(path)
		return buf, err
	case asideFrame:
		var err error
		f.state, err = w.asideState(f)
		return buf, err
	}
	n, buf, err := w.read(f.name, f.object, f.pos, buf)
	f.state, f.timestamp = n.state, n.entry.Timestamp
	return buf, err
}
