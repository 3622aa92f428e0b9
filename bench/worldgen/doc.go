// Package worldgen measures world generation: what each stage takes of a
// chunk's CPU time, and how many chunks a second come out of it with one worker
// and with several.
//
// Its nouns:
//
//   - an Options says which seeds, dimensions and numbers of workers;
//   - a Row is one stage of one dimension with so many workers. The stage
//     "total" is all that a chunk takes from the seed to its compressed record.
//
// A chunk's stages are counted by how often they ran, so that what is made of
// the rim beside it does not count; CPUPerNew of the total is what a run takes
// for each chunk that was asked for, rim and all.
//
// Nothing is written. One Run at a time may be made in a process, since it
// reads the process's counters.
package worldgen
