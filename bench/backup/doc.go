// Package backup measures backups of a world that changes from save to save, ours
// beside those of rsync and restic.
//
// # What is measured
//
// The saves of a history are replayed into one folder: a file is replaced, by a
// rename, only if its bytes differ, and keeps its own modification time. After
// each save every contender makes a snapshot of that folder, in an order that
// turns from save to save, so that none always finds the files warm. Then each
// makes another one of the same folder, and restores the last one to a new folder,
// which is compared with the folder byte by byte, or, for contenders that repack
// region files, chunk by chunk.
//
// # Contenders
//
//	tree, repo   our targets; repo-exact is a repo that keeps every byte
//	rsync        rsync -a --link-dest, one folder a snapshot
//	restic       restic backup and restore, with its own compression
//
// Ours run in this process and make everything durable, which the programs do in
// part; the programs' times have their start in it, some 20 ms. Whoever is not
// installed is left out, and said to be.
//
// # Bytes
//
// Row.Bytes are those of the files of a store, a file with several names counted
// once; RepeatBytes are what the repeat added to it, with 4 KiB for each folder.
package backup
