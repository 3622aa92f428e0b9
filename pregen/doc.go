// Package pregen generates the chunks of a world ahead of its players.
//
// # Nouns
//
// A run makes the chunks of [Target]s, each an area of one dimension, up to a
// status. A [Generator] makes them, in batches, each of one tile; the run
// decides which, compresses, saves and counts them. Finished chunks of a region
// go to its spool (package spool); when all of a region are there, its file is
// written, and the spool goes. The run file says what the run is about, so that
// a process that is killed is followed by one that goes on. Package plan says
// which chunks there are, and in which order they come.
//
// # What a run promises
//
// The files that one run creates depend on its settings alone: seed,
// DataVersion, generator, game files, area, status, level and timestamp. They
// do not depend on the number of workers, the order, the profile, limits or
// interruptions. A new region file is canonical: records in the order of slots
// from sector 2, without gaps, padded with zeros, all timestamps equal.
//
// A kill at any time loses at most two seconds of work and leaves no hole: the
// next run with the same settings goes on. With other settings it is refused
// and the difference named ([MismatchError]), until Options.Restart gives the
// interrupted run up. While chunks are in spools the game does not see them; if
// it, or anybody, puts a chunk in their place meanwhile, that chunk stays.
//
// What the world has at the wanted status is kept, what is below it in the area
// goes on from its stored blocks. What cannot be read, is too new or belongs
// elsewhere counts as failed and is never overwritten. A region file with
// defects, or one that is in use, is not rewritten: chunks are added to it by
// ordinary commits. Records that stay are copied byte for byte, with their
// timestamps.
//
// What generation touches beside the area, its rim, is saved as far as it has
// come: decorated chunks at initialize_light, others that were written into at
// carvers. A later run goes on from those. Finished chunks next to new ones get
// new light, nothing else in them changes. What is continued is kept as it was
// until the run ends, since after a kill chunks beside it are made again from
// that: nothing that a run has made is ever the input of its work.
//
// A chunk that fails is tried again on its own with a new worker, then given
// up and listed. One that generation leaves unfinished is saved as it is, and
// listed, or counted as left to the game. Chunks that the game would blend with ones from before 1.18
// count as failed too, see Options.NoBlending.
//
// The files of a region appear as one to snapshots that the store makes, unless
// one of them must not be rewritten. After a crash between them chunks never
// lack their entities and points of interest.
//
// A run stops before the disk is full, with what is finished durable.
//
// # Files
//
// Below strata/pregen in the world's folder: run.json,
// namespace/dimension/r.x.z.spool, before/r.x.z.spool beside that with the
// chunks that were continued, and a file for what generators put aside. All of
// them are gone when a run has made everything. One that has failures leaves run.json: a run with the same
// settings tries those again, one with others begins anew.
//
// # Concurrency and limits
//
// Run is called once at a time for a world. It needs the store alone; the
// memory of a run depends on how many regions are under construction, in the
// order by region a few, and 128 bytes for each region file that the world had;
// generators get a fifth of the memory limit for chunks under construction.
// [Map] is safe for concurrent use.
//
// # Sources
//
// Package region has those of the file format. How far the game blends new
// chunks with old ones, 7 chunks, and that 1.18 (DataVersion 2860) is where it
// begins, is assumed: it was not compared with the game.
package pregen
