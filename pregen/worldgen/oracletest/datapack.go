package oracletest

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"

	"strata/pregen/worldgen/settings"
)

// datapack is the game's data pack in memory: JSON texts by path.
type datapack map[string][]byte

var loaded struct {
	sync.Mutex
	pack datapack
}

// Datapack returns the worldgen documents and the tags of the game's own data
// pack of 26.2.
func Datapack(t testing.TB) settings.Source {
	t.Helper()
	loaded.Lock()
	defer loaded.Unlock()
	if loaded.pack != nil {
		return loaded.pack
	}
	pack := make(datapack)
	eachFile(t, "vanilla-datapack-26.2.tar.zst", func(name string, content io.Reader) bool {
		name, isMinecraft := strings.CutPrefix(name, "minecraft/")
		name, isJSON := strings.CutSuffix(name, ".json")
		wanted := strings.HasPrefix(name, "worldgen/") || strings.HasPrefix(name, "tags/") || strings.HasPrefix(name, "dimension_type/")
		if isMinecraft && isJSON && wanted {
			text, err := io.ReadAll(content)
			if err != nil {
				t.Fatal(err)
			}
			pack[name] = text
		}
		return true
	})
	if len(pack) < 1000 {
		t.Fatalf("the data pack has only %d documents", len(pack))
	}
	loaded.pack = pack
	return pack
}

// Document implements settings.Source.
func (d datapack) Document(registry, id string) ([]byte, error) {
	path, ok := strings.CutPrefix(settings.ID(id), settings.DefaultNamespace+":")
	text, found := d[registry+"/"+path]
	if !ok || !found {
		return nil, fmt.Errorf("%s %s: %w", registry, id, fs.ErrNotExist)
	}
	return text, nil
}

// IDs implements settings.Source.
func (d datapack) IDs(registry string) ([]string, error) {
	var ids []string
	for name := range d {
		if path, ok := strings.CutPrefix(name, registry+"/"); ok {
			ids = append(ids, settings.DefaultNamespace+":"+path)
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// Tag implements settings.Source. Members keep the order of the files.
func (d datapack) Tag(registry, id string) ([]string, error) {
	text, err := d.Document("tags/"+registry, id)
	if err != nil {
		return nil, err
	}
	var tag struct{ Values []string }
	if err := json.Unmarshal(text, &tag); err != nil {
		return nil, fmt.Errorf("tag %s of %s: %w", id, registry, err)
	}
	var members []string
	for _, value := range tag.Values {
		inner, isTag := strings.CutPrefix(value, "#")
		if !isTag {
			members = append(members, settings.ID(value))
			continue
		}
		more, err := d.Tag(registry, inner)
		if err != nil {
			return nil, err
		}
		members = append(members, more...)
	}
	return members, nil
}
