// Package block holds the game's blocks and block states: their names and
// numbers, and what is known of each - light, shapes, fluids, hardness.
//
// Its nouns:
//
//   - a block is a named kind (minecraft:oak_log), an [ID] its number;
//   - a [Property] is a choice that the states of a block differ in;
//   - a [State] is a block with a value of each of its properties. States of
//     one block are numbered in a row, the first property slowest;
//   - the native table has the blocks and states of 26.2 with that version's
//     numbers. States in memory are numbered by it;
//   - a [Version] is the numbering of another game version, for its protocol.
//     What a version lacks has a substitute there;
//   - a [States] gives numbers above the native ones to palette entries that
//     the table does not have, and keeps their NBT.
//
// # Reading a palette
//
// [Resolve] takes name and properties as views of the NBT. What it refuses is
// not exactly a native state and goes to [States.Intern], which keeps it byte
// for byte, so that unknown blocks, missing and unknown properties survive
// load and save. Facts of such states are those of stone; where light or
// heightmaps matter, a palette is first mapped through [States.Base].
//
// # Where the facts come from
//
// cmd/internal/genblock writes the tables, from the game's own reports (names,
// properties, numbers; 26.1.2 and 26.2), its block tags (tools, tiers, leaves,
// climbable, replaceable; 26.2), the npm package minecraft-data@3.119.0
// (hardness, resistance, light, collision shapes; 26.1; see NOTICE) and a
// table of the light of 60 blocks by state (1.21.3). Assumed, because no
// source has it, and kept in tables by class beside the generator:
//
//   - all facts of the 28 blocks new in 26.2 but names, numbers and tags: those
//     of older blocks of the same form, with the hardness of tuff;
//   - opacity of states other than the default one: 15 for a whole cube that
//     hides what is behind it, at least 1 in a fluid, else as the default;
//   - which blocks use their shape for light, and that the shape is the
//     collision shape but for snow layers and the sculk shrieker: slabs,
//     stairs, snow layers, farmland, dirt path, piston heads and extended
//     bases, enchanting table, end portal frame, daylight detector,
//     stonecutter, lectern, sculk sensors and shrieker, shelves;
//   - the blocks that block motion, or do not, against what their shape says;
//   - map colors, flammability, piston reactions, friction, speed and jump
//     factors.
//
// Left out, as nothing has it yet: outlines (the shapes that are aimed at),
// sounds, instruments, which states tick at random, block entity types.
//
// # Cost
//
// The embedded table has 24 kB. It is decoded on first use and leaves 1 MB of
// flat arrays over the whole range of State, so that a fact is one load.
// [Tables], [Source] and [Digest] decode nothing. Of BenchmarkDecode and
// BenchmarkResolve, in thread CPU time on two shared cores of an AMD EPYC,
// 2026-11-30: first decoding 2.4 ms; resolving 9 ns for stone, 49 ns for
// stairs with four properties, 81 ns for glow lichen with seven, which is 1 to
// 7 times a look-up of the finished text in a Go map.
//
// Everything but [NewStates] and the zero [States] may be called concurrently;
// results are shared and must not be changed.
package block
