// Package scan reads all region files of a world, in parallel and in constant
// memory: for questions about a world, not for changing it.
//
// Its nouns:
//
//   - a File is one region file of a world: of chunks, entities or points of
//     interest. Files lists them.
//   - Run reads files, each by one of several workers, and delivers what was
//     made of them in the order of the list.
//   - a Reader is a worker's memory. Its Headers and Chunks give what is in a
//     file: entries of the header, or records with their NBT.
//   - a Summary counts what Summarize found in a world.
//
// Nothing is written, created or locked. A file that another program writes at
// the same time is read as region does it: each record again until its entry is
// the same before and after.
//
// What cannot be read is a value beside the rest: a Chunk with its Err, a file
// in Summary.Failed. Absent is never what a damaged record is.
//
// # Cost
//
// A worker holds one file open, the largest record and the largest document it
// has met. The order of delivery makes at most two files a worker wait for a
// slower one before them.
package scan
