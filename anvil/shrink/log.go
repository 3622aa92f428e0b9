package shrink

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"

	"strata/anvil/store"
	"strata/region"
	"strata/region/vfs"
)

const (
	ownFolder = "strata"
	logName   = "recompress.log"
	// maxLog bounds what is read of a log: 200 bytes for each of 300,000 files.
	maxLog = 64 << 20
)

// runLog notes which files are done, so that a run that was killed can be gone on
// with. It is a hint: what it says of a file counts only while the file is the one
// it says. A nil log notes nothing.
type runLog struct {
	file    vfs.File
	path    string
	fs      vfs.FS
	end     int64
	done    map[string]doneFile
	leaving []leaving // of the run before
}

// logHead is the first line of a log.
type logHead struct {
	Form     int    `json:"recompress"`
	Scheme   string `json:"scheme"`
	Level    string `json:"level"`
	Always   bool   `json:"always"`
	Settings string `json:"settings"`
}

// doneFile is any other line.
type doneFile struct {
	Path    string    `json:"path"`
	Bytes   int64     `json:"bytes"`
	ModTime time.Time `json:"mod_time"`
	Header  uint64    `json:"header,string"`
}

// leaving is a line that comes before records leave the files that they had to
// themselves: if the process is killed before those are removed, the next run does
// it. Other external files without a record are not ours to remove.
type leaving struct {
	Path    string            `json:"path"`
	Leaving []region.ChunkPos `json:"leaving"`
}

const logForm = 1

// openLog opens the log of a run, or begins one.
func openLog(s *store.Store, o *RecompressOptions) (*runLog, error) {
	l := &runLog{fs: fileSystem(s), done: map[string]doneFile{}}
	l.path = filepath.Join(s.World().Roots[0].Dir, ownFolder, logName)
	if err := vfs.MkdirAllSync(l.fs, filepath.Dir(l.path), 0o755); err != nil {
		return nil, err
	}
	head := logHead{logForm, o.Scheme.String(), o.Level.String(), o.Always, o.Settings}
	data, err := vfs.ReadFile(l.fs, l.path, maxLog)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, vfs.ErrTooLarge) {
		return nil, err
	}
	goOn := l.read(data, head)
	if err := l.removeLeft(s); err != nil {
		return nil, err
	}
	flag := os.O_RDWR | os.O_CREATE
	if !goOn {
		flag |= os.O_TRUNC
	}
	if l.file, err = l.fs.OpenFile(l.path, flag, 0o644); err != nil {
		return nil, err
	}
	if goOn {
		return l, l.file.Truncate(l.end) // what a kill has left of a line
	}
	l.end = 0
	return l, l.write(head)
}

// read takes the lines of a log up to one that is not whole, and reports whether
// it is one of the same settings: otherwise no file is done.
func (l *runLog) read(data []byte, want logHead) bool {
	lines := bufio.NewReader(bytes.NewReader(data))
	line, err := lines.ReadBytes('\n')
	var head logHead
	if err != nil || json.Unmarshal(line, &head) != nil || head.Form != logForm {
		return false
	}
	same := head == want
	for {
		l.end += int64(len(line))
		if line, err = lines.ReadBytes('\n'); err != nil {
			return same
		}
		var left leaving
		var done doneFile
		if json.Unmarshal(line, &left) != nil || json.Unmarshal(line, &done) != nil {
			return same
		}
		switch {
		case len(left.Leaving) > 0:
			l.leaving = append(l.leaving, left)
		case same:
			l.done[done.Path] = done
		}
	}
}

// removeLeft removes the external files that records have left.
func (l *runLog) removeLeft(s *store.Store) error {
	for _, left := range l.leaving {
		for dim := range s.World().Dimensions {
			for _, k := range kinds {
				if folderOf(s, store.Dim(dim), k) != filepath.Dir(left.Path) {
					continue
				}
				raw, err := s.Raw(store.Dim(dim), k)
				if err != nil {
					return err
				}
				for _, pos := range left.Leaving {
					if _, err := raw.RemoveOrphan(context.Background(), pos); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// leave notes, durably, that records of a file are about to leave their own files.
func (l *runLog) leave(f *File, items []*item) error {
	left := leaving{Path: f.Path}
	for _, it := range items {
		if it.replaced && it.external && !isExternal(len(it.data)) {
			left.Leaving = append(left.Leaving, f.Pos.Chunk(it.slot))
		}
	}
	if len(left.Leaving) == 0 {
		return nil
	}
	if err := l.write(left); err != nil {
		return err
	}
	return errors.Join(l.file.Sync(), l.fs.SyncDir(filepath.Dir(l.path)))
}

func (l *runLog) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if _, err := l.file.WriteAt(line, l.end); err != nil {
		return err
	}
	l.end += int64(len(line))
	return nil
}

// stateOf is what the log says of a file as it is now.
func stateOf(s *store.Store, f *File) (doneFile, error) {
	info, err := fileSystem(s).Stat(f.Path)
	if err != nil {
		return doneFile{}, err
	}
	raw, err := s.Raw(f.Dim, f.Kind)
	if err != nil {
		return doneFile{}, err
	}
	header, err := raw.Header(f.Pos)
	if err != nil {
		return doneFile{}, err
	}
	return doneFile{f.Path, info.Size, info.ModTime.UTC(), xxhash.Sum64(header[:])}, nil
}

// has reports whether a file is as an earlier run has left it. If that cannot be
// told it is not.
func (l *runLog) has(s *store.Store, f *File) bool {
	if l == nil {
		return false
	}
	want, known := l.done[f.Path]
	if !known {
		return false
	}
	is, err := stateOf(s, f)
	return err == nil && is.Bytes == want.Bytes && is.Header == want.Header && is.ModTime.Equal(want.ModTime)
}

// add notes a file as done.
func (l *runLog) add(s *store.Store, f *File) error {
	if l == nil {
		return nil
	}
	done, err := stateOf(s, f)
	if err != nil {
		return err
	}
	return l.write(done)
}

func (l *runLog) close() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}

// remove ends the log of a run that is through.
func (l *runLog) remove() error {
	if l == nil {
		return nil
	}
	return errors.Join(l.file.Close(), l.fs.Remove(l.path))
}
