package datapack

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// Stack is packs over each other, as the game lays them: a file of a higher
// pack replaces the one of the same name in lower packs, tags are merged, and
// a pack's filters hide files of the packs below it. It may be used
// concurrently. It does not own the packs, which must stay open.
type Stack struct {
	format Format
	layers []layer // lowest first
}

// layer is a pack as a format shows it.
type layer struct {
	pack  *Pack
	roots []string // prefixes of its overlays and itself, the strongest first
}

// NewStack lays packs over each other, the lowest first. The format of the
// running game decides which overlays apply.
func NewStack(format Format, packs ...*Pack) *Stack {
	s := &Stack{format: format}
	for _, p := range packs {
		s.layers = append(s.layers, layer{pack: p, roots: p.roots(format)})
	}
	return s
}

// Format is the data pack format that the overlays were chosen by.
func (s *Stack) Format() Format { return s.format }

// Packs lists the packs, the lowest first.
func (s *Stack) Packs() []*Pack {
	packs := make([]*Pack, len(s.layers))
	for i, l := range s.layers {
		packs[i] = l.pack
	}
	return packs
}

// File is a file of one pack of a stack.
type File struct {
	ID   ID
	Pack *Pack
	Name string // in the pack
}

// Read returns the content. Templates come without gzip. The caller owns it.
func (f File) Read() ([]byte, error) {
	if strings.HasSuffix(f.Name, ".nbt") {
		return f.Pack.readNBT(f.Name)
	}
	return f.Pack.ReadFile(f.Name)
}

// find returns the file of a pack behind data/namespace/rest.
func (l layer) find(namespace, rest string) (name string, ok bool) {
	for _, root := range l.roots {
		name := root + dataDir + "/" + namespace + "/" + rest
		if l.pack.files.hasFile(name) {
			return name, true
		}
	}
	return "", false
}

// hides reports whether the pack hides a file of the packs below it.
func (l layer) hides(namespace, rest string) bool { return l.pack.meta.hides(namespace, rest) }

// Find returns the file of an id: registry "worldgen/biome" and id
// "minecraft:plains" are data/minecraft/worldgen/biome/plains.json of the
// highest pack that has it. Registries are named as the game's folders are;
// "structure" are the templates. The error wraps fs.ErrNotExist if no pack has
// it or a filter hides it.
func (s *Stack) Find(registry string, id ID) (File, error) {
	if !validPath(registry) || !validNamespace(id.Namespace) || !validPath(id.Path) {
		return File{}, fmt.Errorf("%s %s: %w", clip(registry), clip(id.String()), fs.ErrNotExist)
	}
	rest := registry + "/" + id.Path + extension(registry)
	for _, l := range slices.Backward(s.layers) {
		if name, ok := l.find(id.Namespace, rest); ok {
			return File{ID: id, Pack: l.pack, Name: name}, nil
		}
		if l.hides(id.Namespace, rest) {
			break
		}
	}
	return File{}, fmt.Errorf("%s %s: %w", registry, id, fs.ErrNotExist)
}

// Read returns the content behind an id; see Find and File.Read.
func (s *Stack) Read(registry string, id ID) ([]byte, error) {
	f, err := s.Find(registry, id)
	if err != nil {
		return nil, err
	}
	return f.Read()
}

// ReadTemplate returns a structure template as NBT without gzip.
func (s *Stack) ReadTemplate(id ID) ([]byte, error) { return s.Read(templateRegistry, id) }

// all returns the files of an id in all packs that count for a merge, the
// lowest first: those above the highest pack that hides it, and that one's.
func (s *Stack) all(registry string, id ID) []File {
	rest := registry + "/" + id.Path + extension(registry)
	var files []File
	for _, l := range slices.Backward(s.layers) {
		if name, ok := l.find(id.Namespace, rest); ok {
			files = append(files, File{ID: id, Pack: l.pack, Name: name})
		}
		if l.hides(id.Namespace, rest) {
			break
		}
	}
	slices.Reverse(files)
	return files
}

// List returns the file of every id of a registry, as Find would, in the order
// of ids.
func (s *Stack) List(registry string) []File {
	if !validPath(registry) {
		return nil
	}
	ext := extension(registry)
	found := map[ID]File{}
	var above []layer
	for _, l := range slices.Backward(s.layers) {
		for _, root := range l.roots {
			for _, namespace := range l.pack.namespaces {
				dir := root + dataDir + "/" + namespace + "/"
				for _, e := range l.pack.files.under(dir + registry + "/") {
					path, ok := strings.CutSuffix(e.name[len(dir)+len(registry)+1:], ext)
					if !ok || path == "" {
						continue
					}
					id := ID{namespace, path}
					if _, ok := found[id]; ok || hidden(above, namespace, e.name[len(dir):]) {
						continue
					}
					found[id] = File{ID: id, Pack: l.pack, Name: e.name}
				}
			}
		}
		if l.pack.meta != nil && len(l.pack.meta.Filters) > 0 {
			above = append(above, l)
		}
	}
	return slices.SortedFunc(maps.Values(found), func(a, b File) int { return a.ID.Compare(b.ID) })
}

func hidden(above []layer, namespace, rest string) bool {
	return slices.ContainsFunc(above, func(l layer) bool { return l.hides(namespace, rest) })
}
