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
	name      string // also of the output file
	pack      files  // data/minecraft, without structure templates
	reports   files
	extracted files
}

// files are JSON files by path.
type files map[string][]byte

// json parses a file.
func (f files) json(name string) (*node, error) {
	data, ok := f[name]
	if !ok {
		return nil, fmt.Errorf("no file %s", name)
	}
	n, err := parseJSON(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

// list returns the names of the JSON files below a folder, sorted, without
// their extension.
func (f files) list(folder string) []string {
	var names []string
	for name := range f {
		if rest, ok := strings.CutPrefix(name, folder+"/"); ok && path.Ext(rest) == ".json" {
			names = append(names, strings.TrimSuffix(rest, ".json"))
		}
	}
	slices.Sort(names)
	return names
}

// inputs is all that is read.
type inputs struct {
	releases []*release // oldest first
	login    *node      // loginPacket.json of minecraft-data, 26.1
	entities *node      // entities.json of minecraft-data, 26.1
	packets  *node      // packet-ids.json
	npm      files
	files    []gamedata.Input
}

const (
	archive261      = "vanilla-generated-26.1.2.tar.zst"
	archiveReports  = "vanilla-reports-26.2.tar.zst"
	archivePack262  = "vanilla-datapack-26.2.tar.zst"
	archiveExtra    = "extracted-registries-26.1-26.2.tar.zst"
	filePackets     = "packet-ids.json"
	packageLogin    = "minecraft-data/data/pc/26.1/loginPacket.json"
	packageEntities = "minecraft-data/data/pc/26.1/entities.json"
)

// readInputs reads all, and further files of the npm package: to find a file
// in it takes seconds, however many are looked for.
func readInputs(src *gamedata.Sources, further ...string) (*inputs, error) {
	npm, errNPM := src.Package(append(further, packageLogin, packageEntities)...)
	generated, err261 := src.Archive(archive261, isJSON)
	reports, errReports := src.Archive(archiveReports, isJSON)
	pack, errPack := src.Archive(archivePack262, isJSON)
	extra, errExtra := src.Archive(archiveExtra, isJSON)
	packets, errPackets := src.File(filePackets)
	if err := errors.Join(errNPM, err261, errReports, errPack, errExtra, errPackets); err != nil {
		return nil, err
	}
	in := &inputs{npm: npm, files: src.Inputs(), releases: []*release{
		{"26.1", below(generated, "data/minecraft/"), below(generated, "reports/"), below(extra, "26.1/")},
		{"26.2", below(pack, "minecraft/"), below(reports, "reports/"), below(extra, "26.2/")},
	}}
	for _, x := range []struct {
		to   **node
		data []byte
	}{{&in.login, npm[packageLogin]}, {&in.entities, npm[packageEntities]}, {&in.packets, packets}} {
		n, err := parseJSON(x.data)
		if err != nil {
			return nil, err
		}
		*x.to = n
	}
	return in, nil
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
