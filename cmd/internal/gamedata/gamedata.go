package gamedata

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// PackageName is the npm package with its pinned version.
	PackageName = "minecraft-data@3.119.0"
	// PackageSHA256 is the checksum of its tarball.
	PackageSHA256 = "5cc07ec6ec5e386e48c38c73055e785ab0a1b38694a7e5d9724fa631b2de2c71"

	packageFile = "minecraft-data-3.119.0.tgz"
	cacheFolder = "strata-npm"
	modulePath  = "strata"
)

// ErrAbsent says that game data is not on this machine.
var ErrAbsent = errors.New("not on this machine")

// Input is a file that was read.
type Input struct {
	Name   string // of the package with its version, or of the file in reference/
	SHA256 string // in hex
}

// Sources finds and reads game data.
type Sources struct {
	reference string
	tarball   string
	inputs    []Input
}

// Open finds the shared folder from dir upwards. The error is [ErrAbsent] if
// there is none. Whether the files are there shows when they are read.
func Open(dir string) (*Sources, error) {
	root, err := moduleRoot(dir)
	if err != nil {
		return nil, err
	}
	reference := filepath.Join(filepath.Dir(root), "shared", "reference")
	if _, err := os.Stat(reference); err != nil {
		return nil, fmt.Errorf("folder shared/reference beside the checkout: %w", ErrAbsent)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("find the cache folder: %w", err)
	}
	return &Sources{reference: reference, tarball: filepath.Join(cache, cacheFolder, packageFile)}, nil
}

// Inputs returns what was read so far, sorted by name.
func (s *Sources) Inputs() []Input {
	list := slices.Clone(s.inputs)
	slices.SortFunc(list, func(a, b Input) int { return strings.Compare(a.Name, b.Name) })
	return slices.Compact(list)
}

// File returns the content of a file of reference/.
func (s *Sources) File(name string) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(s.reference, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("file shared/reference/%s: %w", name, ErrAbsent)
	}
	if err != nil {
		return nil, err
	}
	s.note(name, data)
	return data, nil
}

func (s *Sources) note(name string, data []byte) {
	sum := sha256.Sum256(data)
	s.inputs = append(s.inputs, Input{Name: name, SHA256: hex.EncodeToString(sum[:])})
}

func moduleRoot(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module "+modulePath+"\n") {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("go.mod of the module %s above the working directory: %w", modulePath, ErrAbsent)
		}
		dir = parent
	}
}
