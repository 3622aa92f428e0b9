package structure

import (
	"sync"

	"strata/nbt"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure/template"
	"strata/pregen/worldgen/terrain"
)

// Box is a box of blocks, its ends included.
type Box = template.Box

// NewBox returns the box from one block to another.
func NewBox(minX, minY, minZ, maxX, maxY, maxZ int32) Box {
	return Box{MinX: minX, MinY: minY, MinZ: minZ, MaxX: maxX, MaxY: maxY, MaxZ: maxZ}
}

// Layout is a kind of structure with its parameters: an entry of the registry
// worldgen/structure. It does not change and may be shared by workers.
type Layout interface {
	// Find looks for a place to start at in the layouter's chunk, and reports
	// false if there is none. It draws from l.Random first of all.
	Find(l *Layouter) (Point, bool)
}

// Point is where a structure would start.
type Point struct {
	// X, Y, Z is the block whose biome decides whether the structure may be
	// here.
	X, Y, Z int32
	// Pieces makes the pieces if the biome allows them. It goes on drawing from
	// l.Random. No pieces is no structure.
	Pieces func(l *Layouter) []Piece
}

// Finisher is a Layout that builds something when all pieces in a chunk have
// been placed.
type Finisher interface {
	Finish(p *Placer)
}

// Factory makes a layout of a document of worldgen/structure, whose members
// that all kinds have are read elsewhere.
type Factory func(l *Loader, document provider.Value) (Layout, error)

// Piece is a part of a structure, with a box that it is built in. A Base in it
// gives it all of the methods but the last two.
type Piece interface {
	// Common returns what all pieces have.
	Common() *Base
	// Move moves the piece, before anything of it is placed.
	Move(x, y, z int32)
	// Place builds what lies in p.Box.
	Place(p *Placer)
	// Save returns what is stored beside id, BB, O and GD, by the names that
	// the game uses.
	Save() nbt.Compound
}

// Reader makes a piece from what is stored of it; the base has been read.
type Reader func(base Base, fields *Fields) (Piece, error)

// Adapted is a piece of which the ground depends otherwise than through its
// box alone.
type Adapted interface {
	// Ground returns the height of the ground above the box's lowest y, false
	// if the box takes no part, and where the piece joins others.
	Ground() (delta int32, rigid bool, junctions []terrain.Junction)
}

// Templated is a piece that is built of templates.
type Templated interface {
	TemplateIDs() []string
}

// Steady is a piece that settles nothing when it is placed.
type Steady interface {
	Steady()
}

// Recaller is a piece that settles something which the chunk of its start is
// saved without, and which the blocks of the chunks it meets tell.
type Recaller interface {
	// Recalls reports whether there is something to be learnt.
	Recalls() bool
	// Recall tells the piece of a block entity within its box that is there.
	Recall(id string, x, y, z int32)
}

// Start is a structure: its pieces, kept with the chunk that it starts in.
type Start struct {
	ID         string // of the structure, such as minecraft:igloo
	X, Z       int32  // the chunk
	References int32  // how often the game located it
	Pieces     []Piece
	Adaptation terrain.Adaptation
	Layout     Layout

	box Box // in which chunks refer to it

	mu    sync.Mutex
	fresh map[Piece]nbt.Compound // guarded by mu: what was stored of far pieces before they settled something
}

// near reports whether a box lies in the start's chunk and those around it. All
// of these are decorated before the chunk is saved, whatever the order of
// others.
func (s *Start) near(b Box) bool {
	return b.MinX>>4 >= s.X-1 && b.MaxX>>4 <= s.X+1 && b.MinZ>>4 >= s.Z-1 && b.MaxZ>>4 <= s.Z+1
}

// placePiece places a piece.
func (s *Start) placePiece(p *Placer, piece Piece) {
	s.settle(piece, func() { piece.Place(p) })
}

// recall has pieces learn what they settled in an earlier run.
func (s *Start) recall(f func(Recaller, Box)) {
	for _, piece := range s.Pieces {
		if r, ok := piece.(Recaller); ok && r.Recalls() {
			s.settle(piece, func() { f(r, piece.Common().Box) })
		}
	}
}

// settle calls f, in which a piece may settle something. Of one that is far from
// the start's chunk it keeps what it was before, since that chunk is saved now
// before and now after.
func (s *Start) settle(piece Piece, f func()) {
	if _, steady := piece.(Steady); steady || s.near(piece.Common().Box) {
		f()
		return
	}
	s.mu.Lock()
	before, settled := s.fresh[piece]
	if !settled {
		if s.fresh == nil {
			s.fresh = make(map[Piece]nbt.Compound)
		}
		before = SavePiece(piece)
		s.fresh[piece] = before // before another worker saves the start
	}
	s.mu.Unlock()
	f()
	if settled {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if nbt.Equal(before, SavePiece(piece)) {
		delete(s.fresh, piece)
	}
}

// savePiece returns what is stored of a piece.
func (s *Start) savePiece(p Piece) nbt.Compound {
	s.mu.Lock()
	defer s.mu.Unlock()
	if fresh := s.fresh[p]; fresh != nil {
		return fresh
	}
	return SavePiece(p)
}

// NewStart returns a start of a structure. There is one piece at least.
func NewStart(s *Structure, x, z, references int32, pieces []Piece) *Start {
	start := &Start{
		ID: s.ID, X: x, Z: z, References: references, Pieces: pieces, Adaptation: s.Adaptation, Layout: s.Layout,
	}
	start.box = start.Box()
	return start
}

// adaptationReach is how far around its pieces a structure changes the ground,
// in blocks.
const adaptationReach = 12

// PiecesBox returns the box around all pieces.
func (s *Start) PiecesBox() Box {
	box := s.Pieces[0].Common().Box
	for _, p := range s.Pieces[1:] {
		box = box.With(p.Common().Box)
	}
	return box
}

// Box returns the box in which chunks refer to the start: that of the pieces,
// and what they change of the ground around.
func (s *Start) Box() Box {
	box := s.PiecesBox()
	if s.Adaptation != terrain.NoAdaptation {
		box = box.Grown(adaptationReach)
	}
	return box
}
