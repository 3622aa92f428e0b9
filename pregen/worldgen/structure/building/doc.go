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
// # Concurrency
//
// Layouts do not change and may be shared. A piece belongs to those who decorate
// the chunks that it meets, one after the other.
package building
