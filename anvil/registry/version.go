package registry

import "fmt"

// Version is a game version whose tables this binary holds. The zero Version
// is none: asking for its tables is a mistake in the program, and panics.
type Version uint8

// The versions. 26.1 stands for 26.1, 26.1.1 and 26.1.2, which have the same
// data.
const (
	V26_1 Version = iota + 1
	V26_2

	// Native is the version in whose numbers worlds are held in memory.
	Native = V26_2
)

// Info tells of a version without decoding anything.
type Info struct {
	Version          Version
	Name             string // of the newest game version that it stands for: "26.1.2"
	Releases         []string
	Protocol         int
	FirstDataVersion int    // of the oldest game version that it stands for
	DataVersion      int    // of the newest
	PackFormat       string // of its data packs: "101.1"
}

// infos are the versions, oldest first. Numbers: version.json of each.
var infos = [...]Info{
	{
		Version: V26_1, Name: "26.1.2", Releases: []string{"26.1", "26.1.1", "26.1.2"},
		Protocol: 775, FirstDataVersion: 4786, DataVersion: 4790, PackFormat: "101.1",
	},
	{
		Version: V26_2, Name: "26.2", Releases: []string{"26.2"},
		Protocol: 776, FirstDataVersion: 4903, DataVersion: 4903, PackFormat: "107.1",
	},
}

// Versions returns what this binary holds, oldest first.
func Versions() []Version {
	list := make([]Version, len(infos))
	for i := range infos {
		list[i] = infos[i].Version
	}
	return list
}

// ForProtocol returns the version that speaks a protocol version.
func ForProtocol(protocol int) (Version, bool) {
	for i := range infos {
		if infos[i].Protocol == protocol {
			return infos[i].Version, true
		}
	}
	return 0, false
}

// ForRelease returns the version of a game version's name, such as "26.1.1".
func ForRelease(name string) (Version, bool) {
	for i := range infos {
		for _, r := range infos[i].Releases {
			if r == name {
				return infos[i].Version, true
			}
		}
	}
	return 0, false
}

// Info returns what is known of the version, and zeros for one that is none.
func (v Version) Info() Info {
	if v == 0 || int(v) > len(infos) {
		return Info{}
	}
	info := infos[v-1]
	info.Releases = append([]string(nil), info.Releases...)
	return info
}

// Protocol returns the version's protocol version, 0 if it is none.
func (v Version) Protocol() int { return v.Info().Protocol }

// String returns the name of the newest game version: "26.1.2".
func (v Version) String() string {
	if info := v.Info(); info.Name != "" {
		return info.Name
	}
	return fmt.Sprintf("version %d", uint8(v))
}

// Source is a file that the tables were made from.
type Source struct {
	Name   string // of the package with its version, or of an archive
	SHA256 string // in hex
}

// Sources returns what the tables were made from.
func Sources() []Source { return append([]Source(nil), sources...) }
