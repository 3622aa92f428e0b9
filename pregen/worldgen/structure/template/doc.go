// Package template has structure templates: what players built and the game
// saved, and world generation sets down again, turned, reflected and changed by
// processors.
//
// # Nouns
//
//   - a Shape is a template's size and its connectors, which layouts need. The
//     shapes of the game's own templates are in the binary.
//   - a Template has the blocks too. They belong to the game's maker, and come
//     from the user's own game files through a Source.
//   - a Library has the shapes and, with game files, the templates.
//   - a Processor changes or drops the blocks of a template on their way into
//     the world: the entries of worldgen/processor_list and what the code of
//     structures adds.
//   - Settings say how a template is set down; Place does it.
//
// # Random numbers
//
// A processor draws from a source that is seeded by the block's position, so
// that what a template becomes does not depend on the chunk that is decorated.
// The seeds of containers are drawn from the random of the structure, in the
// order of the blocks that lie in the box.
//
// # Neighbours
//
// Blocks of a template of which it is not said that their shapes are known are
// fitted to what is around them when all are set: fences, walls, panes and
// stairs. Other blocks keep the state of the template.
//
// # Concurrency
//
// Libraries, Templates, Processors and Settings are shared; nothing changes
// after it is made. Read templates stay in memory: all of the game's take about
// 30 MB.
//
// # Sources
//
// The files are described at minecraft.wiki (Structure file, Jigsaw Block,
// Processor list); what processors do, and in which order blocks are set, from
// public descriptions of the game, compared with chunks of real worlds.
package template
