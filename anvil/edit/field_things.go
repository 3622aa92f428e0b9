package edit

import (
	"fmt"
	"strings"

	"strata/anvil/store"
	"strata/nbt"
)

// parseNames reads true, which is all (nil), or names separated by commas.
func parseNames(key, value string) (*matcher, error) {
	if value == "true" || value == "all" {
		return nil, nil
	}
	return newMatcher(key, strings.Split(value, ","))
}

func parseEntities(value string) (change, error) {
	wanted, err := parseNames("minecraft:entity_type", value)
	if err != nil {
		return nil, err
	}
	return func(r *record) error { return deleteEntities(r, wanted) }, nil
}

// deleteEntities removes entities of a chunk's own list, in which they are before
// 1.17 and before the chunk is full, or of an entity chunk, which goes if it is
// empty then: the game keeps no empty ones.
func deleteEntities(r *record, wanted *matcher) error {
	lists := []nbt.Tag{r.level().Get("Entities"), r.level().Get("entities")}
	if r.ref.Kind == store.Entities {
		lists = lists[:1]
	}
	left := 0
	for _, list := range lists {
		left += removeEntities(r, list, wanted)
	}
	if r.ref.Kind == store.Entities && left == 0 {
		r.remove, r.edit = true, nil
	}
	return nil
}

// removeEntities removes those of a list, and of what rides on the others. It
// returns how many are left in the list.
func removeEntities(r *record, list nbt.Tag, wanted *matcher) (left int) {
	for i, e := range list.Elements() {
		id, _ := e.Get("id").Text()
		if wanted == nil || wanted.has(id) {
			r.e().RemoveElement(list, i)
			continue
		}
		left++
		removeEntities(r, e.Get("Passengers"), wanted)
	}
	return left
}

// structures is the compound of a chunk's structures, and the names of its two
// members.
func structures(r *record) (all nbt.Tag, starts, references string) {
	if r.rootForm() {
		return r.level().Get("structures"), "starts", "References"
	}
	return r.level().Get("Structures"), "Starts", "References"
}

func parseStarts(value string) (change, error) {
	wanted, err := parseNames("minecraft:worldgen/structure", value)
	if err != nil {
		return nil, err
	}
	return func(r *record) error {
		all, starts, _ := structures(r)
		removeMembers(r, all.Get(starts), wanted)
		return nil
	}, nil
}

func parseReferences(value string) (change, error) {
	wanted, err := parseNames("minecraft:worldgen/structure", value)
	if err != nil {
		return nil, err
	}
	return func(r *record) error {
		all, _, references := structures(r)
		removeMembers(r, all.Get(references), wanted)
		return nil
	}, nil
}

// removeMembers removes members by their names, which had capitals once.
func removeMembers(r *record, compound nbt.Tag, wanted *matcher) {
	done := map[string]bool{}
	for key := range compound.Members() {
		name := string(key)
		if !done[name] && (wanted == nil || wanted.has(strings.ToLower(name))) {
			done[name] = true
			r.e().RemoveMember(compound, name)
		}
	}
}

// maxReach is how many chunks a structure may reach from the one it starts in.
const maxReach = 8

// fixReferences removes references that no structure can have made.
func fixReferences(r *record) error {
	all, _, references := structures(r)
	for key, value := range all.Get(references).Members() {
		list, ok := value.LongArray()
		if !ok {
			return fmt.Errorf("%w: the references to %s are a %v", ErrShape, key, value.Type())
		}
		kept := make([]byte, 0, 8*list.Len())
		for i := range list.Len() {
			x, z := int32(list.At(i)), int32(list.At(i)>>32)
			if near(x, r.ref.Pos.X) && near(z, r.ref.Pos.Z) {
				kept = append(kept, list.Bytes()[8*i:8*i+8]...)
			}
		}
		if len(kept) < len(list.Bytes()) {
			r.e().Replace(value, longArray(kept))
		}
	}
	return nil
}

func near(a, b int32) bool {
	d := int64(a) - int64(b)
	return -maxReach <= d && d <= maxReach
}

// invalidatePOI marks points of interest as not valid, so that the game looks
// for them again when it loads the chunk.
func invalidatePOI(r *record) error {
	for _, section := range r.tape.Root().Get("Sections").Members() {
		if section.Type() == nbt.TypeCompound {
			r.set(section, "Valid", r.e().Byte(0))
		}
	}
	return r.apply()
}
