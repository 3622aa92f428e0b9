package query

import (
	"errors"
	"fmt"
	"io/fs"
	"math"

	"strata/anvil"
	"strata/anvil/player"
	"strata/anvil/scan"
	"strata/anvil/store"
	"strata/nbt"
	"strata/region"
)

// place is a chunk of a world.
type place struct {
	dimension string
	pos       region.ChunkPos
}

// facts are what rows need to know of the whole world.
type facts struct {
	players, respawns map[place]int
	forced            map[place]bool
	spawn             place
	present           map[string]map[region.Pos]*[region.Slots / 64]uint64
}

// readFacts reads what is needed. Files that cannot be read are failures.
func readFacts(w *anvil.World, need need, files []scan.File) (f *facts, failed []anvil.Failed) {
	f = &facts{}
	if s, ok := w.Level().Spawn(); ok {
		f.spawn = place{s.Dimension, blockChunk(int(s.X), int(s.Z))}
		if s.Dimension == "" {
			f.spawn.dimension = anvil.Overworld
		}
	}
	if need&needPlayers != 0 {
		failed = append(failed, f.readPlayers(w)...)
	}
	if need&needForced != 0 {
		failed = append(failed, f.readForced(w)...)
	}
	if need&needPresence != 0 {
		failed = append(failed, f.readPresence(w, files)...)
	}
	return f, failed
}

func blockChunk(x, z int) region.ChunkPos { return region.ChunkPos{X: int32(x >> 4), Z: int32(z >> 4)} }

func (f *facts) readPlayers(w *anvil.World) (failed []anvil.Failed) {
	f.players, f.respawns = make(map[place]int), make(map[place]int)
	list, err := player.List(w.FS(), w.Players())
	if err != nil {
		return []anvil.Failed{{Path: w.Players().Data, Err: err}}
	}
	for _, files := range list {
		if files.Data == "" {
			continue
		}
		p, _, err := player.Read(w.FS(), files.Data)
		if err != nil {
			failed = append(failed, anvil.Failed{Path: files.Data, Err: err})
			continue
		}
		f.addPlayer(p)
	}
	return failed
}

func (f *facts) addPlayer(p *player.Player) {
	if at, err := p.Place(); err == nil {
		f.players[place{at.Dimension, blockChunk(int(math.Floor(at.X)), int(math.Floor(at.Z)))}]++
	}
	// respawn since 1.21.5, three members before.
	root := p.Root()
	dimension, _ := root.Get("SpawnDimension").Text()
	x, hasX := root.Get("SpawnX").Int()
	z, hasZ := root.Get("SpawnZ").Int()
	if respawn := root.Get("respawn"); respawn.Exists() {
		dimension, _ = respawn.Get("dimension").Text()
		if pos, ok := respawn.Get("pos").IntArray(); ok && pos.Len() == 3 {
			x, z, hasX, hasZ = int64(pos.At(0)), int64(pos.At(2)), true, true
		}
	}
	if hasX && hasZ {
		if dimension == "" {
			dimension = anvil.Overworld
		}
		f.respawns[place{dimension, blockChunk(int(x), int(z))}]++
	}
}

func (f *facts) readForced(w *anvil.World) (failed []anvil.Failed) {
	f.forced = make(map[place]bool)
	for _, d := range w.Dimensions() {
		doc, err := w.ReadData("chunk_tickets", d.ID)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			failed = append(failed, anvil.Failed{Path: d.Data, Err: fmt.Errorf("chunk_tickets: %w", err)})
			continue
		}
		for pos := range forcedIn(doc.Content()) {
			f.forced[place{d.ID, pos}] = true
		}
	}
	return failed
}

// forcedIn lists the chunks that tickets keep loaded for good: a list of longs
// before 1.21.5, tickets of the type forced since.
func forcedIn(content nbt.Tag) map[region.ChunkPos]bool {
	list := make(map[region.ChunkPos]bool)
	if longs, ok := content.Get("Forced").LongArray(); ok {
		for i := range longs.Len() {
			packed := uint64(longs.At(i))
			list[region.ChunkPos{X: int32(uint32(packed)), Z: int32(uint32(packed >> 32))}] = true
		}
	}
	for _, ticket := range content.Get("tickets").Elements() {
		pos, ok := ticket.Get("chunk_pos").IntArray()
		kind, _ := ticket.Get("type").Text()
		if ok && pos.Len() == 2 && completeID(kind) == "minecraft:forced" {
			list[region.ChunkPos{X: pos.At(0), Z: pos.At(1)}] = true
		}
	}
	return list
}

func (f *facts) readPresence(w *anvil.World, files []scan.File) (failed []anvil.Failed) {
	f.present = make(map[string]map[region.Pos]*[region.Slots / 64]uint64)
	var r scan.Reader
	for _, file := range files {
		if file.Kind != store.Chunks {
			continue
		}
		header, err := r.Header(w.FS(), file)
		if err != nil {
			failed = append(failed, anvil.Failed{Path: file.Path, Err: err})
			continue
		}
		var bits [region.Slots / 64]uint64
		for slot := range region.Slot(region.Slots) {
			if !header.Entry(slot).Empty() {
				bits[slot>>6] |= 1 << (slot & 63)
			}
		}
		regions := f.present[file.Dimension]
		if regions == nil {
			regions = make(map[region.Pos]*[region.Slots / 64]uint64)
			f.present[file.Dimension] = regions
		}
		regions[file.Pos] = &bits
	}
	return failed
}

// maxBorder is the largest distance that border gives.
const maxBorder = 32

// border is how many rings of chunks around one are all there.
func (f *facts) border(dimension string, pos region.ChunkPos) int {
	regions := f.present[dimension]
	has := func(x, z int32) bool {
		p := region.ChunkPos{X: x, Z: z}
		bits := regions[p.Region()]
		slot := p.Slot()
		return bits != nil && bits[slot>>6]&(1<<(slot&63)) != 0
	}
	for ring := int32(1); ring <= maxBorder; ring++ {
		for i := -ring; i < ring; i++ {
			if !has(pos.X+i, pos.Z-ring) || !has(pos.X+ring, pos.Z+i) || !has(pos.X-i, pos.Z+ring) || !has(pos.X-ring, pos.Z-i) {
				return int(ring) - 1
			}
		}
	}
	return maxBorder
}
