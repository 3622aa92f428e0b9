package climate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"strata/pregen/worldgen/settings"
)

// ParseRows reads the "biomes" list of a multi_noise source. Values are numbers,
// or ranges as lists of two or as objects of min and max. Errors name the place
// in the list.
func ParseRows(list []byte) ([]Row, error) {
	var entries []json.RawMessage
	if err := json.Unmarshal(list, &entries); err != nil {
		return nil, fmt.Errorf("biomes: no list: %w", ErrInvalid)
	}
	if len(entries) == 0 || len(entries) > MaxRows {
		return nil, fmt.Errorf("biomes: %d entries, not 1 to %d: %w", len(entries), MaxRows, ErrInvalid)
	}
	rows := make([]Row, len(entries))
	for i, entry := range entries {
		if err := rows[i].parse(entry); err != nil {
			return nil, fmt.Errorf("biomes[%d].%w", i, err)
		}
	}
	return rows, nil
}

// parse reads an entry of the list.
func (r *Row) parse(entry []byte) error {
	var data struct {
		Biome      *string         `json:"biome"`
		Parameters json.RawMessage `json:"parameters"`
	}
	if err := json.Unmarshal(entry, &data); err != nil || data.Biome == nil || *data.Biome == "" {
		return fmt.Errorf("biome: missing or no name: %w", ErrInvalid)
	}
	r.Biome = settings.ID(*data.Biome)
	if err := r.parseParameters(data.Parameters); err != nil {
		return fmt.Errorf("parameters%w", err)
	}
	return nil
}

// ParsePoints reads a list of parameters without biomes, such as the
// spawn_target of noise settings. Their rows have no biome.
func ParsePoints(list []byte) ([]Row, error) {
	var entries []json.RawMessage
	if err := json.Unmarshal(list, &entries); err != nil || len(entries) > MaxRows {
		return nil, fmt.Errorf("no list, or more than %d entries: %w", MaxRows, ErrInvalid)
	}
	rows := make([]Row, len(entries))
	for i, entry := range entries {
		if err := rows[i].parseParameters(entry); err != nil {
			return nil, fmt.Errorf("[%d]%w", i, err)
		}
	}
	return rows, nil
}

// parseParameters reads an object of parameters. Errors begin with the rest of
// the path.
func (r *Row) parseParameters(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return fmt.Errorf(": no object: %w", ErrInvalid)
	}
	for i, name := range parameterNames {
		low, high, err := parseRange(fields[name])
		if err != nil {
			return fmt.Errorf(".%s: %w", name, err)
		}
		r.Low[i], r.High[i] = low, high
	}
	v, err := parseValue(fields["offset"], 0, 1)
	if err != nil {
		return fmt.Errorf(".offset: %w", err)
	}
	r.Offset = int32(quantize(v))
	return nil
}

// parseRange reads a value of a row: a number, [min, max] or an object of both.
func parseRange(text json.RawMessage) (low, high int32, err error) {
	text = bytes.TrimSpace(text)
	ends := []json.RawMessage{text, text}
	if len(text) > 0 && text[0] == '[' {
		ends = nil // so that the list does not grow into text
		if err := json.Unmarshal(text, &ends); err != nil || len(ends) != 2 {
			return 0, 0, fmt.Errorf("a list of %d, not 2: %w", len(ends), ErrInvalid)
		}
	}
	if len(text) > 0 && text[0] == '{' {
		var data struct{ Min, Max json.RawMessage }
		if err := json.Unmarshal(text, &data); err != nil {
			return 0, 0, fmt.Errorf("%.40s: %w", text, ErrInvalid)
		}
		ends = []json.RawMessage{data.Min, data.Max}
	}
	from, err := parseValue(ends[0], -2, 2)
	if err != nil {
		return 0, 0, err
	}
	to, err := parseValue(ends[1], -2, 2)
	if err != nil {
		return 0, 0, err
	}
	if from > to {
		return 0, 0, fmt.Errorf("min %g is above max %g: %w", from, to, ErrInvalid)
	}
	return int32(quantize(from)), int32(quantize(to)), nil
}

// parseValue reads a number within limits, in single precision.
func parseValue(text json.RawMessage, least, most float32) (float32, error) {
	var number json.Number
	if len(text) == 0 {
		return 0, fmt.Errorf("missing: %w", ErrInvalid)
	}
	if text[0] == '"' || json.Unmarshal(text, &number) != nil {
		return 0, fmt.Errorf("%.40s is no number: %w", text, ErrInvalid)
	}
	v, err := strconv.ParseFloat(number.String(), 32)
	if err != nil || float32(v) < least || float32(v) > most {
		return 0, fmt.Errorf("%.40s is not within %g and %g: %w", text, least, most, ErrInvalid)
	}
	return float32(v), nil
}
