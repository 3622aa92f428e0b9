// Package region reads and writes region files (r.X.Z.mca), the containers in
// which Minecraft: Java Edition keeps chunks, entities and points of interest,
// 32 by 32 chunks a file. A chunk's payload is bytes here: the package knows
// sectors and compression, not NBT.
//
// # Nouns
//
// A region file is made of sectors of 4,096 bytes. The first two are the
// header: a location (first sector, count) and a timestamp for each of the
// 1,024 slots. A record is a length, a compression type and a stream, in
// sectors of its own; the stream of a record of 256 sectors or more is in an
// external file (c.X.Z.mcc) and the record is a stub. A commit is one publish
// of a region file's header. A pin keeps the sectors and external files of
// one moment readable.
//
// # What a write promises
//
// Every write is copy-on-write. Payloads go to free sectors and are flushed;
// then the header, and it is flushed; only then are the old sectors free.
// After a kill or a power cut at any point each chunk is readable, at its last
// acknowledged version or a newer one, and no chunk is another chunk.
// Acknowledged means that Write, Commit.Wait, Group.Publish or Writer.Finish
// has returned nil.
//
//   - Writes that wait at the same time share both barriers, up to
//     Options.MaxGroup. There is no timer: a group collects while the one
//     before it is flushed, so a write waits for at most the groups that were
//     submitted before it and its own. The old sectors of one group at a time
//     are held back: at most a twenty-fourth of the file's, or 32.
//   - The header written for a group is the last durable one plus the group's
//     entries, never an entry whose payload is not flushed. One publish at a
//     time is made in a file.
//   - A failed flush is final: what was written since the last good one
//     counts as lost, is written again to other sectors through a reopened
//     file, and is not acknowledged if that fails as well (ErrFlush).
//   - A slot's timestamp rises with every write, so that no header comes back
//     identical with other content.
//   - A file that has further hard links is cloned before payloads or a
//     header are written, so that the other names keep every byte. Links are
//     counted each time; linking a live world from outside between the count
//     and the write is not supported.
//   - Sectors that any entry of the header names are not allocated, however
//     damaged the header is. Records that cannot be read are not overwritten
//     without Write.Overwrite.
//   - No sector at or beyond 2 GiB is allocated.
//   - A region file or external file that is a symbolic link is read through
//     and never written through (vfs.ErrSymlink): a world from elsewhere must
//     not lead a write out of it. Folders may be links.
//
// # Concurrency
//
// File, Folder, Pin and FolderPin are safe for concurrent use. Reads take no
// lock that a writer holds while it waits for the disk: they check after the
// read that the slot has not been published meanwhile, and read again if it
// has. A Group and a Writer belong to one goroutine at a time. One File at a
// time may have a path open for writing; the world's session lock sees to it
// between processes. File.Submit starts a goroutine that ends when its queue
// is empty; Close waits for it.
//
// # Reading what others left
//
// Every region file is opened: empty ones, ones without padding, with a short
// or damaged header, with overlapping or truncated records. What can be read
// is read; each defect has a Class, and absent (ErrAbsent) is never what a
// damaged slot returns. Compression types 1 gzip, 2 zlib, 3 none and 4 LZ4
// are decoded; others, the custom 127 included, are kept as they are. Check
// lists all defects, Repair mends them, Compact rewrites a file densely.
//
// # Sources
//
// The format as Minecraft: Java Edition writes it from 1.2 to 26.2, observed
// in files of 1.21.3, 26.1.2 and 26.2 and described at minecraft.wiki,
// "Region file format". Type 4 came with 24w04a. External files came with
// 1.15 (DataVersion 2203); no file of ours contained one, so the rule rests
// on the description: 256 sectors or more go outside.
//
// # Limits
//
// A stream is at most Options.MaxStream bytes, by default 256 MiB. An open
// File keeps about 30 KiB of memory, and up to 1 MiB of buffer after large
// groups.
package region
