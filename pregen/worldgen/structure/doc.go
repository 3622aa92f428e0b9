// Package structure places the structures of world generation: it finds where
// they start, lays out their pieces, says what they do to the ground, and
// builds them when chunks are decorated, as Java Edition 26.2 does.
//
// # Nouns
//
//   - a structure set (worldgen/structure_set) is placed on a grid or in rings:
//     a Placement says which chunks may start one of its structures, and one is
//     chosen by weight among those whose biomes allow it.
//   - a Layout is a structure with its parameters (worldgen/structure). For a
//     chunk it finds a Point and makes the Pieces.
//   - a Start is a structure that starts in a chunk, with its pieces. Chunks
//     within eight refer to it if they meet its box.
//   - a Piece has a box and builds what lies in the chunk that is decorated.
//   - a System has the sets and layouts of a dimension; Starts remembers the
//     starts around the chunks that a worker makes.
//   - a template is what players build and the game saves as a structure: see
//     package template. Its size and connectors are known without game files.
//
// # How a kind of structure plugs in
//
// Packages beside this one (jigsaw, underground, building) each export
//
//	func Factories() map[string]structure.Factory // by type, minecraft:igloo
//	func Readers() map[string]structure.Reader    // by piece id, minecraft:iglu
//
// and package gen joins the maps. A Factory reads the structure's document and
// returns a Layout. Its Find gets a Layouter: Random is seeded by the
// large-feature seed of the chunk, Height, Column and Biome tell of the world
// as the noise stage leaves it, Templates has sizes. The Point that it returns
// is tested against the structure's biomes; then its Pieces go on drawing from
// the same Random.
//
// A piece embeds Base, which is made with ID, Box, Facing and Depth. Place is
// called once for each chunk that the box meets, with a Placer: its Context is
// that of features (View and Random, which is seeded by the structure's step
// and number and shared by its pieces in order), Box the blocks that may be
// written. Base has the mapping from the piece's coordinates to the world and
// the usual ways to fill; they keep to Box by themselves. What a piece writes
// outside of Box through the View is a mistake, since the order of chunks would
// show. A Layout that is a Finisher is called after its pieces.
//
// # State
//
// Some pieces settle something when they are first placed: a height, or that a
// chest is there. Chunks within two of each other are decorated in the order of
// their rank, one after the other and never together, so a piece that meets no
// more than three by three chunks may keep such state in its fields; the lowest
// ranked of these chunks settles it. What is settled is in a Known, which the
// workers that decorate chunks beside each other share, and which begins empty
// when chunks are decorated anew. Any other piece must not change in Place.
//
// Save stores what is settled, but for pieces beyond the chunks around the
// start's own: when these are placed before that chunk is saved and when after
// it is chance, so they are stored as they were laid out.
//
// # Concurrency
//
// Systems, Layouts, Libraries and Knowns are shared. A Layouter, a Placer and a
// Starts are a worker's.
package structure
