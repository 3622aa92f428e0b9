// Package light computes sky and block light: of whole chunks, and of what
// changes when blocks do.
//
// Its nouns:
//
//   - a cell is a block's place in its section, y<<8 | z<<4 | x;
//   - a level is 0 to 15, and light arrives weaker by a block's loss, the
//     greater of 1 and its opacity;
//   - a Column is a chunk prepared for light, once for itself and for its
//     eight neighbors;
//   - an Area is a rectangle of columns that an Engine lights at once. The
//     chunks within its rim get their final light;
//   - a Layer is the light of one kind in a section;
//   - a World is what an Engine updates after edits.
//
// # Rules
//
// A block has the greatest level of: what it gives off itself (block light
// only); for each neighbor, its level less the block's own loss, if the shapes
// of the two do not cover the side between them (block.FaceBlocksLight); and
// 15 if it is open to the sky (sky light only). A column is open from above
// down to the first block that dims light or that a shape closes, and light of
// 15 falls within it without loss. Levels are the least that fulfil this, so
// neither the order of chunks nor that of edits matters.
//
// The sections below the lowest and above the highest have light but no
// blocks. Light ends below and above them and where a chunk is not there.
//
// The game saves the light of a section that has blocks or touches, also by an
// edge or a corner, one that has, unless it is all dark (Layer.Stored). That
// may be sections below and above all that can have blocks.
//
// # Where that differs from the game
//
// The game does not take back light at once everywhere: where a feature of a
// neighbor put leaves or stone into a chunk that had its light, some of it is
// saved as it was. Of 560 chunks of real worlds that have their neighbors (36
// of them untouched, 115 in the nether), 435 are equal to the game's in all that it
// saved, 124 are when such light is given (levels that no neighbor can give),
// and one differs in 3 blocks. 4,504 more, of an empty world, have no light.
//
// Under a gap of sections that have neither blocks nor neighbors with some, the
// game takes the lowest layer above the gap for all of it. Here light spreads
// there as everywhere; of that the game saves nothing.
//
// # Cost
//
// Of BenchmarkColumn, BenchmarkLight and BenchmarkUpdate, in thread CPU time on
// two busy cores of an AMD EPYC, 2026-11-30: preparing a chunk takes 29 to 45
// us. Lighting takes, for each chunk that gets its light, in an overworld 0.17
// to 0.36 ms alone with its neighbors, 0.10 ms in an area of 6 by 6 and 0.08 ms
// in one of 10 by 10; in the nether 0.42, 0.18 and 0.16 ms. The rim of an area
// is followed only as far as its light gets within, so larger areas save most
// of it. An edit takes 3 us where no light changes, and 90 us for a torch in
// the open, which lights 3,300 blocks.
//
// # Sources
//
// The rules are those of 1.20 and later as described at minecraft.wiki (Light),
// held against chunks of 1.21.3 (DataVersion 4082), 26.1.2 (4790) and 26.2
// (4903) by the tests; which sections are saved was seen in the same. What is
// known of block states comes from package block.
//
// # Concurrency and memory
//
// An Engine belongs to one goroutine at a time, as does a Column while it is
// set. A Column that is set may be read by any number of engines. Both keep
// their memory and allocate nothing when used again.
package light
