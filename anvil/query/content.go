package query

import (
	"fmt"
	"strings"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/nbt"
	"strata/nbt/path"
)

// bind sets the functions, once for a Row.
func (r *Row) bind() {
	r.Circle = r.inCircle
	r.Rectangle = func(x1, z1, x2, z2 int) bool {
		return overlaps(x1, x2, r.X<<4) && overlaps(z1, z2, r.Z<<4)
	}
	r.Near = func(x, z, distance int) bool { return abs(r.X-x) <= distance && abs(r.Z-z) <= distance }
	r.Block = func(names ...string) (bool, error) {
		n, err := r.countBlocks(names, true)
		return n > 0, err
	}
	r.Count = func(names ...string) (int, error) { return r.countBlocks(names, false) }
	r.Biome = r.hasBiome
	r.Structure = func(names ...string) (bool, error) { return r.hasStructure("starts", names) }
	r.Reference = func(names ...string) (bool, error) { return r.hasStructure("References", names) }
	r.Entity = r.countEntities
	r.BlockEntity = r.countBlockEntities
	r.NBT = func(text string) (any, error) {
		tag, err := r.at(text)
		if err != nil || !tag.Exists() {
			return nil, err
		}
		return plain(tag), nil
	}
	r.Has = func(text string) (bool, error) {
		tag, err := r.at(text)
		return tag.Exists(), err
	}
}

// inCircle reports whether the centre of the chunk is in a circle. The centre
// is half a block off, so everything is counted in half blocks.
func (r *Row) inCircle(x, z, radius int) bool {
	dx, dz := float64(r.X*32+16-2*x), float64(r.Z*32+16-2*z)
	return dx*dx+dz*dz <= 4*float64(radius)*float64(radius)
}

// overlaps reports whether the 16 blocks from first on are partly in a..b.
func overlaps(a, b, first int) bool { return min(a, b) <= first+15 && max(a, b) >= first }

func abs(n int) int { return max(n, -n) }

// chunk decodes the chunk once. It is nil if there is no document.
func (r *Row) chunk() (*chunk.Chunk, error) {
	if r.decoded == nil && r.decoErr == nil && r.data != nil {
		r.decoded, r.decoErr = r.decoder.Decode(r.data)
	}
	return r.decoded, r.decoErr
}

// countBlocks counts blocks, or with one stops at the first.
func (r *Row) countBlocks(names []string, one bool) (n int, err error) {
	c, err := r.chunk()
	if c == nil {
		return 0, err
	}
	wanted, err := r.query.blocks(names)
	if err != nil {
		return 0, err
	}
	low, high := c.Range()
	for y := low; y < high; y++ {
		if !c.HasBlocks(y) {
			continue
		}
		for state, count := range c.Counts(y) {
			if !wanted.has(r.query.tables, state) {
				continue
			}
			if n += count; one {
				return n, nil
			}
		}
	}
	return n, nil
}

func (r *Row) hasBiome(names ...string) (bool, error) {
	c, err := r.chunk()
	if c == nil {
		return false, err
	}
	wanted, err := members("minecraft:worldgen/biome", names)
	if err != nil {
		return false, err
	}
	low, high := c.Range()
	for y := low; y < high; y++ {
		if !c.HasBiomes(y) {
			continue
		}
		for biome := range c.BiomeCounts(y) {
			if wanted[r.query.tables.Biomes.Name(biome)] {
				return true, nil
			}
		}
	}
	return false, nil
}

// hasStructure looks for structures that start in the chunk, or that it refers
// to.
func (r *Row) hasStructure(member string, names []string) (bool, error) {
	wanted, err := members("minecraft:worldgen/structure", names)
	if err != nil || r.tape == nil {
		return false, err
	}
	structures := r.root().Get("structures")
	if !structures.Exists() {
		structures = r.root().Get("Structures")
	}
	list := structures.Get(member)
	if !list.Exists() && member == "starts" {
		list = structures.Get("Starts")
	}
	for name, value := range list.Members() {
		if member == "starts" && value.Get("id").Is("INVALID") || member != "starts" && value.Len() == 0 {
			continue
		}
		if len(names) == 0 || wanted[completeID(strings.ToLower(string(name)))] {
			return true, nil
		}
	}
	return false, nil
}

// root is where the content of a chunk is: the compound Level before 1.18.
func (r *Row) root() nbt.Tag {
	root := r.tape.Root()
	if level := root.Get("Level"); level.Exists() {
		return level
	}
	return root
}

