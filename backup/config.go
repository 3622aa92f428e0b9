package backup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"strata/region/vfs"
)

// Config is what a repository was made with.
type Config struct {
	// Format is the version of the repository's form.
	Format  int       `json:"format"`
	ID      string    `json:"id"`
	Target  Target    `json:"target"`
	Created time.Time `json:"created"`
	// Semantic is InitOptions.Semantic.
	Semantic bool `json:"semantic,omitempty"`
	// Encrypted: the key that all is encrypted with is in the file "key",
	// encrypted to the passphrase or the recipients.
	Encrypted bool `json:"encrypted,omitempty"`
	// Links and Clones say whether the file system had hard links and reflinks
	// when the repository was made. Trees ask again before each snapshot.
	Links  bool `json:"links"`
	Clones bool `json:"clones"`
}

const (
	configName = "strata-backup.json"
	format     = 1
	maxConfig  = 1 << 20
)

// writeConfig makes the folder a repository.
func writeConfig(fsys vfs.FS, dir string, c Config) error {
	data, err := json.MarshalIndent(c, "", "\t")
	if err != nil {
		return err
	}
	return vfs.WriteFileSync(fsys, filepath.Join(dir, configName), withSum(data), 0o644)
}

func readConfig(fsys vfs.FS, dir string) (c Config, err error) {
	data, err := vfs.ReadFile(fsys, filepath.Join(dir, configName), maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return c, fmt.Errorf("%s: %w", dir, ErrNoRepository)
	}
	if err != nil {
		return c, err
	}
	data, err = checkSum(data)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w: %w", configName, ErrDamaged, err)
	}
	if c.Format != format {
		return c, fmt.Errorf("%s: %w: %d", dir, ErrFormat, c.Format)
	}
	return c, nil
}

// errSum says that a text and its sum do not go together.
var errSum = errors.New("checksum does not fit")

// sumLen is the length of the line that withSum adds.
const sumLen = 1 + 16 + 1

// withSum appends a line with the xxhash64 of data, so that a person may read the
// file and no change of it goes unnoticed.
func withSum(data []byte) []byte {
	return fmt.Appendf(bytes.Clone(data), "\n%016x\n", xxhash.Sum64(data))
}

// checkSum takes the line off again.
func checkSum(data []byte) ([]byte, error) {
	n := len(data) - sumLen
	if n < 0 || data[n] != '\n' || data[len(data)-1] != '\n' {
		return nil, errSum
	}
	text := string(data[n+1 : len(data)-1])
	sum, err := strconv.ParseUint(text, 16, 64)
	if err != nil || fmt.Sprintf("%016x", sum) != text || sum != xxhash.Sum64(data[:n]) {
		return nil, errSum
	}
	return data[:n], nil
}
