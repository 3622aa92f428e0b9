package gamedata

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// maxFile bounds one file of an archive: the largest we read has 6 MB.
const maxFile = 64 << 20

// Archive returns files of the archive reference/name: those for which want
// is true of the path below the top folder. A nil want takes all.
func (s *Sources) Archive(name string, want func(path string) bool) (map[string][]byte, error) {
	data, err := s.File(name)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	defer z.Close()
	files, err := untar(z, want, -1)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return files, nil
}

// Package returns files of the npm package by their paths in it, such as
// "minecraft-data/data/pc/26.1/blocks.json". The error is [ErrAbsent] if the
// tarball is not in the cache folder.
func (s *Sources) Package(paths ...string) (map[string][]byte, error) {
	data, err := os.ReadFile(s.tarball)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("npm package %s (npm pack --pack-destination %s %s): %w",
			PackageName, "~/.cache/"+cacheFolder, PackageName, ErrAbsent)
	}
	if err != nil {
		return nil, err
	}
	s.note("npm "+PackageName, data)
	if sum := s.inputs[len(s.inputs)-1].SHA256; sum != PackageSHA256 {
		return nil, fmt.Errorf("npm package %s: checksum %s, want %s", PackageName, sum, PackageSHA256)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", packageFile, err)
	}
	wanted := make(map[string]bool, len(paths))
	for _, p := range paths {
		wanted[p] = true
	}
	// Unpacked it has 520 MB, so the reading ends at the last file wanted.
	files, err := untar(z, func(p string) bool { return wanted[p] }, len(wanted))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", packageFile, err)
	}
	for _, p := range paths {
		if files[p] == nil {
			return nil, fmt.Errorf("%s has no file %s", packageFile, p)
		}
	}
	return files, nil
}

// untar collects regular files, at most count if that is not negative.
func untar(r io.Reader, want func(string) bool, count int) (map[string][]byte, error) {
	files := map[string][]byte{}
	for in := tar.NewReader(r); len(files) != count; {
		h, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		_, name, below := strings.Cut(strings.TrimPrefix(h.Name, "./"), "/")
		if h.Typeflag != tar.TypeReg || !below || want != nil && !want(name) {
			continue
		}
		if h.Size > maxFile {
			return nil, fmt.Errorf("%s: %d bytes, over %d", h.Name, h.Size, maxFile)
		}
		data := make([]byte, h.Size)
		if _, err := io.ReadFull(in, data); err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name, err)
		}
		files[name] = data
	}
	return files, nil
}
