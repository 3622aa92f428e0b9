package main

import "github.com/spf13/cobra"

func newBenchCmd(a *app) *cobra.Command {
	return newParentCmd(&cobra.Command{
		Use:   "bench",
		Short: "Measure codecs, storage and generation on this machine",
		Long: `Measure codecs, storage and generation on this machine.

Every run measures its reference beside it: timings of one machine do not
carry over to another, ratios do.`,
	},
		newBenchCodecCmd(a),
		newBenchStorageCmd(a),
	// One line a command, from the smallest part to whole programs: codec,
	// compression, nbt, storage, backup, worldgen, load, compare.
	)
}
