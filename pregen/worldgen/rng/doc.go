// Package rng holds the random sources of the game's world generation, equal
// bit for bit to those of Java Edition 26.1 and 26.2.
//
// Its nouns:
//
//   - a source gives one sequence of numbers. Legacy is java.util.Random's
//     48-bit congruential generator, used by the Nether, the End, carvers and
//     structure placement. Xoroshiro is xoroshiro128++, used for the
//     overworld's noises. Worldgen wraps either one and derives its numbers as
//     Legacy does, from the top bits of each step, whatever is inside: an
//     IntN of Worldgen over Xoroshiro is not Xoroshiro's own IntN.
//   - a positional factory (LegacyPositional, XoroshiroPositional) makes
//     sources that depend on a block position or on a name and on nothing
//     that was drawn before. Names are hashed with MD5 (Xoroshiro) or with
//     Java's String.hashCode (Legacy).
//   - the decoration, feature, large-feature and region seeds are how a chunk
//     reseeds a Worldgen source before it places something.
//
// A source and a value made from one seed are cheap; sources are not safe for
// concurrent use, positional factories are values and are. Nothing here
// allocates except the methods that return an interface; ValueAt, ValueHash
// and ValueSeed are their forms without.
//
// Bounds are the caller's to check: as in Java, a bound of IntN below one is
// a bug, and panics. Data packs are validated where they are read.
//
// Sources of the facts: java.util.Random's documented algorithm; the published
// xoroshiro128++ and the seeding of java.util.random's implementation of it,
// against both of which the tests compare; for the game's own derivations
// (positions, names, decoration and structure seeds) public descriptions
// checked against structure starts and loot of real worlds of 26.2 and, by the
// tests of package noise, against samples of its noises; slime chunks have no
// such check. Gaussian takes the correctly rounded logarithm, which is what
// Math.log of OpenJDK 17 on amd64 gave in each of 20,000 draws (30 November
// 2026, TestSourcesDrawWhatJavaDraws), and StrictMath.log in 93 of 100.
package rng