// countEntities counts in the entity chunk and in the chunk itself, where
// entities were before 1.17.
func (r *Row) countEntities(names ...string) (n int, err error) {
	wanted, err := members("minecraft:entity_type", names)
	if err != nil || r.tape == nil {
		return 0, err
	}
	lists := []nbt.Tag{r.root().Get("Entities"), r.root().Get("entities")}
	if near := &r.near[0]; len(near.data) > 0 {
		lists = append(lists, near.tape.Root().Get("Entities"))
	}
	for _, list := range lists {
		n += countIDs(list, wanted, len(names) == 0)
	}
	return n, nil
}

func (r *Row) countBlockEntities(names ...string) (n int, err error) {
	wanted, err := members("minecraft:block_entity_type", names)
	if err != nil || r.tape == nil {
		return 0, err
	}
	for _, name := range []string{"block_entities", "TileEntities"} {
		n += countIDs(r.root().Get(name), wanted, len(names) == 0)
	}
	return n, nil
}

// countIDs counts the compounds of a list whose id is wanted.
func countIDs(list nbt.Tag, wanted map[string]bool, all bool) (n int) {
	for _, tag := range list.Elements() {
		id, _ := tag.Get("id").Text()
		if all || wanted[completeID(id)] {
			n++
		}
	}
	return n
}

// at follows an NBT path.
func (r *Row) at(text string) (nbt.Tag, error) {
	p, err := r.query.path(text)
	if err != nil || r.tape == nil {
		return nbt.Tag{}, err
	}
	return p.First(r.tape.Root()), nil
}

// path parses the NBT paths of a query once.
func (q *Query) path(text string) (path.Path, error) {
	if p, ok := q.paths.Load(text); ok {
		return p.(path.Path), nil
	}
	p, err := path.Parse(text)
	if err != nil {
		return path.Path{}, err
	}
	q.paths.Store(text, p)
	return p, nil
}

// plain is a tag as a value of expressions: numbers are int or float64.
func plain(tag nbt.Tag) any {
	if n, ok := tag.Int(); ok {
		return int(n)
	}
	if f, ok := tag.Float(); ok {
		return f
	}
	if text, ok := tag.Text(); ok {
		return text
	}
	return tag.Value()
}

// members are the names of a list, tags resolved.
func members(key string, names []string) (map[string]bool, error) {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		tag, isTag := strings.CutPrefix(name, "#")
		if !isTag {
			set[completeID(name)] = true
			continue
		}
		tags := registry.TagsOf(key, registry.V26_2)
		found := tags.Tag(completeID(tag))
		if found == nil {
			return nil, fmt.Errorf("%s has no tag %s", key, completeID(tag))
		}
		entries := registry.Of(key, registry.V26_2)
		for _, id := range found.IDs() {
			if name, ok := entries.Name(id); ok {
				set[name] = true
			}
		}
	}
	return set, nil
}

// completeID gives a name without a namespace that of the game.
func completeID(name string) string {
	if strings.Contains(name, ":") {
		return name
	}
	return "minecraft:" + name
}

// blockSet is a set of blocks.
type blockSet struct {
	native [block.BlockCount]bool
	names  map[string]bool // that are not native
}

// blocks makes the set of blocks with these names, once for each list of them.
func (q *Query) blocks(names []string) (*blockSet, error) {
	key := strings.Join(names, " ")
	if set, ok := q.sets.Load(key); ok {
		return set.(*blockSet), nil
	}
	all, err := members("minecraft:block", names)
	if err != nil {
		return nil, err
	}
	set := &blockSet{names: make(map[string]bool)}
	for name := range all {
		if id, ok := block.Find(name); ok {
			set.native[id] = true
		} else {
			set.names[name] = true
		}
	}
	q.sets.Store(key, set)
	return set, nil
}

// has reports whether a state is of one of the blocks. States that the game
// does not have count by the block that they name.
func (s *blockSet) has(tables *chunk.Tables, state block.State) bool {
	id := state.Block()
	if id == block.Unknown {
		if base, known := tables.States.Base(state); known {
			id = base.Block()
		}
	}
	if id != block.Unknown {
		return s.native[id]
	}
	if len(s.names) == 0 {
		return false
	}
	var entry struct{ Name string }
	err := nbt.Raw{Type: nbt.TypeCompound, Data: tables.States.NBT(state)}.Decode(&entry)
	return err == nil && s.names[completeID(entry.Name)]
}
