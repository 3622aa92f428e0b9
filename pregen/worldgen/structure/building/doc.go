// Package building lays out and builds the structures that stand for themselves:
// ocean monuments, woodland mansions, end cities, desert pyramids, jungle
// temples, swamp huts, igloos, shipwrecks, ocean ruins and ruined portals.
//
// Its nouns:
//
//   - a layout finds where a structure of its type starts and makes its pieces:
//     see package structure. Factories has them all, Readers their pieces;
//   - a plan says of which blocks a piece is built that has no template: the
//     files below plans, whose form is told in planparse.go. Monuments, pyramids,
//     temples and huts have plans;
//   - a turned piece is a template that is reflected and turned; a marker is a
//     block of a template that says what is to be done there: loot, mobs;
//   - a maze is the rooms of a monument; a mansionPlan is the cells of a mansion.
//
// # State
//
// Pyramids, temples, huts and wrecks on beaches get their height in the first
// chunk that they are placed in, and remember which chests and mobs are there.
// Other wrecks, ocean ruins and igloos get theirs from the ground as carvers left
// it, which is the same in all chunks. Rooms of monuments follow from the seed
// and the chunk of the start. All of these meet at most three by three chunks,
// but for monuments, which only remember their rooms.
//
// # How much is the game's own
//
// All 84 starts of these types in real worlds of 26.2 have the same pieces and
// boxes: 44 ruins and wrecks, 28 portals, 4 monuments, 4 end cities, 3 igloos, a
// jungle temple (go test -run StartsHave -v, 30 November 2026). Of the blocks
// within pieces of 16 full chunks with monuments, wrecks, ruins and portals
// 25,409 are right; 78 are not, all of them what features and time changed: kelp,
// ice, gravel, lava, basalt. So are all seeds of loot, 20 (STRATA_ALL_CHUNKS=1 go
// test -run BlocksOf -v). No real chunk shows the blocks of pyramids, temples,
// huts, igloos, mansions, end cities and beached wrecks: these are from
// description.
//
// A chunk that the game saved at carvers and read again has forgotten the heights
// of generation; around portals on the ground it then differs from one that was
// made in one go.
//
// What mobs hold, and what cats look like, follows from the place; the game draws
// it from sources of the mobs' own.
//
// # Cost
//
// CPU time a chunk of a profile of BenchmarkPlace: 0.4 ms in a monument, 1.9 ms in
// a mansion, two thirds of it fitting blocks to their neighbours (two shared cores
// of an AMD EPYC, 30 November 2026). Laying a mansion out takes 0.2 ms.
//
// # Concurrency
//
// Layouts do not change and may be shared. A piece belongs to those who decorate
// the chunks that it meets, one after the other.
//
// # Sources of the facts
//
// Public descriptions of the game's structures, among them the sources of Pumpkin
// and SteelMC, compared with each other and with the chunks and starts named
// above; names and sizes of templates from the 26.2 data.
package building
