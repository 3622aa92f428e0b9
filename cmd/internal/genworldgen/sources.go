package main

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"strata/cmd/internal/gamedata"
)

// release is what is read of one game version.
type release struct {
	name    string
	pack    files // data/minecraft
	reports files
}

// files are JSON files by path.
type files map[string][]byte

const (
	archive261     = "vanilla-generated-26.1.2.tar.zst"
	archiveReports = "vanilla-reports-26.2.tar.zst"
	archivePack262 = "vanilla-datapack-26.2.tar.zst"
)

// inputs is all that is read, the oldest release first, which is the order of
// versions in pregen/worldgen/settings.
type inputs struct {
	releases []*release
	files    []gamedata.Input
}

func readInputs(src *gamedata.Sources) (*inputs, error) {
	generated, err261 := src.Archive(archive261, isJSON)
	reports, errReports := src.Archive(archiveReports, isJSON)
	pack, errPack := src.Archive(archivePack262, isJSON)
	if err := errors.Join(err261, errReports, errPack); err != nil {
		return nil, err
	}
	return &inputs{files: src.Inputs(), releases: []*release{
		{"26.1", below(generated, "data/minecraft/"), below(generated, "reports/")},
		{"26.2", below(pack, "minecraft/"), below(reports, "reports/")},
	}}, nil
}

func isJSON(name string) bool { return path.Ext(name) == ".json" }

// below returns the files in a folder by their paths in it.
func below(all map[string][]byte, folder string) files {
	f := files{}
	for name, data := range all {
		if rest, ok := strings.CutPrefix(name, folder); ok {
			f[rest] = data
		}
	}
	return f
}

// tagged are the registries whose tags world generation reads, beside those
// below worldgen/.
var tagged = []string{"block", "fluid"}

// registryOf splits the path of a file into its registry and its id without
// namespace; ok is false for what world generation does not read. Registries
// below worldgen/ have two names, those of tags one more.
func registryOf(file string) (registry, id string, ok bool) {
	file = strings.TrimSuffix(file, ".json")
	parts := strings.Split(file, "/")
	n := 0
	switch {
	case parts[0] == "worldgen":
		n = 2
	case parts[0] == "dimension_type":
		n = 1
	case parts[0] == "tags" && len(parts) > 1 && parts[1] == "worldgen":
		n = 3
	case parts[0] == "tags" && len(parts) > 1 && slices.Contains(tagged, parts[1]):
		n = 2
	}
	if n == 0 || len(parts) <= n {
		return "", "", false
	}
	return strings.Join(parts[:n], "/"), strings.Join(parts[n:], "/"), true
}

// check refuses releases that lack what the tables are for.
func (r *release) check() error {
	for _, name := range []string{"worldgen/noise_settings/overworld.json", "dimension_type/overworld.json", "tags/block/logs.json"} {
		if r.pack[name] == nil {
			return fmt.Errorf("%s: the data pack has no %s", r.name, name)
		}
	}
	return nil
}
