package backup

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"strata/region/vfs"
)

// Init makes a repository in a folder that is absent or empty, and opens it. The
// error wraps ErrExists, or ErrOptions.
func Init(ctx context.Context, dir string, o InitOptions) (Repository, error) {
	if o.FS == nil {
		o.FS = vfs.OS()
	}
	if o.Target == "" {
		o.Target = Repo
	}
	sealed := o.Passphrase != "" || len(o.Recipients) > 0
	switch {
	case o.Target != Repo && o.Target != Tree:
		return nil, fmt.Errorf("target %q: %w", o.Target, ErrOptions)
	case o.Target == Tree && (o.Semantic || sealed):
		return nil, fmt.Errorf("a tree is neither semantic nor encrypted: %w", ErrOptions)
	}
	if err := vfs.MkdirAllSync(o.FS, dir, 0o755); err != nil {
		return nil, err
	}
	entries, err := o.FS.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		return nil, fmt.Errorf("%s: %w", dir, ErrExists)
	}
	id := make([]byte, 8)
	rand.Read(id)
	c := Config{Format: format, ID: hex.EncodeToString(id), Target: o.Target, Created: time.Now().UTC(), Semantic: o.Semantic, Encrypted: sealed}
	if c.Links, c.Clones, err = probe(o.FS, dir); err != nil {
		return nil, err
	}
	open := OpenOptions{FS: o.FS, Passphrase: o.Passphrase}
	if sealed {
		key, err := makeKey(o.FS, dir, o)
		if err != nil {
			return nil, err
		}
		open.key = key
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l, err := lock(o.FS, dir, pruning) // which makes the files that are locked
	if err == nil {
		err = l.release()
	}
	if err != nil {
		return nil, err
	}
	if err := writeConfig(o.FS, dir, c); err != nil {
		return nil, err
	}
	return Open(dir, open)
}

// Open opens a repository. The error wraps ErrNoRepository, ErrFormat, ErrDamaged
// or ErrWrongKey.
func Open(dir string, o OpenOptions) (Repository, error) {
	if o.FS == nil {
		o.FS = vfs.OS()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	c, err := readConfig(o.FS, dir)
	if err != nil {
		return nil, err
	}
	switch c.Target {
	case Repo:
		return openRepo(dir, c, o)
	case Tree:
		return openTree(dir, c, o)
	}
	return nil, fmt.Errorf("target %q: %w", c.Target, ErrFormat)
}
