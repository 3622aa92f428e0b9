package datapack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Format is a data pack format. Those before 82 have no minor number (it is
// 0); a step of the minor number only adds to what there was (patch notes of
// 25w31a).
type Format struct {
	Major int `json:"major"`
	Minor int `json:"minor"`
}

// anyMinor is what a lone major number means as an upper bound.
const anyMinor = math.MaxInt32

// String returns "107.1".
func (f Format) String() string {
	if f.Minor == anyMinor {
		return strconv.Itoa(f.Major) + ".*"
	}
	return strconv.Itoa(f.Major) + "." + strconv.Itoa(f.Minor)
}

// Compare orders formats from old to new.
func (f Format) Compare(g Format) int {
	switch {
	case f == g:
		return 0
	case f.Major < g.Major || (f.Major == g.Major && f.Minor < g.Minor):
		return -1
	default:
		return 1
	}
}

// FormatRange is the formats from Min to Max, both included.
type FormatRange struct {
	Min, Max Format
}

// Contains reports whether f is in the range.
func (r FormatRange) Contains(f Format) bool { return r.Min.Compare(f) <= 0 && f.Compare(r.Max) <= 0 }

// String returns "107.1 to 107.*".
func (r FormatRange) String() string { return r.Min.String() + " to " + r.Max.String() }

// object is a JSON object by its exact keys. Decoding into a struct would
// take "Pack" for "pack", which the game does not.
type object map[string]json.RawMessage

func parseObject(data []byte) (object, error) {
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if o == nil {
		return nil, fmt.Errorf("%w: null in place of an object", ErrDamaged)
	}
	return o, nil
}

// field decodes the value of a key into v and reports whether there is one.
func (o object) field(key string, v any) (bool, error) {
	raw, ok := o[key]
	if !ok {
		return false, nil
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return false, fmt.Errorf("%w: %s: %v", ErrDamaged, key, err)
	}
	return true, nil
}

// need is field for a key that must be there.
func (o object) need(key string, v any) error {
	ok, err := o.field(key, v)
	if err == nil && !ok {
		err = fmt.Errorf("%w: no %s", ErrDamaged, key)
	}
	return err
}

// parseBound reads min_format or max_format: a major number, alone or in a
// list with a minor one. lone is the minor number of one that has none.
func parseBound(raw json.RawMessage, lone int) (Format, error) {
	var numbers []int
	if isNumber(raw) {
		numbers = []int{0}
		if err := json.Unmarshal(raw, &numbers[0]); err != nil {
			return Format{}, fmt.Errorf("%w: %v", ErrDamaged, err)
		}
	} else if err := json.Unmarshal(raw, &numbers); err != nil {
		return Format{}, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if len(numbers) < 1 || len(numbers) > 2 {
		return Format{}, fmt.Errorf("%w: a format of %d numbers", ErrDamaged, len(numbers))
	}
	f := Format{Major: numbers[0], Minor: lone}
	if len(numbers) == 2 {
		f.Minor = numbers[1]
	}
	if f.Major < 0 || f.Minor < 0 || f.Major > anyMinor || f.Minor > anyMinor {
		return Format{}, fmt.Errorf("%w: format %d.%d", ErrDamaged, f.Major, f.Minor)
	}
	return f, nil
}

// parseFormats reads formats and supported_formats, which packs for formats
// before 82 have: a number, a list of the first and the last, or an object
// with min_inclusive and max_inclusive.
func parseFormats(raw json.RawMessage) (FormatRange, error) {
	raw = bytes.TrimSpace(raw)
	if isNumber(raw) {
		raw = append(append([]byte{'['}, raw...), ']')
	}
	var ends []int
	if len(raw) > 0 && raw[0] == '{' {
		o, err := parseObject(raw)
		if err != nil {
			return FormatRange{}, err
		}
		ends = make([]int, 2)
		if err := o.need("min_inclusive", &ends[0]); err != nil {
			return FormatRange{}, err
		}
		if err := o.need("max_inclusive", &ends[1]); err != nil {
			return FormatRange{}, err
		}
	} else if err := json.Unmarshal(raw, &ends); err != nil {
		return FormatRange{}, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if len(ends) == 1 {
		ends = append(ends, ends[0])
	}
	if len(ends) != 2 || ends[0] < 0 || ends[1] < ends[0] || ends[1] > anyMinor {
		return FormatRange{}, fmt.Errorf("%w: formats %v", ErrDamaged, ends)
	}
	return FormatRange{Format{Major: ends[0]}, Format{Major: ends[1], Minor: anyMinor}}, nil
}

func isNumber(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && (raw[0] == '-' || (raw[0] >= '0' && raw[0] <= '9'))
}

// parseRange reads the formats that the section o names, in the new form if
// it is there, else in the old one, whose key differs between sections.
func parseRange(o object, old string) (r FormatRange, ok bool, err error) {
	low, hasLow := o["min_format"]
	high, hasHigh := o["max_format"]
	switch {
	case hasLow != hasHigh:
		return r, false, fmt.Errorf("%w: only one of min_format and max_format", ErrDamaged)
	case !hasLow:
		raw, ok := o[old]
		if !ok {
			return r, false, nil
		}
		if r, err = parseFormats(raw); err != nil {
			return r, false, fmt.Errorf("%s: %w", old, err)
		}
		return r, true, nil
	}
	if r.Min, err = parseBound(low, 0); err != nil {
		return r, false, fmt.Errorf("min_format: %w", err)
	}
	if r.Max, err = parseBound(high, anyMinor); err != nil {
		return r, false, fmt.Errorf("max_format: %w", err)
	}
	if r.Max.Compare(r.Min) < 0 {
		return r, false, fmt.Errorf("%w: formats %s", ErrDamaged, r)
	}
	return r, true, nil
}
