package anvil_test

import (
	"fmt"

	"strata/anvil"
	"strata/anvil/level"
	"strata/region/vfs"
)

// A new world, written to and looked at. Programs leave out FS, which is the
// machine's by default.
func Example() {
	fsys := vfs.NewMem(vfs.MemOptions{})
	w, err := anvil.Create("alps", anvil.CreateOptions{
		Options: anvil.Options{FS: fsys},
		Fresh:   level.Fresh{Name: "Alps", Spawn: &level.Spawn{X: 8, Y: 70, Z: 8}},
		Seed:    42,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer w.Close()

	seed, _ := w.Seed()
	fmt.Println(w.Level().Name(), seed, anvil.Describe(w.DataVersion()))
	for _, d := range w.Dimensions() {
		h, err := w.Height(d.ID)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(d.ID, d.Region, h.MinY, h.Blocks)
	}
	// Output:
	// Alps 42 26.2 (4903)
	// minecraft:overworld alps/dimensions/minecraft/overworld/region -64 384
	// minecraft:the_nether alps/dimensions/minecraft/the_nether/region 0 256
	// minecraft:the_end alps/dimensions/minecraft/the_end/region 0 256
}
