package registry

import (
	_ "embed" // the tables
	"fmt"
	"sync"
)

//go:generate go run ../../cmd/internal/genregistry

//go:embed 26.1.bin
var file261 []byte

//go:embed 26.2.bin
var file262 []byte

//go:embed packets.bin
var filePackets []byte

// tables are those of one version, each decoded when first asked for.
type tables struct {
	names    func() *nameTable
	synced   func() []SyncedRegistry
	unsent   func() [][][]byte
	tags     func() []*TagRegistry
	items    func() []Item
	entities func() []Entity
	recipes  func() []Recipe
	biomes   func() []Biome
	rules    func() *ruleTable
}

var versionTables = [...]*tables{newTables(file261), newTables(file262)}

func newTables(file []byte) *tables {
	t := new(tables)
	t.names = lazy(file, "names", decodeNames)
	t.synced = lazy(file, "synced", func(data []byte) ([]SyncedRegistry, error) { return decodeSynced(data, t.names()) })
	t.unsent = lazy(file, "unsent", func(data []byte) ([][][]byte, error) { return decodeUnsent(data, t.names()) })
	t.tags = lazy(file, "tags", func(data []byte) ([]*TagRegistry, error) { return decodeTags(data, t.names()) })
	t.items = lazy(file, "items", func(data []byte) ([]Item, error) { return decodeItems(data, t.names()) })
	t.entities = lazy(file, "entities", func(data []byte) ([]Entity, error) { return decodeEntities(data, t.names()) })
	t.recipes = lazy(file, "recipes", func(data []byte) ([]Recipe, error) { return decodeRecipes(data, t.names(), t.tags()) })
	t.biomes = lazy(file, "biomes", func(data []byte) ([]Biome, error) { return decodeBiomes(data, t.names()) })
	t.rules = lazy(file, "rules", func(data []byte) (*ruleTable, error) { return decodeRules(data, t.names()) })
	return t
}

// lazy returns a function that decodes a section of a file once. A table that
// does not decode was built wrong, which is a bug and panics.
func lazy[T any](file []byte, name string, decode func([]byte) (T, error)) func() T {
	return sync.OnceValue(func() T {
		data, err := unpackSection(file, name)
		if err == nil {
			var value T
			if value, err = decode(data); err == nil {
				return value
			}
		}
		panic(fmt.Sprintf("registry: embedded table %s: %v", name, err))
	})
}

// of returns the tables of a version.
func of(v Version) *tables {
	if v == 0 || int(v) > len(versionTables) {
		panic(fmt.Sprintf("registry: no tables of %v", v))
	}
	return versionTables[v-1]
}
