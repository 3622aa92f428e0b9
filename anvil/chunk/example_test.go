package chunk_test

import (
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/region"
)

func Example() {
	tables := chunk.NewTables()
	c, err := chunk.New(tables, region.ChunkPos{X: 1, Z: -1}, chunk.Options{
		DataVersion: 4903, MinSection: -4, Sections: 24, Status: chunk.StatusFull,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c.ComputeHeightmaps(chunk.FinalHeightmaps...)
	c.SetBlock(17, 70, -5, block.MustParse("oak_log[axis=x]"))

	var encoder chunk.Encoder
	data, err := encoder.Encode(nil, c)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err = chunk.NewDecoder(tables).Decode(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	height, _ := c.HeightAt(chunk.WorldSurface, 1, 11)
	fmt.Println(c.Pos(), c.Status(), c.Block(1, 70, 11), height)
	// Output: 1,-1 full minecraft:oak_log[axis=x] 71
}
