// Package worldmap draws worlds from above: what a map on the wall would show,
// from the files alone.
//
// Its nouns:
//
//   - a column is what is seen of 1 by 1 blocks: a color, the height of the
//     surface, and under water the ground and its depth;
//   - a Plan is what is to be drawn of one dimension: its region files with the
//     chunks that Options.Pick names, and their Bounds;
//   - a Region is the finished picture of one region file, 512 by 512 pixels.
//     Plan.Draw makes them, in the order of package scan: by rows from north to
//     south. All else is made of them: Plan.WritePNG puts them into one picture,
//     Plan.WriteTiles into a folder of tiles with a page that shows them;
//   - a scale is how many blocks a pixel is wide, a power of two up to MaxScale;
//   - an Overlay colors chunks by something that is not seen, such as their
//     status. Marked makes one of any list of chunks, as of a comparison.
//
// # What is drawn
//
// Colors are those of the game's maps (package block), but for grass and leaves,
// which have the tint of their biome, water, which shows the ground through it
// where it is shallow, and lava. Small plants and what maps see through are not
// drawn. A column is lighter if the ground north of it is lower, and darker if
// it is higher, across the borders of chunks and regions too.
//
// Nothing above Options.MaxY is drawn. A column that is inside of the ground
// there begins at the highest air below it; the nether is cut at NetherMaxY if
// nothing else is said.
//
// Chunks whose generation is not finished are hatched, over what there is of
// them, in the color of their status. Chunks from before 1.13, which package
// chunk does not read, are hatched in gray, and those that cannot be read in
// red; both are counted. Columns without blocks are nearly black, and chunks
// that are absent, or that Options.Pick leaves out, are transparent.
//
// # Known limits
//
// The tints of biomes end at their borders: the game's blending of neighbors is
// not made. A biome that 26.2 does not have is tinted like plains. The colors of
// blocks on maps are assumed (see package block).
//
// # Cost
//
// Draw reads region files in parallel and keeps, for each worker, two pictures
// of a region, and of the row above the heights of its southern rim. WritePNG
// keeps one row of regions besides, WriteTiles the tiles that are not complete.
// Neither grows with the length of the world from north to south.
//
// Nothing is written to the world or locked. A Plan may be drawn again and by
// several goroutines at a time.
//
// # Sources
//
// How map items shade by the neighbor to the north and water by depth:
// minecraft.wiki, Map item format. The colors of grass and foliage follow from
// a biome's temperature and downfall by a triangle between three colors, dry and
// wet heat and cold: minecraft.wiki, Biome colors (Block colors); those that
// biomes set themselves are in their data, which package registry has.
package worldmap
