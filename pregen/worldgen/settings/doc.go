// Package settings holds the data that world generation runs on: the JSON
// documents of the game's world generation registries, and tags.
//
// A Source gives a document by the name of its registry, which is the game's
// folder ("worldgen/noise", "worldgen/density_function", "dimension_type"), and
// its id ("minecraft:continentalness"). All parts of world generation read
// their parameters from one, so that the game's own and a data pack's go the
// same way.
package settings
