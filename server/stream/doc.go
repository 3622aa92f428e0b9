// Package stream is how worlds get to clients: chunks as packets for each
// protocol version, what a player sees, and how fast it is sent.
//
// # Nouns
//
//   - a [Numbering] is what numbers of memory become in one version: states,
//     biomes, types of block entities, with substitutes for what it lacks;
//   - a [Shape] is the sections that chunks of a dimension have;
//   - an [Encoder] appends packets: a whole chunk with its light, light alone,
//     blocks that changed, chunks to forget, the centre of the view;
//   - a [Cache] has the frames of chunk packets, compressed, one for each chunk
//     and version, shared by all who see the chunk;
//   - a [View] is the chunks that a player at a place sees;
//   - a [Pacer] says how many chunks a client takes now.
//
// # The way of a chunk
//
// The tick goroutine plans a View anew whenever its centre or distance changes,
// and View.Diff says what enters, nearest first, and what leaves. For what
// enters and is loaded it asks the cache, a few each tick, as the Pacer allows:
//
//	frame, err := cache.Frame(key, revision, snapshot)
//
// A frame that is not there yet is nil, is made by the cache's goroutines
// from the snapshot, and is there in a later tick. What changed in the chunk
// afterwards has another revision, so that it is made anew. When the
// chunk leaves memory the owner calls Cache.Forget, since revisions count from
// the load.
//
// # What is sent
//
// Sections have the palette that memory has, translated, unless it is too wide
// for the wire. States that no version knows are sent as the block that they
// are treated as (block.States.Base). Heightmaps are those of the surface, of
// what blocks motion, and of that without leaves. Block entities are all sent
// with their type, as clients make them only for what is listed; what more a
// client gets of each is listed in blockentity.go: a chest's items are not
// among it. For 26.1, which needs block entities for beds and whose worlds
// differ there from 26.2, they are made from the blocks.
//
// Light that a chunk does not say is not sent; clients take full sky light
// above the topmost section that has some, and darkness elsewhere.
//
// # Pacing
//
// A client says how many chunks it takes a tick. The first batch is 9 chunks;
// until the first answer one batch is under way, afterwards ten. Its numbers
// are held between 0.01 and 64, and what is no number is 0.01. A client that
// does not answer for a second gets one more batch each second, so that a lost
// answer ends nobody's world.
//
// # Concurrency and ownership
//
// A Numbering, a Shape and a View do not change and may be shared. An Encoder
// and a Pacer belong to one goroutine. A Cache may be used by any number of
// goroutines; the frames that it gives out are shared and must not be changed.
// Append functions never keep what they get.
//
// # Limits
//
// A Shape has at most 256 sections; a packet what package protocol allows, with
// an error beyond it. Names of items and states within the NBT of block
// entities are those of memory: a 26.1 client leaves out what it does not know.
//
// # Sources
//
// Layouts are those of package protocol. The shape of views and the rules of
// pacing are the game's since 1.20.2; the fields of block entities are what the
// game's update tags are known to have, from minecraft.wiki (Block entity
// format) and the behaviour of clients; none of them says it for all types.
package stream
