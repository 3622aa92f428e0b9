package datapack

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Manifest says what a game file holds and where that came from. Its JSON form
// is part of the file.
type Manifest struct {
	Version     Version     `json:"version"`
	VersionFrom VersionFrom `json:"version_from"`
	Source      Source      `json:"source"`
	// ContentSHA256 is over the files, templates inflated: two imports of the
	// same data have the same one, whether from a jar or a folder.
	ContentSHA256 string    `json:"content_sha256"`
	ImportedAt    time.Time `json:"imported_at,omitzero"`
	Files         int       `json:"files"`
	Bytes         int64     `json:"bytes"` // of the files, templates inflated
	// Counts is the number of files by registry: "tags", "structure",
	// "worldgen/biome"; "language" and "builtin_packs" (packs) beside.
	Counts map[string]int `json:"counts"`
	// SkippedFiles is how many files of the source were left out, and Skipped
	// the first hundred of them.
	SkippedFiles int       `json:"skipped_files"`
	Skipped      []Skipped `json:"skipped"`
}

// VersionFrom says how the version was found.
type VersionFrom string

// The ways.
const (
	FromVersionJSON VersionFrom = "version.json"
	FromCaller      VersionFrom = "given"
	FromContent     VersionFrom = "content" // data version of templates, format of built-in packs
)

// Source is what was imported.
type Source struct {
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
	// Bytes, SHA1 and SHA256 are of the file; zero for a folder. The SHA-1 is
	// what the game's download pages name.
	Bytes  int64  `json:"bytes"`
	SHA1   string `json:"sha1"`
	SHA256 string `json:"sha256"`
}

func parseManifest(data []byte) (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("%w: manifest: %v", ErrDamaged, err)
	}
	if !validVersionID(m.Version.ID) {
		return m, fmt.Errorf("%w: manifest: version id %q", ErrDamaged, clip(m.Version.ID))
	}
	return m, nil
}

// Counts returns the number of files by registry, as Manifest has it.
func (p *Pack) Counts() map[string]int {
	counts := map[string]int{}
	for _, e := range p.files {
		if registry := registryOf(e.name); registry != "" {
			counts[registry]++
		}
	}
	if n := len(p.Builtin()); n > 0 {
		counts["builtin_packs"] = n
	}
	return counts
}

// registryOf returns the registry of a file by its folder, all tags being one,
// or "" for what a registry would not look at.
func registryOf(name string) string {
	if name == languageName {
		return "language"
	}
	parts := strings.SplitN(name, "/", 5)
	if len(parts) < 4 || parts[0] != dataDir {
		return ""
	}
	switch registry := parts[2]; {
	case registry == "datapacks", !strings.HasSuffix(name, extension(registry)):
		return ""
	case registry == "worldgen" && len(parts) == 5:
		return registry + "/" + parts[3]
	default:
		return registry
	}
}

// Need is a kind of data and what Strata uses it for.
type Need struct {
	Name string // "structure templates"
	For  string // what is not possible, or done plainly, without it
	// registry is the key of Counts that holds it, or what several begin with,
	// up to a slash.
	registry string
}

// Needs lists what Strata takes from the game's own data.
func Needs() []Need {
	return []Need{
		{"structure templates", "blocks of villages and other template structures", templateRegistry},
		{"world generation", "custom worldgen, and comparison with our own tables", "worldgen/"},
		{"loot tables", "drops, chests, fishing and trades with chance", "loot_table"},
		{"recipes", "smelting, smithing, stonecutting and crafting", "recipe"},
		{"tags", "tags beyond those that Strata has built in", "tags"},
		{"advancements", "advancements", "advancement"},
		{"villager trades", "trades of villagers and wandering traders", "villager_trade"},
		{"enchantments", "effects of enchantments", "enchantment"},
		{"language", "names of things in messages", "language"},
	}
}

// Count is how many files of the kind there are.
func (n Need) Count(counts map[string]int) (files int) {
	if !strings.HasSuffix(n.registry, "/") {
		return counts[n.registry]
	}
	for registry, count := range counts {
		if strings.HasPrefix(registry, n.registry) {
			files += count
		}
	}
	return files
}
