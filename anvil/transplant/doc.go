// Package transplant copies chunks to another place: with an offset, into
// another dimension or world. It rewrites every position in them.
//
// # Nouns
//
// A [Move] says where chunks go: an offset in chunks, and dimensions. A [Mover]
// rewrites documents for a Move: chunks, entity chunks, points of interest. [IDs]
// gives entities new UUIDs, which a copy within one world needs, as the game
// drops an entity whose UUID it has already. [Copy] does all of that for a set
// of chunks.
//
// # What is rewritten
//
//   - chunks: xPos, zPos; block entities, with exit portals, flowers, bees,
//     sculk cursors, vibrations, and places in what spawners spawn; block and
//     fluid ticks, those in UpgradeData too; entities of chunks that are not yet
//     full; structure starts with pieces, junctions, entrances and places of
//     templates; references to starts
//   - entities, with passengers: Pos, leashes, homes, hives, beds, targets of
//     patrols, traders and crystals, blocks that they hang on, shells, bounds and
//     anchors, memories with places, vibrations
//   - points of interest
//   - lodestones of compasses, wherever the compass lies
//
// A place that names its dimension is rewritten if that is the one that the chunks
// come from, and then names the one they go to. Places are moved as they are,
// whether or not what is there is copied too. Only numbers of the type that the
// game writes are touched; all else, what nobody knows included, stays byte for
// byte, and so does the size of the document but for names of dimensions.
//
// Places that are relative to the chunk stay as they are: sections, heightmaps,
// PostProcessing, carving masks, UpgradeData's sides. So do places in text and
// commands, and those that data packs and mods keep under names of their own.
// Raids, maps, tickets and the world's other data files are not copied.
//
// Blocks and light at the border of a copy stay as they are too, though the chunks
// beside it are others there: what was cut stays cut.
//
// # There and back
//
// Moving by an offset and back gives the same bytes, but for doubles: further
// from 0 they have fewer digits behind the point, so an entity may come back up
// to 2^-28 of a block beside its place.
//
// # Versions and heights
//
// Documents keep their DataVersion. One newer than the world that it goes to is
// refused, and dimensions of other heights are, as heightmaps, lists of marks by
// section and light would mean something else there. Records over 1 MiB are not
// copied into worlds from before 1.15, which have no files for them.
//
// # Limits
//
// A document is at most 256 MiB, inflated. New UUIDs take 32 bytes of memory for
// each entity; copying within one world 16 bytes for each chunk; otherwise memory
// does not grow with what is copied, but for one bit a chunk.
//
// # Concurrency
//
// A Mover belongs to one goroutine; IDs may be read by any number of them once
// it is filled. Copy uses several goroutines and waits for them.
//
// # Sources
//
// Names of members: worlds of 1.21.3, 26.1.2 and 26.2 that were looked through
// for positions. What these do not have, such as most places that entities keep,
// is called as minecraft.wiki calls it ("Entity format", "Block entity format",
// and their histories), since 1.21.5 and before, and was not seen in a file.
package transplant
