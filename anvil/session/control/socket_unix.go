//go:build unix

package control

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
)

const (
	socketFolder = "strata-control-" // begins the names of folders of sockets
	socketName   = "socket"
)

// listen opens a socket in a new folder that only its owner may enter: outside
// the world, whose path may be longer than the 104 bytes that a socket's may
// have, and whose file system may have no sockets. The folder is in
// XDG_RUNTIME_DIR, or where that is of no use, as after a change of user, among
// the temporary files.
func listen() (net.Listener, error) {
	var errs []error
	for _, base := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir()} {
		if base == "" {
			continue
		}
		l, err := listenIn(base)
		if err == nil {
			return l, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

func listenIn(base string) (net.Listener, error) {
	base, err := filepath.Abs(base)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(base, socketFolder) // mode 0700
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, socketName)
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, errors.Join(err, os.Remove(dir))
	}
	if err := os.Chmod(path, privatePerm); err != nil {
		return nil, errors.Join(err, l.Close(), os.Remove(dir))
	}
	return l, nil
}

// removeSocket removes a socket that listen has made, and its folder.
func removeSocket(path string) error {
	dir := filepath.Dir(path)
	if filepath.Base(path) != socketName || !strings.HasPrefix(filepath.Base(dir), socketFolder) {
		return fs.ErrInvalid
	}
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&fs.ModeSocket == 0 {
		return fs.ErrInvalid
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Remove(dir) // only if it is empty
}
