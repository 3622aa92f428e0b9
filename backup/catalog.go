package backup

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"strata/backup/pack"
	"strata/region/vfs"
)

// catalog is the folder of a repository that lists its snapshots, a file each.
// It is what both targets have.
type catalog struct {
	fs     vfs.FS
	dir    string
	sealer pack.Sealer
}

// record is what the file of a snapshot holds.
type record struct {
	Snapshot
	// Root is the snapshot's table, in a repo.
	Root string `json:"root,omitempty"`
}

const (
	snapshotsDir   = "snapshots"
	snapshotSuffix = ".json"
	maxSnapshot    = 64 << 20
	idDigits       = 6
)

// newID is an ID behind those there are, whatever the clock says.
func newID(ids []string) string {
	last := uint64(0)
	for _, id := range ids {
		if n, ok := idNumber(id); ok {
			last = max(last, n)
		}
	}
	b := make([]byte, 4)
	rand.Read(b)
	return fmt.Sprintf("%0*d-%s", idDigits, last+1, hex.EncodeToString(b))
}

// idNumber is the number of a snapshot; false if it is no ID.
func idNumber(id string) (uint64, bool) {
	number, rest, ok := strings.Cut(id, "-")
	if !ok || len(rest) != 8 || len(number) < idDigits {
		return 0, false
	}
	if _, err := hex.DecodeString(rest); err != nil {
		return 0, false
	}
	n, err := strconv.ParseUint(number, 10, 63)
	return n, err == nil
}

func compareIDs(a, b string) int {
	x, _ := idNumber(a)
	y, _ := idNumber(b)
	return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
}

// ids lists the snapshots in the order in which they were made.
func (c *catalog) ids() ([]string, error) {
	entries, err := c.fs.ReadDir(filepath.Join(c.dir, snapshotsDir))
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, e := range entries {
		id, ok := strings.CutSuffix(e.Name(), snapshotSuffix)
		if _, isID := idNumber(id); ok && isID {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, compareIDs)
	return ids, nil
}

func (c *catalog) path(id string) string {
	return filepath.Join(c.dir, snapshotsDir, id+snapshotSuffix)
}

// read reads what is known of a snapshot. The error wraps ErrNoSnapshot or
// ErrDamaged.
func (c *catalog) read(id string) (*record, error) {
	if _, ok := idNumber(id); !ok {
		return nil, fmt.Errorf("%q: %w", id, ErrNoSnapshot)
	}
	data, err := vfs.ReadFile(c.fs, c.path(id), maxSnapshot)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", id, ErrNoSnapshot)
	}
	if err != nil {
		return nil, err
	}
	var r record
	data, err = c.unseal(data)
	if err == nil {
		data, err = checkSum(data)
	}
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err == nil && r.ID != id {
		err = fmt.Errorf("it is %q", r.ID)
	}
	if err != nil {
		return nil, fmt.Errorf("snapshot %s: %w: %w", id, ErrDamaged, err)
	}
	return &r, nil
}

func (c *catalog) unseal(data []byte) ([]byte, error) {
	if c.sealer == nil {
		return data, nil
	}
	plain, n, err := c.sealer.Unseal(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if n > maxSnapshot {
		return nil, vfs.ErrTooLarge
	}
	return io.ReadAll(io.NewSectionReader(plain, 0, n))
}

// write makes a snapshot one of the repository's, or changes what is known of it,
// durably. It returns how long the file is.
func (c *catalog) write(r *record) (int64, error) {
	data, err := c.encode(r)
	if err != nil {
		return 0, err
	}
	return int64(len(data)), vfs.WriteFileSync(c.fs, c.path(r.ID), data, 0o644)
}

// stage writes the file of a snapshot durably under another name, which reveal
// changes: then the snapshot exists.
func (c *catalog) stage(r *record) (name string, size int64, err error) {
	data, err := c.encode(r)
	if err != nil {
		return "", 0, err
	}
	f, err := vfs.CreateTemp(c.fs, filepath.Join(c.dir, snapshotsDir), 0o644)
	if err != nil {
		return "", 0, err
	}
	_, err = f.WriteAt(data, 0)
	if err == nil {
		err = f.Sync()
	}
	return f.Name(), int64(len(data)), errors.Join(err, f.Close())
}

func (c *catalog) reveal(id, staged string) error {
	if err := c.fs.Rename(staged, c.path(id)); err != nil {
		return err
	}
	return c.fs.SyncDir(filepath.Join(c.dir, snapshotsDir))
}

// encode is what the file of a snapshot holds.
func (c *catalog) encode(r *record) ([]byte, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	data = withSum(data)
	if c.sealer != nil {
		var sealed bytes.Buffer
		w, err := c.sealer.Seal(&sealed)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		data = sealed.Bytes()
	}
	return data, nil
}

// all reads what is known of all snapshots. Those that cannot be read have an Err.
func (c *catalog) all(ctx context.Context) ([]*record, error) {
	ids, err := c.ids()
	if err != nil {
		return nil, err
	}
	var all []*record
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, err := c.read(id)
		if errors.Is(err, ErrNoSnapshot) {
			continue // forgotten since
		}
		if err != nil {
			r = &record{Snapshot: Snapshot{ID: id, Err: err}}
		}
		all = append(all, r)
	}
	return all, nil
}

