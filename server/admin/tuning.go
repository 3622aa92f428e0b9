package admin

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"strata/anvil/store"
	"strata/region/vfs"
)

// TuningName is the file of settings that the game has no key for, in a server's
// folder.
const TuningName = "strata.toml"

// maxTuning is the greatest length of that file, in bytes.
const maxTuning = 1 << 20

// MaxWorkers is how many workers there may be.
const MaxWorkers = 256

// newTuning is the file that is written where there is none: all keys, with what they
// mean, as comments.
//
//go:embed strata.toml
var newTuning []byte

// ErrTuning is wrapped by errors about what strata.toml has.
var ErrTuning = errors.New("malformed settings")

// Tuning is what strata.toml says. The zero value is what a server has without it.
type Tuning struct {
	MemoryProfile string // low, throughput or "", which is the server's default
	MemoryLimit   int64  // bytes, 0 for the profile's
	Workers       int    // that generate, 0 for the server's default
	Level         store.Level
	Metrics       string // address, "" for none
	PProf         string // address, "" for none
	ExitOnStall   bool   // end the process after a tick took too long
}

// tuningFile is the form of the file.
type tuningFile struct {
	Memory struct {
		Profile string `toml:"profile"`
		Limit   any    `toml:"limit"`
	} `toml:"memory"`
	Generation struct {
		Workers int `toml:"workers"`
	} `toml:"generation"`
	Storage struct {
		Level any `toml:"level"`
	} `toml:"storage"`
	Metrics struct {
		Address string `toml:"address"`
	} `toml:"metrics"`
	Debug struct {
		PProf string `toml:"pprof"`
	} `toml:"debug"`
	Watchdog struct {
		Exit bool `toml:"exit"`
	} `toml:"watchdog"`
}

// LoadTuning reads strata.toml in a folder, and writes one where there is none. What
// is wrong, and keys that nobody knows, are errors that wrap ErrTuning and name file,
// line and key.
func LoadTuning(fsys vfs.FS, folder string) (*Tuning, error) {
	path := filepath.Join(folder, TuningName)
	data, err := readFile(fsys, path, maxTuning)
	if errors.Is(err, fs.ErrNotExist) {
		return &Tuning{}, replaceFile(fsys, path, newTuning)
	}
	if err != nil {
		return nil, err
	}
	t, err := parseTuning(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return t, nil
}

// parseTuning reads the file. Errors begin with the number of the line.
func parseTuning(data []byte) (*Tuning, error) {
	var f tuningFile
	if err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&f); err != nil {
		return nil, tomlError(err)
	}
	t := &Tuning{Workers: f.Generation.Workers, ExitOnStall: f.Watchdog.Exit}
	var err error
	for _, c := range []struct {
		key  string
		read func() error
	}{
		{"memory.profile", func() error {
			t.MemoryProfile = f.Memory.Profile
			return oneOf(f.Memory.Profile, "", "low", "throughput")
		}},
		{"memory.limit", func() error { t.MemoryLimit, err = sizeOf(f.Memory.Limit); return err }},
		{"generation.workers", func() error { return within(f.Generation.Workers, 0, MaxWorkers) }},
		{"storage.level", func() error { t.Level, err = levelOf(f.Storage.Level); return err }},
		{"metrics.address", func() error { t.Metrics, err = ListenAddress(f.Metrics.Address); return err }},
		{"debug.pprof", func() error { t.PProf, err = ListenAddress(f.Debug.PProf); return err }},
	} {
		if err := c.read(); err != nil {
			return nil, fmt.Errorf("%d: %s: %w: %w", lineOf(data, c.key), c.key, err, ErrTuning)
		}
	}
	return t, nil
}

// tomlError is an error of the library with its line and key.
func tomlError(err error) error {
	if missing := (*toml.StrictMissingError)(nil); errors.As(err, &missing) && len(missing.Errors) > 0 {
		line, _ := missing.Errors[0].Position()
		return fmt.Errorf("%d: unknown key %s: %w", line, strings.Join(missing.Errors[0].Key(), "."), ErrTuning)
	}
	if decode := (*toml.DecodeError)(nil); errors.As(err, &decode) {
		line, _ := decode.Position()
		key := strings.Join(decode.Key(), ".")
		if key != "" {
			key += ": "
		}
		return fmt.Errorf("%d: %s%s: %w", line, key, strings.TrimPrefix(decode.Error(), "toml: "), ErrTuning)
	}
	return fmt.Errorf("1: %v: %w", err, ErrTuning)
}

// lineOf is the line of a key such as memory.limit, in a file that was parsed.
func lineOf(data []byte, key string) int {
	var p unstable.Parser
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		e := p.Expression()
		var parts []string
		line := 0
		for it := e.Key(); it.Next(); {
			parts = append(parts, string(it.Node().Data))
			line = p.Shape(it.Node().Raw).Start.Line
		}
		name := strings.Join(parts, ".")
		switch e.Kind {
		case unstable.Table:
			table = name + "."
		case unstable.KeyValue:
			if table+name == key {
				return line
			}
		}
	}
	return 1 // within another form, such as an inline table
}

func oneOf(text string, all ...string) error {
	for _, one := range all {
		if text == one {
			return nil
		}
	}
	return fmt.Errorf("%q is none of %s", text, strings.Join(all[1:], ", "))
}

func within(n, low, high int) error {
	if n < low || n > high {
		return fmt.Errorf("%d is not within %d and %d", n, low, high)
	}
	return nil
}

func sizeOf(v any) (int64, error) {
	switch v := v.(type) {
	case nil:
		return 0, nil
	case int64:
		if v < 0 {
			return 0, fmt.Errorf("%d is below 0", v)
		}
		return v, nil
	case string:
		return ParseSize(v)
	}
	return 0, fmt.Errorf("%v is no size, such as \"512M\"", v)
}

// ParseSize reads a number of bytes: 300000000, 300M, 2G, 1.5GiB. Units are powers
// of 1,024; "" is 0.
func ParseSize(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	number := strings.TrimRight(text, "KkMmGgTtIiBb")
	unit := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(text[len(number):]), "b"), "i")
	shift, ok := map[string]int{"": 0, "k": 10, "m": 20, "g": 30, "t": 40}[unit]
	n, err := strconv.ParseFloat(number, 64)
	size := n * float64(int64(1)<<shift)
	if err != nil || !ok || !(size >= 0 && size < 1<<60) { // not a number is neither
		return 0, fmt.Errorf("%q is no size, such as 300M or 2G", text)
	}
	return int64(size), nil
}

func levelOf(v any) (store.Level, error) {
	switch v := v.(type) {
	case nil:
		return 0, nil
	case string, int64:
		return store.ParseLevel(fmt.Sprint(v))
	}
	return 0, fmt.Errorf("%v is no level", v)
}

// ListenAddress completes an address to listen on: what names no host, as 9225 and
// :9225 do, is of this machine alone. "" stays.
func ListenAddress(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	if !strings.Contains(text, ":") {
		text = ":" + text
	}
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return "", fmt.Errorf("%q is no address, such as 127.0.0.1:9225", text)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return "", fmt.Errorf("%q has no port", text)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}
