package datapack

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// The index of a game file, inflated; numbers are unsigned varints:
//
//	length of the manifest, the manifest as JSON
//	number of blocks; for each its stored length, its inflated length, and
//	  the xxHash64 of it as stored in 8 bytes, little-endian
//	number of files; for each, in the order of names: how many bytes of its
//	  name are those of the name before, the length of the rest, the rest,
//	  and the length of the content
//
// Blocks follow each other from the header on, and files fill the blocks in
// order: one begins where the last one ended, or with the next block when
// that is full. A block ends with a file.

// appendIndex is the reverse of parseIndex.
func appendIndex(p []byte, m Manifest, blocks []block, files catalog) ([]byte, error) {
	manifest, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	p = binary.AppendUvarint(p, uint64(len(manifest)))
	p = append(p, manifest...)
	p = binary.AppendUvarint(p, uint64(len(blocks)))
	for _, b := range blocks {
		p = binary.AppendUvarint(p, uint64(b.stored))
		p = binary.AppendUvarint(p, uint64(b.size))
		p = binary.LittleEndian.AppendUint64(p, b.sum)
	}
	p = binary.AppendUvarint(p, uint64(len(files)))
	last := ""
	for _, e := range files {
		shared := 0
		for shared < min(len(last), len(e.name)) && last[shared] == e.name[shared] {
			shared++
		}
		p = binary.AppendUvarint(p, uint64(shared))
		p = binary.AppendUvarint(p, uint64(len(e.name)-shared))
		p = append(p, e.name[shared:]...)
		p = binary.AppendUvarint(p, uint64(e.size))
		last = e.name
	}
	return p, nil
}

// cursor reads an index. After the first failure everything is zero.
type cursor struct {
	rest []byte
	bad  bool
}

// number reads a number of at most most.
func (c *cursor) number(most int64) int64 {
	v, n := binary.Uvarint(c.rest)
	if n <= 0 || v > uint64(most) {
		c.bad, c.rest = true, nil
		return 0
	}
	c.rest = c.rest[n:]
	return int64(v)
}

func (c *cursor) bytes(n int64) []byte {
	if n > int64(len(c.rest)) {
		c.bad, c.rest = true, nil
		return nil
	}
	p := c.rest[:n]
	c.rest = c.rest[n:]
	return p
}

func (c *cursor) err(what string) error {
	if c.bad {
		return fmt.Errorf("%w: %s", ErrDamaged, what)
	}
	return nil
}

// parseIndex fills in blocks, files and manifest. end is where the blocks end.
func (g *gameFile) parseIndex(index []byte, end int64, limits Limits) error {
	c := &cursor{rest: index}
	manifest := c.bytes(c.number(maxIndexBytes))
	if err := c.err("manifest"); err != nil {
		return err
	}
	var err error
	if g.manifest, err = parseManifest(manifest); err != nil {
		return err
	}
	if err := g.parseBlocks(c, end, limits); err != nil {
		return err
	}
	return g.parseFiles(c, limits)
}

func (g *gameFile) parseBlocks(c *cursor, end int64, limits Limits) error {
	// A block takes ten bytes of the index at least.
	count := c.number(int64(len(c.rest)) / 10)
	g.blocks = make([]block, 0, count)
	at := int64(headerBytes)
	for range count {
		b := block{at: at, stored: c.number(end - at), size: c.number(max(limits.FileBytes, blockBytes))}
		sum := c.bytes(8)
		if err := c.err("blocks"); err != nil {
			return err
		}
		b.sum = binary.LittleEndian.Uint64(sum)
		at += b.stored
		g.blocks = append(g.blocks, b)
	}
	if err := c.err("blocks"); err != nil {
		return err
	}
	if at != end {
		return fmt.Errorf("%w: blocks end at %d, the index begins at %d", ErrDamaged, at, end)
	}
	return nil
}

func (g *gameFile) parseFiles(c *cursor, limits Limits) error {
	// A file takes four bytes of the index at least.
	count := c.number(min(int64(len(c.rest))/4, int64(limits.Files)))
	g.files, g.spans = make(catalog, 0, count), make([]span, 0, count)
	var s span
	var total int64
	last := ""
	for i := range count {
		shared := c.number(int64(len(last)))
		suffix := c.bytes(c.number(maxNameBytes))
		size := c.number(limits.FileBytes)
		if err := c.err("files"); err != nil {
			return err
		}
		name := last[:shared] + string(suffix)
		if take, _ := use(name); !take || (i > 0 && name <= last) {
			return fmt.Errorf("%w: name %q after %q", ErrDamaged, clip(name), clip(last))
		}
		for s.block < len(g.blocks) && s.at == g.blocks[s.block].size {
			s.block, s.at = s.block+1, 0
		}
		// An empty file at the very end has no block of its own to be in.
		if size > 0 && (s.block == len(g.blocks) || size > g.blocks[s.block].size-s.at) {
			return fmt.Errorf("%w: %s does not fit its block", ErrDamaged, clip(name))
		}
		if total += size; total > limits.TotalBytes {
			return fmt.Errorf("%w: files of more than %d bytes", ErrLimit, limits.TotalBytes)
		}
		g.files = append(g.files, entry{name: name, size: size, ref: int(i)})
		g.spans = append(g.spans, s)
		s.at += size
		last = name
	}
	if err := c.err("files"); err != nil {
		return err
	}
	if len(c.rest) > 0 || s.block < len(g.blocks)-1 || (s.block < len(g.blocks) && s.at != g.blocks[s.block].size) {
		return fmt.Errorf("%w: files and blocks do not end together", ErrDamaged)
	}
	return nil
}