// find is Repository.Find.
func (c *catalog) find(name string) (*record, error) {
	ids, err := c.ids()
	if err != nil {
		return nil, err
	}
	if name == Latest {
		if len(ids) == 0 {
			return nil, fmt.Errorf("%s: %w", name, ErrNoSnapshot)
		}
		return c.read(ids[len(ids)-1])
	}
	var hits []string
	for _, id := range ids {
		if id == name {
			hits = []string{id}
			break
		}
		// The zeros that IDs begin with may be left out, and so may the number.
		_, random, _ := strings.Cut(id, "-")
		if name != "" && (strings.HasPrefix(id, name) || strings.HasPrefix(strings.TrimLeft(id, "0"), name+"-") ||
			strings.HasPrefix(strings.TrimLeft(id, "0"), name) && strings.Contains(name, "-") || strings.HasPrefix(random, name) && len(name) >= 4) {
			hits = append(hits, id)
		}
	}
	switch len(hits) {
	case 0:
		return nil, fmt.Errorf("%q: %w", name, ErrNoSnapshot)
	case 1:
		return c.read(hits[0])
	}
	return nil, fmt.Errorf("%q: %w: %s", name, ErrAmbiguous, strings.Join(hits, ", "))
}

// latest is the newest snapshot of a world, or of that ID; nil if there is none.
func (c *catalog) latest(ids []string, world, id string) (*record, error) {
	if id != "" {
		return c.find(id)
	}
	for _, id := range slices.Backward(ids) {
		r, err := c.read(id)
		if errors.Is(err, ErrDamaged) || errors.Is(err, ErrNoSnapshot) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if r.World == world {
			return r, nil
		}
	}
	return nil, nil
}

// remove removes snapshots, durably. What they had stays until Prune.
func (c *catalog) remove(ids []string, clean func(id string) error) error {
	for _, id := range ids {
		if err := c.fs.Remove(c.path(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := c.fs.SyncDir(filepath.Join(c.dir, snapshotsDir)); err != nil {
		return err
	}
	for _, id := range ids {
		if err := clean(id); err != nil {
			return err
		}
	}
	return nil
}

// removable reads the snapshots that are to be forgotten, and refuses protected
// ones.
func (c *catalog) removable(names []string) (ids []string, err error) {
	for _, name := range names {
		r, err := c.find(name)
		if errors.Is(err, ErrDamaged) {
			// It can be removed all the same, by its whole name.
			ids = append(ids, name)
			continue
		}
		if err != nil {
			return nil, err
		}
		if r.Protected {
			return nil, fmt.Errorf("%s: %w", r.ID, ErrProtected)
		}
		ids = append(ids, r.ID)
	}
	return ids, nil
}

// mark is Repository.Mark.
func (c *catalog) mark(name string, o MarkOptions) (Snapshot, error) {
	r, err := c.find(name)
	if err != nil {
		return Snapshot{}, err
	}
	if o.Protected != nil {
		r.Protected = *o.Protected
	}
	if o.Expires != nil {
		r.Expires = *o.Expires
	}
	if o.Tags != nil {
		r.Tags = slices.Clone(*o.Tags)
	}
	_, err = c.write(r)
	return r.Snapshot, err
}
