package control

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"path/filepath"
	"runtime"

	"strata/region/vfs"
)

// Folder and FileName are where the file lies within a world.
const (
	Folder   = "strata"
	FileName = "control"
)

const (
	fileVersion = 1
	maxFile     = 4096 // bytes
	tokenBytes  = 32
	privatePerm = 0o600
)

// endpoint is what the file holds.
type endpoint struct {
	Version int    `json:"version"`
	Network string `json:"network"` // "unix" or "tcp"
	Address string `json:"address"`
	Token   string `json:"token"` // in hexadecimal
	PID     int    `json:"pid"`   // of the holder, for people to read
	World   fileID `json:"world"` // of the world's folder
}

// fileID tells a file or folder from all others, zero if the system does not
// say.
type fileID struct {
	Device uint64 `json:"device"`
	Inode  uint64 `json:"inode"`
}

func folderID(fsys vfs.FS, world string) (fileID, error) {
	info, err := fsys.Stat(world)
	return fileID{info.Device, info.Inode}, err
}

// of reports whether the endpoint is that of the world whose folder it lies in.
// Who copies the folder of a held world copies the file as well, and its token
// opens the door of the other world's holder. A folder is never copied as the
// same one, as files are by hard links.
func (e endpoint) of(fsys vfs.FS, world string) (bool, error) {
	id, err := folderID(fsys, world)
	return e.World.Inode == 0 || id.Inode == 0 || e.World == id, err
}

func controlPath(world string) string { return filepath.Join(world, Folder, FileName) }

// readEndpoint reads a world's file. The error wraps ErrNoEndpoint or
// ErrDamaged.
func readEndpoint(fsys vfs.FS, world string) (endpoint, error) {
	var e endpoint
	path := controlPath(world)
	data, err := vfs.ReadFile(fsys, path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return e, fmt.Errorf("%s: %w", path, ErrNoEndpoint)
	case errors.Is(err, vfs.ErrTooLarge):
		return e, fmt.Errorf("%s: %w: more than %d bytes", path, ErrDamaged, maxFile)
	case err != nil:
		return e, err
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("%s: %w: %v", path, ErrDamaged, err)
	}
	if err := e.check(); err != nil {
		return e, fmt.Errorf("%s: %w: %w", path, ErrDamaged, err)
	}
	return e, nil
}

// check sees to it that a file from who knows where has nobody dial out.
func (e endpoint) check() error {
	if e.Version != fileVersion {
		return fmt.Errorf("version %d, want %d", e.Version, fileVersion)
	}
	if _, err := e.key(); err != nil {
		return err
	}
	switch e.Network {
	case "unix":
		if !filepath.IsAbs(e.Address) {
			return fmt.Errorf("socket %q is no absolute path", e.Address)
		}
		return nil
	case "tcp":
		at, err := netip.ParseAddrPort(e.Address)
		if err != nil || !at.Addr().IsLoopback() {
			return fmt.Errorf("address %q is not of this machine", e.Address)
		}
		return nil
	}
	return fmt.Errorf("unknown network %q", e.Network)
}

func (e endpoint) key() ([]byte, error) {
	key, err := hex.DecodeString(e.Token)
	if err != nil || len(key) != tokenBytes {
		return nil, errors.New("token that is not 64 hexadecimal digits")
	}
	return key, nil
}

// write puts the file in place, for its owner alone.
func (e endpoint) write(fsys vfs.FS, world string) error {
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if err := vfs.MkdirAllSync(fsys, filepath.Join(world, Folder), 0o755); err != nil {
		return err
	}
	path := controlPath(world)
	if err := vfs.WriteFileSync(fsys, path, append(data, '\n'), privatePerm); err != nil {
		return err
	}
	info, err := fsys.Stat(path)
	if err == nil && runtime.GOOS != "windows" && info.Mode.Perm()&0o077 != 0 {
		err = fmt.Errorf("%s has mode %v: %w", path, info.Mode.Perm(), ErrNotPrivate)
	}
	if err != nil {
		return errors.Join(err, fsys.Remove(path))
	}
	return nil
}

// removeStale takes away the socket of a holder that died. The caller holds the
// world's lock, so the file is nobody's, unless it is a copy of another world's.
// What it holds may be anything: only what has the form of our own sockets is
// removed.
func removeStale(fsys vfs.FS, world string) {
	e, err := readEndpoint(fsys, world)
	if err != nil || e.Network != "unix" {
		return
	}
	if ours, err := e.of(fsys, world); ours && err == nil {
		// An error means that there is nothing to remove, or that it is not ours.
		_ = removeSocket(e.Address)
	}
}

// dialer says how to reach the endpoint.
func (e endpoint) dialer() (network, address string, d *net.Dialer) {
	return e.Network, e.Address, &net.Dialer{Timeout: handshakeTimeout}
}
