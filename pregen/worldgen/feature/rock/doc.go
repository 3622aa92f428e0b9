// Package rock has features that stand on the ground or in the sea and are no
// plants: rocks of forests, piles, spikes of ice, icebergs and the blue ice in
// them, desert wells; and the two of starting places, the bonus chest and the
// platform of the void.
//
// Its nouns are those of package feature; Factories makes block_blob,
// block_pile, spike, iceberg, blue_ice, desert_well, bonus_chest and
// void_start_platform. Features do not change and may be used concurrently,
// each worker with its own feature.Context.
//
// Sources of the facts: the 26.2 data, public descriptions of the features, and
// real chunks of 26.2 (see package plant). Of piles, wells, rocks of forests,
// bonus chests and the platform no real chunk tells.
package rock
