package query

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"strata/region"
)

// Selection is a set of chunks of one dimension. It holds whole regions as
// such, and may be inverted: all chunks but those.
type Selection struct {
	Inverted bool
	regions  map[region.Pos]*[region.Slots / 64]uint64
}

// ErrSelection is wrapped by errors about a file that is no selection.
var ErrSelection = errors.New("not a selection")

// MaxSelection is the most lines of a selection.
const MaxSelection = 64 << 20

// Has reports whether a chunk is in the selection.
func (s *Selection) Has(pos region.ChunkPos) bool {
	bits := s.regions[pos.Region()]
	slot := pos.Slot()
	return (bits != nil && bits[slot>>6]&(1<<(slot&63)) != 0) != s.Inverted
}

// Add puts a chunk into the selection, which must not be inverted.
func (s *Selection) Add(pos region.ChunkPos) {
	slot := pos.Slot()
	s.region(pos.Region())[slot>>6] |= 1 << (slot & 63)
}

// AddRegion puts all chunks of a region into the selection.
func (s *Selection) AddRegion(pos region.Pos) {
	bits := s.region(pos)
	for i := range bits {
		bits[i] = ^uint64(0)
	}
}

func (s *Selection) region(pos region.Pos) *[region.Slots / 64]uint64 {
	if s.regions == nil {
		s.regions = make(map[region.Pos]*[region.Slots / 64]uint64)
	}
	if s.regions[pos] == nil {
		s.regions[pos] = new([region.Slots / 64]uint64)
	}
	return s.regions[pos]
}

// ReadSelection reads a selection as MCA Selector writes it: a line for each
// region, X;Z, or chunk, REGION X;REGION Z;X;Z, and "inverted" in the first
// line if the others are those that are not selected. The error wraps
// ErrSelection and names the line.
func ReadSelection(r io.Reader) (*Selection, error) {
	s := &Selection{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		switch {
		case n > MaxSelection:
			return nil, fmt.Errorf("more than %d lines: %w", MaxSelection, ErrSelection)
		case line == "":
		case n == 1 && line == "inverted":
			s.Inverted = true
		default:
			if err := s.addLine(line); err != nil {
				return nil, fmt.Errorf("line %d: %w: %w", n, ErrSelection, err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSelection, err)
	}
	return s, nil
}

func (s *Selection) addLine(line string) error {
	fields := strings.Split(line, ";")
	if len(fields) != 2 && len(fields) != 4 {
		return fmt.Errorf("%d fields, not 2 or 4", len(fields))
	}
	var numbers [4]int32
	for i, field := range fields {
		n, err := strconv.ParseInt(strings.TrimSpace(field), 10, 32)
		if err != nil {
			return err
		}
		numbers[i] = int32(n)
	}
	pos := region.Pos{X: numbers[0], Z: numbers[1]}
	if len(fields) == 2 {
		s.AddRegion(pos)
		return nil
	}
	chunk := region.ChunkPos{X: numbers[2], Z: numbers[3]}
	if chunk.Region() != pos {
		return fmt.Errorf("chunk %v is not in region %v", chunk, pos)
	}
	s.Add(chunk)
	return nil
}

// WriteTo writes the selection as ReadSelection reads it, regions that are
// whole in one line, sorted.
func (s *Selection) WriteTo(w io.Writer) (int64, error) {
	out := bufio.NewWriter(w)
	written := int64(0)
	line := func(format string, args ...any) {
		n, _ := fmt.Fprintf(out, format, args...) // a failed write shows in Flush
		written += int64(n)
	}
	if s.Inverted {
		line("inverted\n")
	}
	for _, pos := range s.sorted() {
		bits := s.regions[pos]
		if !slices.ContainsFunc(bits[:], func(word uint64) bool { return word != ^uint64(0) }) {
			line("%d;%d\n", pos.X, pos.Z)
			continue
		}
		for slot := range region.Slot(region.Slots) {
			if bits[slot>>6]&(1<<(slot&63)) != 0 {
				chunk := pos.Chunk(slot)
				line("%d;%d;%d;%d\n", pos.X, pos.Z, chunk.X, chunk.Z)
			}
		}
	}
	return written, out.Flush()
}

func (s *Selection) sorted() []region.Pos {
	list := make([]region.Pos, 0, len(s.regions))
	for pos := range s.regions {
		list = append(list, pos)
	}
	slices.SortFunc(list, func(a, b region.Pos) int {
		if a.Z != b.Z {
			return int(a.Z) - int(b.Z)
		}
		return int(a.X) - int(b.X)
	})
	return list
}
