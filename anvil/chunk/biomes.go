package chunk

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// Biome is the number of a biome in memory, given out by a [Biomes]. The
// biomes of 26.2 have the numbers of that version's registry.
type Biome uint16

// MaxBiomes is how many names a [Biomes] takes, those of 26.2 included.
const MaxBiomes = 1 << 14

// maxBiomeName bounds a name, in bytes.
const maxBiomeName = 1024

// Biomes gives numbers to the names of biomes. The numbers hold for this
// Biomes alone; they are never written nor sent. All methods may be called
// concurrently.
type Biomes struct {
	// mu guards ids; names is replaced as a whole under it.
	mu    sync.RWMutex
	ids   map[string]Biome
	names atomic.Pointer[[]string]
}

var vanillaBiomeIDs = sync.OnceValue(func() map[string]Biome {
	ids := make(map[string]Biome, len(vanillaBiomes))
	for i, name := range vanillaBiomes {
		ids[name] = Biome(i)
	}
	return ids
})

// NewBiomes returns a Biomes with the names of 26.2.
func NewBiomes() *Biomes {
	b := &Biomes{ids: map[string]Biome{}}
	names := vanillaBiomes[:]
	b.names.Store(&names)
	return b
}

// Intern returns the number of a name, which is one of a resource with its
// namespace, in the bytes that the NBT has. The error is [ErrBiomesFull].
func (b *Biomes) Intern(name []byte) (Biome, error) {
	if id, ok := vanillaBiomeIDs()[string(name)]; ok {
		return id, nil
	}
	b.mu.RLock()
	id, ok := b.ids[string(name)]
	b.mu.RUnlock()
	if ok {
		return id, nil
	}
	return b.add(string(name))
}

// InternString is [Biomes.Intern] of a name that is no part of a document.
func (b *Biomes) InternString(name string) (Biome, error) {
	if id, ok := b.Find(name); ok {
		return id, nil
	}
	return b.add(name)
}

func (b *Biomes) add(name string) (Biome, error) {
	if len(name) > maxBiomeName {
		return 0, fmt.Errorf("%w: name of %d bytes, over %d", ErrBiomesFull, len(name), maxBiomeName)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if id, ok := b.ids[name]; ok {
		return id, nil
	}
	names := *b.names.Load()
	if len(names) >= MaxBiomes {
		return 0, fmt.Errorf("%w: %d names", ErrBiomesFull, len(names))
	}
	// Readers of the shorter slice do not see what is appended; the first
	// append copies the vanilla names, whose slice is full.
	id := Biome(len(names))
	names = append(names, name)
	b.ids[name] = id
	b.names.Store(&names)
	return id, nil
}

// Find returns the number of a name if there is one already.
func (b *Biomes) Find(name string) (Biome, bool) {
	if id, ok := vanillaBiomeIDs()[name]; ok {
		return id, true
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	id, ok := b.ids[name]
	return id, ok
}

// Name returns the name of a number, "" for one that was never given out.
func (b *Biomes) Name(id Biome) string {
	if names := *b.names.Load(); int(id) < len(names) {
		return names[id]
	}
	return ""
}

// Len returns how many names there are.
func (b *Biomes) Len() int { return len(*b.names.Load()) }

// legacy returns the biome of a number that chunks before 1.18 have. Numbers
// that the game did not have get a name of their own, "#" and the number,
// which cannot be one of the game.
func (b *Biomes) legacy(number int32) (Biome, error) {
	if uint32(number) < uint32(len(legacyBiomes)) && legacyBiomes[number] != "" {
		return b.InternString("minecraft:" + legacyBiomes[number])
	}
	return b.InternString("#" + strconv.Itoa(int(number)))
}

// legacyNumber returns the number of a biome in chunks before 1.18.
func (b *Biomes) legacyNumber(id Biome) (int32, bool) {
	name := b.Name(id)
	if number, ok := legacyNumbers()[name]; ok {
		return number, true
	}
	if digits, ok := strings.CutPrefix(name, "#"); ok {
		number, err := strconv.ParseInt(digits, 10, 32)
		return int32(number), err == nil
	}
	return 0, false
}

var legacyNumbers = sync.OnceValue(func() map[string]int32 {
	numbers := map[string]int32{}
	for number, name := range legacyBiomes {
		if name != "" {
			numbers["minecraft:"+name] = int32(number)
		}
	}
	return numbers
})
