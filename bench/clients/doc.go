// Package clients lets programs of other authors judge ours: libraries from
// npm that read and write the game's formats, and know nothing of this
// project. Only tests import it.
//
// Its nouns:
//
//   - a library is one of those implementations, at the version that
//     package.json names; package-lock.json pins what it needs in turn;
//   - a judge is a Node process that asks libraries, one request at a time:
//     nbt.mjs for NBT, chunk.mjs for chunks and the region files they are in,
//     protocol.mjs for packets, connect.mjs for servers to connect to,
//     bots.mjs for playing there, swarm.mjs for doing so in great number,
//     remote.mjs for status and remote console.
//     Each kind of judge is one file here, on the loop in judge.mjs;
//   - a value is NBT in a neutral form that neither our packages nor the
//     libraries use, a document one value with its root name;
//   - a chunk is said in such a form too: arrays of numbers, of which a
//     numbering tells the names that are in the palettes;
//   - a deviation is one way in which a library is known to depart from the
//     format. Each has a name, and one place says which documents run into
//     it, so that a test leaves out those and no other.
//
// A test of a codec asks like this:
//
//	judge := clients.StartNBT(t)
//	got, err := judge.Decode(clients.NBTify, clients.File, data)
//	want, ok := clients.AsRead(clients.NBTify, ours)
//	if diff := clients.DiffDocuments(got, want); ok && diff != "" { ... }
//
// and for the other direction, when Deviations(Writing, ...) is empty, reads
// the bytes that Encode returns. A test of chunks tells the library what to
// write with ChunkWorld.Write and compares what it reads with OnDisk of it,
// and what the library reads, from Read or Digests, with InLibrary of what is
// in the file.
//
// # Setting up
//
// The tests need Node 20 or newer, and the libraries:
//
//	npm ci --prefix bench/clients
//
// Without them a test is skipped, or fails under STRATA_MUST_RUN=1, as
// package testbed says. So it is when the installed versions are not those of
// the lock file. To move to other versions, edit package.json and run npm
// install in this folder; its .npmrc keeps addresses out of the lock file.
//
// # Sources
//
// The binary form, its modified UTF-8 (Java's DataInput.readUTF) and SNBT are
// those of the Minecraft Wiki's pages "NBT format" and "SNBT format"; the
// network form is that of the protocol since 1.20.2 (protocol version 764).
// What the numbers in chunks mean is what minecraft-data 3.119.0 says of the
// version, or the report of the game's data generator.
//
// # Known deviations
//
// Of prismarine-nbt 2.8.0 and NBTify 2.2.0, seen with Node 20.20 on
// 2026-11-30; the tests of this package fail when one of them is no more.
// Those that a sound document can meet are the constants of type Deviation.
// Beyond these the libraries accept some damage, so their consent to damaged
// bytes says nothing:
//
//   - prismarine-nbt takes a compound that ends with the data for one with
//     its end tag, and a list of end tags with a length;
//   - both take a negative length of a list for an empty one, and so does
//     prismarine-nbt with arrays. A negative length of a byte array moves
//     NBTify backwards, where it can go round for ever;
//   - both replace malformed strings by U+FFFD, and NBTify reads overlong
//     forms;
//   - NBTify writes a string of more than 65535 bytes with its length cut to
//     16 bits.
//
// NBTify's SNBT departs in many places from what the game reads, of which
// snbt.go has the list. Those of prismarine-chunk 1.41.0 and
// prismarine-provider-anvil 2.13.0 are in chunk_deviation.go.
//
// prismarine-physics, at the version of the lock file, takes boxes that touch for ones
// that overlap where a sum was rounded: bots.mjs gives its bots sizes that do not round.
// mineflayer-pathfinder finds no way out of water that is two deep beside a ledge.
// minecraft-server-util asks in the way of 1.6 no port above 32767, and rcon-client takes
// the first packet of an answer for all of it.
//
// # Concurrency and limits
//
// A judge may be used by parallel tests; it answers one at a time. A request
// or an answer is at most 64 MiB, and a judge that gives no answer within 30
// seconds, or a minute for a bot and more for a swarm, is ended. After that, and after a crash, the next request starts it
// anew. Nothing survives the test that started it.
package clients
