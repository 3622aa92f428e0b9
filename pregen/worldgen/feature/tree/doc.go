// Package tree builds trees and what resembles them: trees of all kinds, fallen
// trees, huge mushrooms and the huge fungi of the Nether. Factories has them by
// the types of their features.
//
// Its nouns:
//
//   - a trunk placer places logs and says where crowns are attached; a foliage
//     placer places the leaves of a crown; a root placer the roots below;
//   - a decorator places what hangs on, stands at or lies below a tree;
//   - a minimum size says how much room a tree needs at each height, and below
//     which height it is not built at all;
//   - a work is the scratch of a tree that is built: the places of its roots,
//     logs, leaves and decorations.
//
// # How a tree is built
//
// Its height, the height of its crown and the radius are drawn; then it is
// looked for room, and only then are roots, trunk, crowns and decorations
// placed. Logs and leaves go where there is air or what trees may replace. At
// last leaves get their distance from logs, and the blocks around the tree
// adapt to it: plants cut in half vanish, vines that lost their hold too, leaves
// and water are scheduled for a tick.
//
// Decorators see logs, leaves and roots by height, and those of a height in the
// order of a Java HashSet, which hashSet keeps. What is put below a trunk counts
// as one of its logs.
//
// # Concurrency, errors, limits
//
// Features do not change and may be built by several workers. Loading checks
// everything and returns *provider.ValueError; building cannot fail. Crowns have
// a radius of up to 16 and trees a height of up to 80, as the game demands of
// documents; what it does not bound is bounded here by similar numbers.
//
// # How real they are
//
// Chunks of 26.2 with oaks, fancy oaks, birches, tall birches, spruces, pines,
// acacias, dark and pale oaks, jungle trees and bushes, fallen trees, red
// mushrooms, crimson and warped fungi, with litter, vines, cocoa, moss, a nest
// and a creaking heart, are the real ones block for block in some order of the
// chunks around (TestTreesOfRealChunks); so are the distances of leaves and the
// ticks of blocks. Real chunks do not tell in which order they were decorated,
// and in dense forests that decides: a tree stands in another's way, and litter
// that finds no place moves all numbers that are drawn after it.
//
// Of mega jungle trees and the podzol below them there are parts in real chunks,
// and they are right. No real chunk at hand has cherries, mangroves, azaleas,
// swamp oaks, mega spruces and pines or huge brown mushrooms: these are from
// description alone.
//
// Of what is around a tree, fences, panes and walls do not adapt to it.
//
// # Cost
//
// Trees take 0.2 ms of the CPU time of a chunk of a forest (go test -bench Forest
// with a profile, one of two shared cores of an EPYC at 2.6 GHz, 30 November
// 2026).
//
// # Sources of the facts
//
// The 26.2 data, public descriptions of the game's trees, and real chunks of
// 26.2, which the tests compare with.
package tree
