package settings

import (
	_ "embed" // the tables
	"fmt"
	"io/fs"
	"sort"
	"strings"
	"sync"

	"strata/anvil/registry"
)

//go:generate go run ../../../cmd/internal/genworldgen

//go:embed documents.bin
var fileDocuments []byte

// tables decodes the table of documents once. One that does not decode was
// built wrong, which is a bug and panics.
var tables = sync.OnceValue(func() *documents {
	data, err := unpack(fileDocuments)
	if err == nil {
		var t *documents
		if t, err = decodeDocuments(data); err == nil {
			return t
		}
	}
	panic(fmt.Sprintf("settings: embedded table of documents: %v", err))
})

// Input is a file that the tables were made from.
type Input struct {
	Name   string // of an archive of game data
	SHA256 string // in hex
}

// Inputs returns what the tables were made from.
func Inputs() []Input { return append([]Input(nil), inputs...) }

// versionOf returns the version that has a data version.
func versionOf(dataVersion int32) (registry.Version, error) {
	for _, v := range registry.Versions() {
		if info := v.Info(); int(dataVersion) >= info.FirstDataVersion && int(dataVersion) <= info.DataVersion {
			return v, nil
		}
	}
	return 0, fmt.Errorf("data version %d: %w", dataVersion, ErrVersion)
}

// maskOf is the bit of a version in the tables.
func maskOf(v registry.Version) byte { return 1 << (v - 1) }

// builtin is the game's own data in one version.
type builtin struct {
	number registry.Version
	*documents
}

var (
	_ Source    = (*builtin)(nil)
	_ tagSource = (*builtin)(nil)
)

// Builtin returns the game's own documents in the version of a data version:
// 4786 to 4790 (26.1, 26.1.1, 26.1.2) or 4903 (26.2). It has the registries
// below worldgen/, dimension_type, the tags of these, of "block" and of
// "fluid", and their files as registries "tags/block" and so on. Others are
// empty. The first call unpacks the table, which takes about a millisecond;
// documents are written as JSON each time they are asked for. The error wraps
// ErrVersion.
func Builtin(dataVersion int32) (Source, error) {
	v, err := versionOf(dataVersion)
	if err != nil {
		return nil, err
	}
	return &builtin{number: v, documents: tables()}, nil
}

// Document implements Source.
func (b *builtin) Document(registry, id string) ([]byte, error) {
	path, ok := strings.CutPrefix(ID(id), DefaultNamespace+":")
	list := b.registries[registry]
	if ok {
		for i := sort.Search(len(list), func(i int) bool { return list[i].id >= path }); i < len(list) && list[i].id == path; i++ {
			if list[i].mask&maskOf(b.number) == 0 {
				continue
			}
			text, err := b.json(list[i].value)
			if err != nil {
				panic(fmt.Sprintf("settings: embedded %s %s: %v", registry, id, err))
			}
			return text, nil
		}
	}
	return nil, absent(registry, id)
}

func absent(registry, id string) error {
	return fmt.Errorf("%s %s: %w", registry, ID(id), fs.ErrNotExist)
}

// IDs implements Source.
func (b *builtin) IDs(registry string) ([]string, error) {
	var ids []string
	for _, e := range b.registries[registry] {
		if e.mask&maskOf(b.number) != 0 {
			ids = append(ids, DefaultNamespace+":"+e.id)
		}
	}
	return ids, nil
}

// Tag implements Source.
func (b *builtin) Tag(registry, id string) ([]string, error) { return resolveTag(b, registry, id) }

// tagEntries implements tagSource.
func (b *builtin) tagEntries(registry, id string) ([]tagEntry, error) {
	text, err := b.Document(tagsPrefix+registry, id)
	if err != nil {
		return nil, err
	}
	f, err := parseTag(text)
	return f.Values, err
}

func (b *builtin) version() registry.Version { return b.number }
