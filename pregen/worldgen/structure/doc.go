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
// it is chance, so they are stored as they were laid out. If that makes a
// difference to other chunks the piece is a Recaller, and is told what stands
// where it was placed in an earlier run.
//
// # What is checked
//
// All 565 structures of the real worlds of package oracletest start in the same
// chunk with the same pieces, box by box, and none is found that is not there,
// in 65,874 chunks of three dimensions (TestStructuresAreThoseOfRealWorlds):
// ancient city 3, bastion 6, buried treasure 18, end city 4, fortress 13, igloo
// 3, jungle pyramid 1, mineshaft 108, monument 4, Nether fossil 295, ocean ruin
// 22, ruined portal 28, shipwreck 22, stronghold 3, trail ruins 5, trial
// chambers 23, village 7. The game stores some boxes otherwise than it laid them
// out: villages without the room above streets once they have been read from a
// file, wrecks, ruins and treasure at their height once they are placed.
// Everything that is stored of four kinds, junctions too, equals that of the
// sample worlds (structure/all). Desert pyramids, swamp huts, mansions,
// outposts, villages of the plains and the savanna, and mineshafts of the
// badlands are in no real world at hand.
//
// Cost: 0.15 ms of CPU a chunk in the overworld, 0.2 in the Nether and 0.04 in
// the End (BenchmarkStarts, two shared cores of an EPYC, 30 November 2026), the
// most of it for heights of the ground before there are chunks.
//
// # Limits
//
// Structures that others stored and that cannot be read are found anew. Flat
// worlds have none.
//
// # Concurrency
//
// Systems, Layouts, Libraries and Knowns are shared. A Layouter, a Placer and a
// Starts are a worker's.
package structure
