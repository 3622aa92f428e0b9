package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// magic begins every file; anvil/registry/format.go describes the rest.
const magic = "strata registry 1\n"

// section is a named part of a file.
type section struct {
	name string
	data []byte
}

// pack makes a file of sections.
func pack(sections []section) ([]byte, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(true))
	if err != nil {
		return nil, err
	}
	head := append([]byte(magic), byte(len(sections)))
	var body []byte
	for _, s := range sections {
		packed := z.EncodeAll(s.data, nil)
		head = append(append(head, byte(len(s.name))), s.name...)
		head = binary.AppendUvarint(head, uint64(len(s.data)))
		head = binary.AppendUvarint(head, uint64(len(packed)))
		body = append(body, packed...)
	}
	return append(head, body...), z.Close()
}

var errPacked = errors.New("not a file of sections")

// unpack is the inverse of pack.
func unpack(data []byte) ([]section, error) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(rest) == 0 {
		return nil, errPacked
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<26))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	count := int(rest[0])
	rest = rest[1:]
	sections := make([]section, count)
	sizes := make([]uint64, count)
	for i := range sections {
		if len(rest) == 0 || len(rest) <= int(rest[0]) {
			return nil, errPacked
		}
		sections[i].name = string(rest[1 : 1+rest[0]])
		rest = rest[1+rest[0]:]
		_, n := binary.Uvarint(rest)
		size, m := binary.Uvarint(rest[max(n, 0):])
		if n <= 0 || m <= 0 {
			return nil, errPacked
		}
		sizes[i] = size
		rest = rest[n+m:]
	}
	for i := range sections {
		if uint64(len(rest)) < sizes[i] {
			return nil, errPacked
		}
		if sections[i].data, err = z.DecodeAll(rest[:sizes[i]], nil); err != nil {
			return nil, fmt.Errorf("section %s: %w", sections[i].name, err)
		}
		rest = rest[sizes[i]:]
	}
	return sections, nil
}

// sameContent reports whether a file holds these very sections.
func sameContent(file []byte, sections []section) bool {
	old, err := unpack(file)
	if err != nil || len(old) != len(sections) {
		return false
	}
	for i := range old {
		if old[i].name != sections[i].name || !bytes.Equal(old[i].data, sections[i].data) {
			return false
		}
	}
	return true
}
