package nbt_test

import (
	"fmt"

	"strata/nbt"
)

// position is what we know of a chunk. The rest it keeps as it is.
type position struct {
	DataVersion int32
	X           int32           `nbt:"xPos"`
	Z           int32           `nbt:"zPos"`
	Status      string          `nbt:",omitempty"`
	Rest        []nbt.RawMember `nbt:",rest"`
}

func ExampleUnmarshal() {
	data, err := nbt.Marshal(map[string]any{
		"xPos": int32(3), "zPos": int32(-7), "Status": "minecraft:full", "isLightOn": true,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var p position
	if err := nbt.Unmarshal(data, &p); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.X, p.Z, p.Status, p.Rest[0].Name)

	var wrong struct {
		X string `nbt:"xPos"`
	}
	fmt.Println(nbt.Unmarshal(data, &wrong))
	// Output:
	// 3 -7 minecraft:full isLightOn
	// nbt: offset 41, xPos: int and string: types do not go together
}

func ExampleMarshal() {
	data, err := nbt.Marshal(position{DataVersion: 4903, X: 3, Z: -7})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q\n", data)
	// Output:
	// "\n\x00\x00\x03\x00\vDataVersion\x00\x00\x13'\x03\x00\x04xPos\x00\x00\x00\x03\x03\x00\x04zPos\xff\xff\xff\xf9\x00"
}

func ExampleCompound() {
	player := nbt.Compound{{Name: "Health", Value: float32(20)}}
	player.Set("Pos", nbt.List{Elem: nbt.TypeDouble, Items: []any{0.5, 64.0, 0.5}})
	player.Set("Health", float32(7))
	health, _ := player.Get("Health")
	fmt.Println(health, len(player))
	// Output: 7 2
}
