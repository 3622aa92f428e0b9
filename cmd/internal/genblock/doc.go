// Genblock writes the tables of package anvil/block: tables.zst,
// tables_gen.go and ids_gen.go in the working directory.
//
//	go generate ./anvil/block
//
// Sources: the npm package minecraft-data@3.119.0 (hardness, resistance,
// tools, light and collision shapes at 26.1), and from the shared folder the
// game's own reports (names, properties and numbers of 26.1.2 and 26.2), the
// block tags of 26.2 and the map colors. What none of them has stands in the
// rules_*.go beside this file: tables by class, each of which says that it is
// assumed. A rule that matches no block, or a block without a rule where each
// needs one, is an error.
//
// Where a source is absent nothing is written, see package gamedata.
package main
