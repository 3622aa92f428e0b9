package registry

import "strings"

// SyncedRegistry is a registry as a server sends it while a client joins.
type SyncedRegistry struct {
	ID       string // its key, with namespace
	Registry *Registry
	Entries  []SyncedEntry // by number
}

// SyncedEntry is one entry of a synced registry.
type SyncedEntry struct {
	ID string // with namespace
	// NBT is the value as it stands in the packet: a network document, without
	// a root name. It must not be changed.
	NBT []byte
}

// SyncedRegistries returns the registries that a server of this version sends,
// in the order it sends them, with the entries of the game's own data pack:
// 28 of 26.1 and 29 of 26.2. The result is shared and must not be changed.
func SyncedRegistries(v Version) []SyncedRegistry { return of(v).synced() }

// ServerFields returns what an entry of a synced registry has in the data pack
// and not on the network, such as the bed rule of a dimension type or the
// spawn conditions of a wolf variant: a network document with a compound, or
// nil if there is nothing. Of biomes, the fields that [Biome] has and those of
// world generation are left out. The types of its numbers are assumed: int
// without a decimal point, else float, or double if no float has those digits.
// The result must not be changed.
func ServerFields(key string, v Version, id int32) []byte {
	t := of(v)
	r := t.names().byKey[strings.TrimPrefix(key, namespace)]
	for i, s := range t.names().synced {
		if s == r && id >= 0 && int(id) < len(r.names) {
			return t.unsent()[i][id]
		}
	}
	return nil
}

// decodeSynced reads the NBT of all entries, with its length.
func decodeSynced(data []byte, names *nameTable) ([]SyncedRegistry, error) {
	d := newDecoder(data)
	list := make([]SyncedRegistry, len(names.synced))
	for i, r := range names.synced {
		entries := make([]SyncedEntry, len(r.names))
		for id := range entries {
			entries[id] = SyncedEntry{ID: r.names[id], NBT: d.bytes()}
		}
		list[i] = SyncedRegistry{ID: r.key, Registry: r, Entries: entries}
	}
	return list, d.end()
}

// decodeUnsent reads what [ServerFields] returns, by registry and number.
func decodeUnsent(data []byte, names *nameTable) ([][][]byte, error) {
	d := newDecoder(data)
	list := make([][][]byte, len(names.synced))
	for i, r := range names.synced {
		list[i] = make([][]byte, len(r.names))
		for id := range list[i] {
			if b := d.bytes(); len(b) > 0 {
				list[i][id] = b
			}
		}
	}
	return list, d.end()
}
