package light_test

import (
	"fmt"

	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/light"
	"strata/region"
)

func Example() {
	// A chunk of one section with a lamp on a floor, among eight without.
	tables := chunk.NewTables()
	area := light.Area{Width: 3, Depth: 3, Sky: true}
	var middle *chunk.Chunk
	for i := range int32(9) {
		pos := region.ChunkPos{X: i % 3, Z: i / 3}
		c, err := chunk.New(tables, pos, chunk.Options{DataVersion: 4903, Sections: 1})
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := c.Fill(0, 0, 0, 15, 3, 15, block.Stone.Default()); err != nil {
			fmt.Println(err)
			return
		}
		if i == 4 {
			c.SetBlock(8, 4, 8, block.SeaLantern.Default())
			middle = c
		}
		column := new(light.Column)
		low, high := c.Range()
		if err := column.Set(low, high, light.ChunkBlocks{Chunk: c}, tables.States); err != nil {
			fmt.Println(err)
			return
		}
		area.Columns = append(area.Columns, column)
	}

	var engine light.Engine
	var result light.Chunk
	if err := engine.Light(area); err != nil {
		fmt.Println(err)
		return
	}
	if err := engine.Result(1, 1, &result); err != nil {
		fmt.Println(err)
		return
	}
	if err := result.Store(middle); err != nil {
		fmt.Println(err)
		return
	}
	lamp, _ := middle.Light(chunk.BlockLight, 11, 4, 8)
	sky, _ := middle.Light(chunk.SkyLight, 11, 4, 8)
	fmt.Println("three blocks beside the lamp:", lamp, sky)

	// The lamp goes.
	middle.SetBlock(8, 4, 8, block.Air.Default())
	world := &light.ChunkWorld{At: func(pos region.ChunkPos) *chunk.Chunk {
		if pos == middle.Pos() {
			return middle
		}
		return nil // not loaded
	}}
	edits := []chunk.BlockPos{{X: 16 + 8, Y: 4, Z: 16 + 8}}
	if err := engine.Update(world, light.Dimension{Low: 0, High: 1, Sky: true}, edits); err != nil {
		fmt.Println(err)
		return
	}
	_, ok := middle.Light(chunk.BlockLight, 11, 4, 8)
	fmt.Println("any left:", ok)
	// Output:
	// three blocks beside the lamp: 12 15
	// any left: false
}
