// Package spool keeps the finished chunks of a region until its file is
// written: an append-only file for each region under construction, from which
// a run that was killed goes on.
//
// # Nouns
//
// A record is one finished payload: what goes into a region, entities or poi
// file, already compressed. A group is the records of one chunk, appended
// together, the chunk's own last: a group counts only when that one is there. A
// group may also say that a chunk is settled and has nothing to save. A flush
// makes everything durable that was appended before it.
//
// # The file
//
// A spool is called like its region file with the ending .spool. It begins with
// 32 bytes: the magic "strSPL\x00\x01", the run's identifier, x and z of the
// region, and the xxh64 of these 24 bytes. Behind it follow records of 24
// bytes and a payload:
//
//	kind    1 byte    0 chunk, 1 entities, 2 poi, 3 settled
//	scheme  1 byte    the compression type
//	slot    2 bytes
//	length  4 bytes   of the payload
//	base    8 bytes   see Record.Base
//	xxh64   8 bytes   of the 16 bytes before it and the payload
//
// All numbers are big-endian, as in region files. The first record that does
// not check is the end: what stands there was torn, and is cut off when the
// spool is opened.
//
// # Durability
//
// What was appended lies in memory until a flush, which writes it in one piece
// and syncs the file. If the sync fails, nothing of it is believed: the spool
// is written again under another name, from what earlier flushes made durable
// and from what is still in memory, and takes the place of the old file.
//
// # Concurrency and limits
//
// A Spool is safe for concurrent use. Appending does not wait for a flush that
// is under way. No file stays open between flushes. A payload has at most
// [MaxPayload] bytes, a spool at most [MaxFile]; both are checked before
// anything is read by a length from the file.
package spool
