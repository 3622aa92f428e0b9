// Package nether has the features that build the Nether: blobs of glowstone
// and of rock, plants of the forests, vines that hang and climb, pillars and
// columns of basalt, and deltas. Huge fungi are in package tree, ores and fire
// in package feature.
//
// Its nouns:
//
//   - a patch is a feature that tries many places around one (plants, vines);
//   - a strand is one vine: body blocks and a tip that still grows;
//   - rings are the places near one by their distance along the axes, in the
//     order in which the game visits them, which shows in deltas.
//
// Factories returns them all, by type. Features do not change once they are
// made and may be used concurrently; package feature says what else holds of
// them.
//
// # What real chunks say
//
// Most of these features land on what was built before: blobs of basalt look
// for netherrack, fungi and plants for ground. The order in which chunks are
// decorated shows nearly everywhere, and the game does not keep one. So chunks
// are compared in the orders they may have been decorated in. Of 26 real chunks
// of 26.2 that never ticked and that no structure reaches, 19 are equal in one
// that was found by trying, basalt deltas and forests among them, with what is
// marked for the first tick and the fluids that are to flow; the others differ
// where chunks farther off decide. In ten orders, by distance from some places
// and the one that pregeneration keeps, 10 of the 26 are equal, and 20 of 51
// that may have ticked. Glowstone, gravel, mushrooms and debris are right in all
// (STRATA_ALL_CHUNKS=1 go test -v ./pregen/worldgen/feature/nether, 30 November
// 2026).
//
// # Limits
//
// Patches are up to 64 blocks wide and high, vines up to 512 long; the game has
// no bounds for these. What a feature draws does not depend on what lies beyond
// the neighbouring chunks, and nothing is written there.
//
// # Sources of the facts
//
// The 26.2 data, public descriptions of the features, and real chunks of 26.2,
// which the tests compare with.
package nether
