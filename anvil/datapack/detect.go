package datapack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// gameMarks are files that the game's own data have in every version since
// 1.19.4 and that data packs have no reason to bring all together.
var gameMarks = []string{
	gameData + "dimension_type/overworld.json",
	gameData + "worldgen/noise_settings/overworld.json",
	gameData + "worldgen/biome/plains.json",
	gameData + "damage_type/generic.json",
	gameData + "tags/block/mineable/pickaxe.json",
}

// IsGame reports whether the pack is the game's own data.
func (p *Pack) IsGame() bool { return p.missingMark() == "" }

// missingMark names a file that the game's own data would have, or "".
func (p *Pack) missingMark() string {
	for _, name := range gameMarks {
		if !p.files.hasFile(name) {
			return name
		}
	}
	return ""
}

// Version returns the version of the game that the game's own data are of:
// from version.json, from the manifest of a game file, or else worked out
// from the data version of the structure templates and the format of the
// built-in packs. Of several versions with the same data it is then the
// first. For packs that are not the game's own data the error wraps
// fs.ErrNotExist; where the version can not be told it wraps ErrNoVersion,
// ErrVersion or ErrDamaged.
func (p *Pack) Version() (Version, error) { return p.version() }

// HasVersion reports whether the version is written down in the pack, in a
// version.json or a manifest, and need not be worked out.
func (p *Pack) HasVersion() bool { return p.manifest != nil || p.files.hasFile(versionName) }

func (p *Pack) findVersion() (Version, error) {
	if p.manifest != nil {
		return p.manifest.Version, nil
	}
	data, err := p.small(versionName)
	if err == nil {
		v, err := ParseVersion(data)
		return v, inPack(p.name, versionName, err)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return Version{}, inPack(p.name, versionName, err)
	}
	if !p.IsGame() {
		return Version{}, inPack(p.name, "", fmt.Errorf("no game version: %w", fs.ErrNotExist))
	}
	v, err := p.inferVersion()
	return v, inPack(p.name, "", err)
}

// inferVersion finds the version that all evidence in the data fits.
func (p *Pack) inferVersion() (Version, error) {
	ev, err := p.gatherEvidence()
	if err != nil {
		return Version{}, err
	}
	if ev.dataVersion == 0 && ev.format == (Format{}) {
		return Version{}, fmt.Errorf("%w: no version.json, structure templates or built-in packs to tell it from", ErrNoVersion)
	}
	for _, v := range known {
		if ev.fits(v) {
			return v, nil
		}
	}
	return Version{}, fmt.Errorf("%w: %s, as no version that this build knows", ErrVersion, ev)
}

// evidence is what data without a version.json tell of their version. Zero is
// unknown.
type evidence struct {
	dataVersion int
	format      Format
}

func (ev evidence) fits(v Version) bool {
	return (ev.dataVersion == 0 || ev.dataVersion == v.WorldVersion) && (ev.format == Format{} || ev.format == v.Format)
}

func (ev evidence) String() string {
	var parts []string
	if ev.dataVersion != 0 {
		parts = append(parts, fmt.Sprintf("templates of data version %d", ev.dataVersion))
	}
	if ev.format != (Format{}) {
		parts = append(parts, "built-in packs of format "+ev.format.String())
	}
	return strings.Join(parts, ", ")
}

func (p *Pack) gatherEvidence() (evidence, error) {
	var ev evidence
	if names := p.Builtin(); len(names) > 0 {
		sub, err := p.OpenBuiltin(names[0]) // all are made for the one version
		if err != nil {
			return ev, err
		}
		ev.format = sub.meta.Formats.Min
	}
	for _, e := range p.files.under(gameData + templateRegistry + "/") {
		if !strings.HasSuffix(e.name, ".nbt") {
			continue
		}
		data, err := p.readNBT(e.name)
		if err != nil {
			return ev, err
		}
		if v, ok := templateDataVersion(data); ok {
			ev.dataVersion = v
			break
		}
	}
	return ev, nil
}

// templateDataVersion finds the tag DataVersion of a template: type 3, the
// length of the name, the name, and the value as a big-endian int32. It is
// searched for, not parsed: what it says is compared with known versions.
func templateDataVersion(data []byte) (int, bool) {
	tag := []byte("\x03\x00\x0bDataVersion")
	at := bytes.LastIndex(data, tag)
	if at < 0 || len(data) < at+len(tag)+4 {
		return 0, false
	}
	return int(int32(binary.BigEndian.Uint32(data[at+len(tag):]))), true
}
