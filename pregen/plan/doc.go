// Package plan says which chunks a run of generation is about, and in which
// order they come.
//
// # Nouns
//
// An [Area] is a set of chunks: a [Shape] around a centre, a polygon, or the
// chunks that a world has already. Nothing lists it: [Area.Contains] answers
// for any chunk by arithmetic on whole numbers, so that an area is the same on
// every machine, and the memory of a walk does not grow with the area. (The
// chunks of a world are the exception: 128 bytes for each region that has a
// file.)
//
// A [Tile] is a square of chunks, aligned to its own side, that lies in one
// region: what is generated as one piece of work. A [Plan] walks the tiles of
// an area in an [Order]. The rim of an area is the chunks around it, up to a
// distance, that generation may reach.
//
// # Which chunks are in a shape
//
// A chunk is in a shape if the shape contains its middle, the point between
// its blocks 7 and 8; the border belongs to the shape. A radius in chunks is
// taken around the middle of the chunk that holds the centre, half a chunk
// longer: radius 24 is 49 by 49 chunks of a square. A radius in blocks is taken
// around the centre itself. Squares and rectangles with a radius in blocks, and
// the world border, are widened to whole chunks, so that all their blocks are
// generated.
//
// Triangle, pentagon, hexagon and star have their corners on the circle of the
// same radius, one of them in the north, rounded to whole blocks.
//
// # Orders
//
// [ByRegion] goes region by region, outwards from the one of the centre, and
// along a Hilbert curve in each: few region files are under construction at a
// time, and a tile mostly follows its neighbour. [Concentric] goes from ring to
// ring, [Spiral] walks each ring around without a jump, [Loop] goes through
// rows from north to south. These three go by tiles. Of the chunks that a
// world has, each order goes by regions.
//
// # Concurrency and limits
//
// Areas and plans do not change and are safe for concurrent use. Coordinates
// are at most 30,000,000 blocks from the middle of the world, which is where
// the game ends. The bounding box of an area has at most [MaxBounds] chunks, a
// polygon at most [MaxCorners] corners.
package plan
