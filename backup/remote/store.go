package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"strata/region/vfs"
)

// Errors of stores.
var (
	// ErrAddress is an address that cannot be read.
	ErrAddress = errors.New("no address of a copy: give a folder, s3://bucket/prefix or sftp://user@host/path")
	// ErrLogin: the other side does not let us in.
	ErrLogin = errors.New("login refused")
	// ErrName is a name of a file that a store does not take.
	ErrName = errors.New("name leads out of the copy")
)

// Store is a place for the files of a repository. It is used by one goroutine
// at a time.
type Store interface {
	// List calls f with the names, with slashes, and sizes of all files, in any
	// order. What broken Puts left is not among them.
	List(ctx context.Context, f func(name string, bytes int64) error) error
	// Put makes a file of that many bytes: whole and durably, or not at all. It
	// replaces one by that name.
	Put(ctx context.Context, name string, bytes int64, r io.Reader) error
	// Get opens a file. The error wraps fs.ErrNotExist.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// Remove removes a file; none is no error.
	Remove(ctx context.Context, name string) error
	// Sweep removes what broken Puts left.
	Sweep(ctx context.Context) error
	// String is the address, without secrets.
	String() string
	Close() error
}

// Open opens the store at an address; fsys has folders. With create, a folder
// that is not there is made.
func Open(ctx context.Context, fsys vfs.FS, address string, create bool) (Store, error) {
	scheme, _, isURL := strings.Cut(address, "://")
	if !isURL {
		if address == "" {
			return nil, ErrAddress
		}
		return openFolder(fsys, address, create)
	}
	u, err := url.Parse(address)
	if err != nil {
		// The error of package url has the address, perhaps with a password.
		return nil, ErrAddress
	}
	switch scheme {
	case "s3":
		return openS3(ctx, u)
	case "sftp":
		return openSFTP(ctx, u, create)
	}
	return nil, fmt.Errorf("%s://: %w", scheme, ErrAddress)
}

// checkName refuses names that lead out of a store or to temporary files.
func checkName(name string) error {
	if name == "" || path.Clean(name) != name || strings.HasPrefix(name, "/") || name == ".." || strings.HasPrefix(name, "../") ||
		strings.ContainsAny(name, "\\\x00") || isTemporary(name) {
		return fmt.Errorf("%q: %w", name, ErrName)
	}
	return nil
}

// isTemporary reports whether a file is what a Put makes before it is whole.
func isTemporary(name string) bool { return strings.HasPrefix(path.Base(name), vfs.TempPrefix) }

// errShort: a file has not as many bytes as its size says.
var errShort = errors.New("has changed while it was read")

// exactly reads as many bytes as were promised: more or fewer are errShort.
func exactly(r io.Reader, bytes int64) io.Reader { return &exactReader{r, bytes} }

type exactReader struct {
	r    io.Reader
	left int64
}

func (e *exactReader) Read(b []byte) (int, error) {
	if e.left == 0 {
		var more [1]byte
		if n, _ := e.r.Read(more[:]); n > 0 {
			return 0, errShort
		}
		return 0, io.EOF
	}
	n, err := e.r.Read(b[:min(int64(len(b)), e.left)])
	e.left -= int64(n)
	if errors.Is(err, io.EOF) {
		if err = nil; e.left > 0 {
			err = errShort
		}
	}
	return n, err
}
