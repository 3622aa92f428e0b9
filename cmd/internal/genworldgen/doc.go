// Genworldgen writes the embedded tables of pregen/worldgen/settings.
//
// It reads, through cmd/internal/gamedata, the data packs of 26.1.2 and 26.2
// and the generator's report of biome parameters of both, and takes names and
// values from them; what it writes is described in
// pregen/worldgen/settings/format.go.
//
// Steps, each in a file of its own:
//
//   - sources.go: which files are read;
//   - value.go: JSON as values, each distinct one once;
//   - documents.go: the table of documents of all versions;
//   - parameters.go: the table of biome parameters of all versions;
//   - main.go: files, written only if what they hold changes.
//
// Run it with go generate ./pregen/worldgen/settings. Where the inputs are
// absent it leaves the files as they are and says so.
package main
