package datapack

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
)

// Meta is what a pack.mcmeta says (minecraft.wiki, "pack.mcmeta"; patch notes
// of 25w31a for min_format and max_format). Sections that Strata does not use
// are passed over.
type Meta struct {
	// Description is the text component, as JSON.
	Description json.RawMessage
	// Formats are the data pack formats that the pack is made for. A pack for
	// others can be enabled all the same; the game warns.
	Formats FormatRange
	// Overlays are folders that replace files of the pack in some formats.
	// Where several apply, the later one wins.
	Overlays []Overlay
	// Filters hide files of the packs below this one.
	Filters []Filter
	// Features are the feature flags that the pack switches on, such as
	// "minecraft:trade_rebalance".
	Features []string
}

// Overlay is a folder of a pack that is laid over it in some formats.
type Overlay struct {
	Directory string
	Formats   FormatRange
}

// Filter is one pattern pair of a filter section. A pattern may match any part
// of the text; nil matches everything.
type Filter struct {
	Namespace, Path *regexp.Regexp
}

// hides reports whether the filters hide data/namespace/path of lower packs.
// As in the game (1.21), namespace and path are asked for apart: it is enough
// that one filter matches the namespace and another one the path, so that
// {path: "a"} and {namespace: "b"} together hide everything.
func (m *Meta) hides(namespace, path string) bool {
	if m == nil {
		return false
	}
	matches := func(re *regexp.Regexp, text string) bool { return re == nil || re.MatchString(text) }
	return slices.ContainsFunc(m.Filters, func(f Filter) bool { return matches(f.Namespace, namespace) }) &&
		slices.ContainsFunc(m.Filters, func(f Filter) bool { return matches(f.Path, path) })
}

// ParseMeta reads a pack.mcmeta. Errors wrap ErrDamaged.
func ParseMeta(data []byte) (*Meta, error) {
	if len(data) > maxMetaBytes {
		return nil, fmt.Errorf("%w: %d bytes", ErrLimit, len(data))
	}
	root, err := parseObject(data)
	if err != nil {
		return nil, err
	}
	m := &Meta{}
	if err := m.parsePack(root); err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	if err := m.parseOverlays(root); err != nil {
		return nil, fmt.Errorf("overlays: %w", err)
	}
	if err := m.parseFilters(root); err != nil {
		return nil, fmt.Errorf("filter: %w", err)
	}
	var features object
	if ok, err := root.field("features", &features); err != nil {
		return nil, err
	} else if ok {
		if err := features.need("enabled", &m.Features); err != nil {
			return nil, fmt.Errorf("features: %w", err)
		}
	}
	return m, nil
}

func (m *Meta) parsePack(root object) error {
	var pack object
	if err := root.need("pack", &pack); err != nil {
		return err
	}
	m.Description = pack["description"]
	r, ok, err := parseRange(pack, "supported_formats")
	if err != nil {
		return err
	}
	if !ok {
		var only int
		if err := pack.need("pack_format", &only); err != nil {
			return err
		}
		if only < 0 || only > anyMinor {
			return fmt.Errorf("%w: pack_format %d", ErrDamaged, only)
		}
		r = FormatRange{Format{Major: only}, Format{Major: only, Minor: anyMinor}}
	}
	m.Formats = r
	return nil
}

// list reads root[section][key] as a list of objects.
func list(root object, section, key string, most int) ([]object, error) {
	var o object
	if ok, err := root.field(section, &o); !ok {
		return nil, err
	}
	var items []object
	if err := o.need(key, &items); err != nil {
		return nil, err
	}
	if len(items) > most {
		return nil, fmt.Errorf("%w: %d in %s", ErrLimit, len(items), key)
	}
	return items, nil
}

func (m *Meta) parseOverlays(root object) error {
	entries, err := list(root, "overlays", "entries", maxOverlays)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		var o Overlay
		if err := entry.need("directory", &o.Directory); err != nil {
			return err
		}
		if !validOverlay(o.Directory) {
			return fmt.Errorf("%w: directory %q", ErrDamaged, clip(o.Directory))
		}
		r, ok, err := parseRange(entry, "formats")
		if err == nil && !ok {
			err = fmt.Errorf("%w: no formats", ErrDamaged)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", o.Directory, err)
		}
		o.Formats = r
		m.Overlays = append(m.Overlays, o)
	}
	return nil
}

// validOverlay takes the names that the game takes: a-z, 0-9, '_' and '-'.
// The folder of the pack itself is none.
func validOverlay(name string) bool {
	for i := range len(name) {
		c := name[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return name != "" && name != dataDir && len(name) <= maxNameBytes
}

func (m *Meta) parseFilters(root object) error {
	blocks, err := list(root, "filter", "block", maxFilters)
	if err != nil {
		return err
	}
	for _, block := range blocks {
		var f Filter
		if f.Namespace, err = pattern(block, "namespace"); err != nil {
			return err
		}
		if f.Path, err = pattern(block, "path"); err != nil {
			return err
		}
		m.Filters = append(m.Filters, f)
	}
	return nil
}

// pattern compiles a regular expression of the game. Those that Go has no
// form for (look-around, back-references) are an error: to ignore one would
// show files that the game hides.
func pattern(block object, key string) (*regexp.Regexp, error) {
	var text string
	if ok, err := block.field(key, &text); !ok {
		return nil, err
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %v", ErrDamaged, key, err)
	}
	return re, nil
}
