// Package end has the features that build the End: small islands, the pillars
// of obsidian with their crystals, the platform that players arrive on, chorus
// plants, and gateways.
//
// Its nouns:
//
//   - a spike is a pillar of obsidian; ten of them stand around the middle, in
//     an order of heights that the seed of the world gives, two in cages;
//   - a branch is a run of a chorus plant up from where it began.
//
// Factories returns them all, by type. Features do not change once they are
// made and may be used concurrently; package feature says what else holds of
// them.
//
// # What is here and what is not
//
// All that the generator makes. The portal in the middle, the gateways around
// it and the dragon are made by the fight when the dimension first ticks.
// Crystals are entities with what the game saves of them alone; what all
// entities have is left to who writes them.
//
// # What real chunks say
//
// 44 of 45 real full chunks of 26.2 are equal, with 691 blocks of chorus plants
// and 84 flowers; in the other one block of end stone is wrong before
// decoration. All 16 that wait for their neighbours are equal with some of them
// or none, and have 493 blocks of small islands (go test -v
// ./pregen/worldgen/feature/end, 30 November 2026). None of them has a spike, a
// platform or a gateway: these are as described, and what a crystal and a
// gateway save is too.
//
// # Limits
//
// A config lists up to 1,024 spikes of a radius of up to 64.
//
// # Sources of the facts
//
// The 26.2 data, public descriptions of the features, and real chunks of 26.2,
// which the tests compare with.
package end
