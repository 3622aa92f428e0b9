// Command peers runs other Go libraries for Strata's benchmarks.
//
// It is a module of its own, so that what it compares with stays out of
// Strata's go.mod. The benchmarks build it with the go command and talk to it
// on its standard input and output: they ask for one pass of one operation at
// a time, so that both contestants take turns within one run. The client is
// Peers in package strata/bench. Another program that speaks the protocol is
// bench/clients/peer.mjs, which has storage/load-kept, storage/scan-kept and
// storage/save, and says "node" where this one says "go".
//
// # Nouns
//
// The peer is github.com/Tnze/go-mc: its packages nbt, save and save/region.
// A sample is the chunks to work on. An operation (op) does one thing with
// every chunk of the sample, in the fastest way that the library's API allows
// unless its description says otherwise; a pass is one such round:
//
//   - nbt/unmarshal: each payload into one save.Chunk that is emptied in
//     between. The library overwrites what it finds and leaves the rest as it
//     was, so emptying is the caller's duty; a fresh value each time is a few
//     percent slower;
//   - nbt/unmarshal-any: each payload into an any;
//   - nbt/marshal: each chunk from an any into one bytes.Buffer. v1.20.2 cannot
//     encode the save.Chunk that it has decoded: a block state without
//     properties, and there is one in every chunk, is an "unsupport type
//     nbt.RawMessage" to it;
//   - storage/open: the first file opened and closed, as often as there are
//     chunks;
//   - storage/load: each chunk by ReadSector and Chunk.Load, from files that
//     are open;
//   - storage/load-kept: the same with one inflater, one buffer and one
//     save.Chunk from chunk to chunk, which Chunk.Load has no way to do;
//   - storage/scan, storage/scan-kept: the same, from opening each file, over
//     every slot, to closing it;
//   - storage/save: each chunk from an any, compressed with one writer of
//     compress/zlib at level 6, and by WriteSector into a new file, padded and
//     closed, without waiting for the disk. The library's own Chunk.Data does
//     not close its zlib stream, besides not being able to encode.
//
// Before an op is measured for the first time its results are checked against
// the sample, and every pass counts what it has made: see verify.go.
//
// # Protocol
//
// Both sides write JSON values of one line each, of at most 64 KiB.
// The peer begins with a hello: its name, version, Go version and ops. Then
// each request gets one reply, in order. "load" names the sample:
//
//	{"op":"load","sample":FILE,"regions":[FILE...],"dir":FOLDER}
//	{"op":"load","chunks":998,"bytes":...}
//
// sample is a run of records: a little-endian uint32 length and a payload of
// so many bytes. regions are region files that hold just these chunks in the
// order of their slots, one file after the other; with none of them the peer
// makes its own in the folder, with level 6. Files that storage/save has
// written stay in the folder. Any other op is a pass:
//
//	{"op":"nbt/unmarshal"}
//	{"op":"nbt/unmarshal","clock":"thread_cpu","ns":...,"wall_ns":...,"process_ns":...,
//	 "chunks":998,"bytes":...,"mallocs":...,"alloc_bytes":...}
//
// A request that fails gets a reply with "error", and the peer goes on. It
// ends when its input does.
//
// # What is measured
//
// ns is the CPU time of the thread in most ops, and the time of the wall clock
// in storage/save, as clock says; durations and counts are of the whole pass.
// CPU time of the thread leaves out what the garbage collector does on other
// threads, which favours the peer, whose chunks are thousands of allocations
// each; process_ns is the CPU time of the whole process and has it. The
// garbage collector runs once before each pass and keeps its default settings.
// Systems other than Linux have no such clock: there clock is "wall", and
// process_ns is 0.
package main
