// Package noise holds the gradient noises of the game's world generation,
// equal bit for bit to those of Java Edition 26.1 and 26.2. (26.3 computes
// part of them in single precision and needs other kernels.)
//
// Its nouns:
//
//   - Improved is one octave: Perlin's improved noise over a shuffled table of
//     256 and a random offset. Its smeared form, which only Blended uses,
//     rounds the height inside a cell down to steps.
//   - Perlin sums octaves, each of twice the frequency and half the weight of
//     the one before, times an amplitude. An octave of amplitude 0 is absent.
//   - Normal sums two Perlin stacks, the second at a slightly larger scale,
//     and is what the data calls a noise.
//   - Blended is the old terrain noise: a selector stack chooses between two
//     limit stacks.
//   - Simplex is two- and three-dimensional simplex noise; PerlinSimplex sums
//     octaves of it; Islands is the height field of the outer End.
//   - Parameters are a noise's data: its first octave and its amplitudes.
//
// Samples at single points are the reference. Column evaluates a vertical
// column, the form for terrain; Batch evaluates many points. They share work
// between rows and run octave by octave, and give the same bits.
//
// Noises do not change after they were made: all methods may be called
// concurrently (but those of IslandsView, which remembers), and none but
// constructors and View allocates. Coordinates are those of
// the game (up to 30,000,000 blocks, times a noise's scale); NaN and infinite
// coordinates give an unspecified value, without a panic.
//
// # Arithmetic
//
// Java rounds after every operation. The Go specification lets a compiler
// fuse a product into a sum, which rounds once, unless the product is
// converted: on arm64, and on amd64 with GOAMD64=v3, it does. So each product
// that is added to something is written float64(x*y), and a test looks for
// fused instructions in the assembly of all of world generation. The result is
// also the same for any order in which columns and points are evaluated.
//
// # Seeding
//
// The caller gives each constructor its source: for a named noise of a
// dimension without legacy random the world's positional factory hashed with
// the noise's name; for Blended the hash of "minecraft:terrain", or in the
// Nether and the End Legacy of the world seed; for nether/temperature and
// nether/vegetation NewLegacyNormal with Legacy of the world seed plus 0 and
// 1. NewIslands takes the world seed.
//
// Sources of the facts: Ken Perlin's and Stefan Gustavson's published noises;
// public descriptions of the game's octaves and seeding; parameters from the
// 26.2 data. The tests compare Normal with samples of the game's climate,
// Blended with its Nether and End terrain, and Islands with real End chunks.
// PerlinSimplex, three-dimensional Simplex and what the legacy Perlin skips
// are from description alone.
package noise
