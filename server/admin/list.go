package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"strata/region/vfs"
)

// MaxList is the greatest length of a list file, in bytes.
const MaxList = 64 << 20

// ErrList is wrapped by errors about a list of players or addresses.
var ErrList = errors.New("malformed list")

// entry is an object of a list file. Members that nobody here knows stay.
type entry struct {
	fields map[string]json.RawMessage
}

func (e entry) text(name string) string {
	var s string
	if json.Unmarshal(e.fields[name], &s) != nil {
		return ""
	}
	return s
}

func (e entry) number(name string) int {
	var n int
	if json.Unmarshal(e.fields[name], &n) != nil {
		return 0
	}
	return n
}

func (e entry) truth(name string) bool {
	var b bool
	return json.Unmarshal(e.fields[name], &b) == nil && b
}

// list is a file of entries, each with a key of its own.
type list struct {
	name    string   // of the file
	key     string   // the member that tells entries apart
	order   []string // members as the game writes them
	entries []entry
}

// with is an entry of the list with these members, in the list's order.
func (l *list) with(values ...any) entry {
	e := entry{map[string]json.RawMessage{}}
	for i, v := range values {
		data, err := json.Marshal(v)
		if err != nil {
			panic(err) // strings, numbers and booleans
		}
		e.fields[l.order[i]] = data
	}
	return e
}

func (l *list) find(key string) int {
	for i, e := range l.entries {
		if e.text(l.key) == key {
			return i
		}
	}
	return -1
}

// put adds an entry, or replaces the one with its key.
func (l *list) put(e entry) {
	if i := l.find(e.text(l.key)); i >= 0 {
		for name, value := range l.entries[i].fields {
			if _, ok := e.fields[name]; !ok {
				e.fields[name] = value
			}
		}
		l.entries[i] = e
		return
	}
	l.entries = append(l.entries, e)
}

func (l *list) remove(key string) bool {
	i := l.find(key)
	if i < 0 {
		return false
	}
	l.entries = append(l.entries[:i:i], l.entries[i+1:]...)
	return true
}

// read reads the file of a folder; an absent one is empty.
func (l *list) read(fsys vfs.FS, folder string) error {
	path := filepath.Join(folder, l.name)
	data, err := readFile(fsys, path, MaxList)
	if errors.Is(err, fs.ErrNotExist) {
		l.entries = nil
		return nil
	}
	if err != nil {
		return err
	}
	var all []map[string]json.RawMessage
	if len(bytes.TrimSpace(data)) > 0 {
		if err := json.Unmarshal(data, &all); err != nil {
			return fmt.Errorf("%s: %w: %w", path, ErrList, err)
		}
	}
	entries := make([]entry, 0, len(all))
	for i, fields := range all {
		e := entry{fields}
		if e.text(l.key) == "" {
			return fmt.Errorf("%s: entry %d has no %s: %w", path, i, l.key, ErrList)
		}
		entries = append(entries, e)
	}
	l.entries = entries
	return nil
}

// bytes is the file as the game writes it: two blanks for each level.
func (l *list) bytes() []byte {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, e := range l.entries {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('{')
		first := true
		member := func(name string) {
			if !first {
				b.WriteByte(',')
			}
			first = false
			text, err := json.Marshal(name)
			if err != nil {
				panic(err) // a string
			}
			b.Write(text)
			b.WriteByte(':')
			b.Write(e.fields[name])
		}
		known := map[string]bool{}
		for _, name := range l.order {
			known[name] = true
			if _, ok := e.fields[name]; ok {
				member(name)
			}
		}
		for _, name := range sortedKeys(e.fields) {
			if !known[name] {
				member(name)
			}
		}
		b.WriteByte('}')
	}
	b.WriteByte(']')
	var out bytes.Buffer
	if err := json.Indent(&out, b.Bytes(), "", "  "); err != nil {
		panic(err) // made of valid pieces
	}
	return out.Bytes()
}
