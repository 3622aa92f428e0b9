package diff

import (
	"fmt"

	"strata/anvil/store"
)

// Class says how something differs between the two sides.
type Class uint8

// The classes. Their order is that of precedence: of the records of a chunk the
// highest one counts.
const (
	Absent Class = iota // neither side has it
	Equal
	Moved
	Touched
	Modified
	Unreadable
	Deleted
	Created
)

var classNames = [...]string{"absent", "equal", "moved", "touched", "modified", "unreadable", "deleted", "created"}

// String returns the class's name.
func (c Class) String() string {
	if int(c) < len(classNames) {
		return classNames[c]
	}
	return fmt.Sprintf("class(%d)", uint8(c))
}

// MarshalText implements encoding.TextMarshaler.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Differs reports whether the class is one of content that differs or cannot be
// told: any but equal and moved.
func (c Class) Differs() bool { return c > Moved }

// Counts are how many there are of each class.
type Counts struct {
	Created    int64 `json:"created"`
	Deleted    int64 `json:"deleted"`
	Modified   int64 `json:"modified"`
	Touched    int64 `json:"touched"`
	Moved      int64 `json:"moved"`
	Equal      int64 `json:"equal"`
	Unreadable int64 `json:"unreadable"`
}

// Add counts n more of a class.
func (c *Counts) Add(class Class, n int64) {
	switch class {
	case Created:
		c.Created += n
	case Deleted:
		c.Deleted += n
	case Modified:
		c.Modified += n
	case Touched:
		c.Touched += n
	case Moved:
		c.Moved += n
	case Equal:
		c.Equal += n
	case Unreadable:
		c.Unreadable += n
	}
}

func (c *Counts) addAll(o *Counts) {
	c.Created += o.Created
	c.Deleted += o.Deleted
	c.Modified += o.Modified
	c.Touched += o.Touched
	c.Moved += o.Moved
	c.Equal += o.Equal
	c.Unreadable += o.Unreadable
}

// Total is how many there are.
func (c *Counts) Total() int64 {
	return c.Created + c.Deleted + c.Modified + c.Touched + c.Moved + c.Equal + c.Unreadable
}

// Differ reports whether anything but equal and moved was counted.
func (c *Counts) Differ() bool { return c.Total() > c.Equal+c.Moved }

// joint is the class of a chunk with the records of these classes.
func joint(records [kinds]Class) Class {
	if own := records[store.Chunks]; own == Created || own == Deleted {
		return own
	}
	class, only := Absent, Absent
	for _, c := range records {
		switch {
		case c == Absent:
			continue
		case only == Absent:
			only = c
		case only != c:
			only = Modified // of several classes
		}
		if c == Created || c == Deleted {
			c = Modified
		}
		class = max(class, c)
	}
	if records[store.Chunks] == Absent && (only == Created || only == Deleted) {
		return only
	}
	return class
}
