// Genregistry writes the embedded tables of anvil/registry.
//
// It reads, through cmd/internal/gamedata, the npm package minecraft-data (the
// synced registries of 26.1 as typed NBT, and names of entity metadata), the
// reports and datapacks of 26.1.2 and 26.2, values extracted from both, and
// the packet ids of three protocols. What it takes are names, numbers and
// parameter values; what it writes is described in anvil/registry/format.go.
//
// Steps, each in a file of its own:
//
//   - json.go and typed.go: JSON with its order and number texts kept, and
//     typed NBT values;
//   - learn.go and convert.go: which NBT type each field of a synced registry
//     has, which fields the network leaves out and how they are ordered,
//     learned from the 26.1 values that are known in both forms;
//   - names.go, synced.go, unsent.go, tags.go, items.go, entities.go,
//     recipes.go, biomes.go, rules.go, packets.go: one section each;
//   - pack.go: the sections of a version as one file.
//
// Run it with go generate ./anvil/registry. Where the inputs are absent it
// leaves the files as they are and says so. The files are written only if
// what they hold changes, so that another release of the compressor alone
// changes nothing.
package main
