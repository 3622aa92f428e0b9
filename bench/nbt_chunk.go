package bench

import "strata/nbt"

// nbtChunk is what the typed rows decode and encode. Its fields, and which of
// them stay raw, are those of save.Chunk in github.com/Tnze/go-mc v1.20.2, so
// that both do the same work; omitempty is ours, since that one cannot be
// encoded.
type nbtChunk struct {
	BlockEntities  []nbt.Raw           `nbt:"block_entities"`
	BlockTicks     nbt.Raw             `nbt:"block_ticks"`
	CarvingMasks   map[string][]uint64 `nbt:",omitempty"`
	DataVersion    int32
	Entities       []nbt.Raw `nbt:"entities,omitempty"`
	FluidTicks     nbt.Raw   `nbt:"fluid_ticks"`
	Heightmaps     map[string][]uint64
	InhabitedTime  int64
	IsLightOn      byte `nbt:"isLightOn"`
	LastUpdate     int64
	Lights         []nbt.Raw `nbt:",omitempty"`
	PostProcessing nbt.Raw
	Sections       []nbtSection `nbt:"sections"`
	Status         string
	Structures     nbt.Raw `nbt:"structures"`
	XPos           int32   `nbt:"xPos"`
	YPos           int32   `nbt:"yPos"`
	ZPos           int32   `nbt:"zPos"`
}

type nbtSection struct {
	Y           int8
	BlockStates nbtContainer[nbtState] `nbt:"block_states"`
	Biomes      nbtContainer[nbtBiome] `nbt:"biomes"`
	SkyLight    []byte                 `nbt:",omitempty"`
	BlockLight  []byte                 `nbt:",omitempty"`
}

type nbtContainer[T any] struct {
	Palette []T      `nbt:"palette"`
	Data    []uint64 `nbt:"data,omitempty"`
}

type nbtState struct {
	Name       string
	Properties nbt.Raw
}

type nbtBiome string
