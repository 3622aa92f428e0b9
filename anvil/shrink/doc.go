// Package shrink makes the region files of a world smaller without changing what
// is in them: Recompress writes records with another scheme or level, Compact
// takes the free sectors out.
//
// # Nouns
//
// A Survey lists the region files of a world with what their headers tell: how
// many records there are, what their sectors take, and what is free. It is what
// both commands show before they do anything. A Recompressed or a Compacted counts
// what was, or would be, done.
//
// # Recompress
//
// Each document is compressed anew, inflated again and compared with what it was,
// before anything is written. A record is replaced if its scheme is to be another
// one, or if it gets smaller. Timestamps of slots stay. What cannot be read or
// inflated stays as it is, byte for byte, and is counted.
//
// Where all records of a file can be read, the file is written anew, dense and
// under a temporary name, and takes the place of the old one in one step; a record
// that was changed is kept for undo before that. A file with records that cannot
// be read, or that is very large, is changed record by record, and compacted then.
//
// A record in a file of its own keeps its scheme, unless it becomes so small that
// it needs that file no more: the scheme stands in the region file, and the two
// files cannot be replaced in one step. No record is moved to a file of its own.
//
// After a kill at any moment every record is readable, as it was or as it was to
// become. Files that are done are noted in strata/recompress.log of the world's
// main folder, by size, time and header: the next run with the same settings
// passes over them. The log goes when a run is through.
//
// # Compact
//
// Files are rewritten by region.File.Compact: records stay as they are, byte for
// byte, with their timestamps, as do external files and what cannot be read. A file
// that is linked from elsewhere is not changed in place: its path gets a file of
// its own. There is nothing to undo.
//
// # What is refused
//
// Region files that are symbolic links are listed as failed and the rest goes on.
// So are, for Compact, those in which entries overlap or lead nowhere, and those
// that hold something and have no entry: what their headers lost may lie in sectors
// that seem free, and Recompress leaves those sectors as well. A full disk ends both.
//
// # Limits
//
// Recompress holds the records of at most two region files in memory, up to 256
// MiB each, and about 10 MB for each worker.
//
// # Concurrency
//
// Both run several goroutines and wait for them; Progress is called by any of them.
package shrink
