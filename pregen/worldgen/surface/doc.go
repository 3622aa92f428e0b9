// Package surface turns the bare terrain of the noise stage into ground: it
// runs the surface rules of a noise_settings document over a chunk, and the two
// landforms that the game makes in code, the pillars of eroded badlands and the
// icebergs of frozen oceans.
//
// Its nouns:
//
//   - a Rule is the surface_rule of a document, read and validated by Parse:
//     sequences, conditions, blocks and bandlands.
//   - a System is a rule made ready for one dimension and seed, with its
//     noises, clay bands and biomes. It does not change and is shared.
//   - a Builder is the scratch of one worker. Build applies the system to a
//     chunk; TopMaterial answers a carver that opened the ground.
//   - the surface depth of a column is about how many blocks of earth lie on
//     it; its minimum surface level is a little below the preliminary surface,
//     which is the terrain's height without caves.
//   - the depth of a block is its place in a run of solid blocks, counted from
//     the top (a floor) or from the bottom (a ceiling), from 1.
//
// # How rules are run
//
// A rule becomes a graph of tests. Equal tests and equal parts of it are one.
// What is known before a block is looked at is decided when the system is made,
// once for each way it can be: the conditions on height alone split the world
// into bands, biomes that no rule tells apart are one class, and a block is
// above the minimum surface level or below, and near a floor or deeper than any
// rule reaches. What remains is small, and for most blocks nothing or one
// state: whole layers are then written without a test. Noises are sampled once
// a column, and biomes are looked up only where the biomes that may be there
// differ in what they do. The result is that of asking the rule for each block.
//
// # Limits
//
// A rule has at most MaxRules rules and conditions, nested at most MaxDepth
// deep. A System may be used concurrently; a Builder may not.
//
// Sources of the facts: the documents of 26.2; for the rest public descriptions
// of the game, checked by the tests against eleven chunks of 26.2 before and
// after the stage (seeds 0 and 13579). is_3d of noise_threshold is new in 26.2;
// that it samples the noise at the block's own place is checked against sulfur
// caves of real chunks.
//
// # Cost
//
// BenchmarkBuild, in CPU time of a thread on a shared AMD EPYC, 2026-11-30: a
// chunk of the overworld 80 us where all is one biome, 150 to 310 us where
// biomes meet, 350 to 380 us with icebergs or badlands; of the Nether 100 to
// 170 us; of the End 6 us. Making a System takes half a millisecond.
package surface
