package surface

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"strata/pregen/worldgen/settings"
)

// object is a JSON object. Its methods read a field and name it in errors.
type object map[string]any

// decode reads one JSON value. Numbers stay texts.
func decode(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, invalid("%v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, invalid("more follows after the value")
	}
	return value, nil
}

func (o object) field(name string) (any, error) {
	value, ok := o[name]
	if !ok {
		return nil, within(name, invalid("is missing"))
	}
	return value, nil
}

func (o object) text(name string) (string, error) {
	value, err := o.field(name)
	if err != nil {
		return "", err
	}
	text, ok := value.(string)
	if !ok {
		return "", within(name, invalid("is no text"))
	}
	return text, nil
}

// id reads an id and completes it.
func (o object) id(name string) (string, error) {
	text, err := o.text(name)
	if err != nil {
		return "", err
	}
	id, err := validID(text)
	return id, within(name, err)
}

// validID completes an id and checks its characters.
func validID(text string) (string, error) {
	id := settings.ID(text)
	namespace, path, _ := strings.Cut(id, ":")
	other := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != '.'
	}
	if path == "" || strings.ContainsFunc(namespace, other) || strings.ContainsFunc(strings.ReplaceAll(path, "/", ""), other) {
		return "", invalid("%.100q is no id", text)
	}
	return id, nil
}

func (o object) boolean(name string) (bool, error) {
	value, err := o.field(name)
	if err != nil {
		return false, err
	}
	b, ok := value.(bool)
	if !ok {
		return false, within(name, invalid("is neither true nor false"))
	}
	return b, nil
}

func (o object) float(name string) (float64, error) {
	value, err := o.field(name)
	if err != nil {
		return 0, err
	}
	number, ok := value.(json.Number)
	if !ok {
		return 0, within(name, invalid("is no number"))
	}
	f, err := strconv.ParseFloat(string(number), 64)
	if err != nil {
		return 0, within(name, invalid("%.50s is out of range", number))
	}
	return f, nil
}

// integer reads a whole number within low..high.
func (o object) integer(name string, low, high int) (int, error) {
	f, err := o.float(name)
	if err != nil {
		return 0, err
	}
	if f != math.Trunc(f) || f < float64(low) || f > float64(high) {
		return 0, within(name, invalid("%v is no whole number within %d..%d", f, low, high))
	}
	return int(f), nil
}
