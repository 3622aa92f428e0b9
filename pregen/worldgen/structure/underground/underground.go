package underground

import "strata/pregen/worldgen/structure"

// Factories returns what makes the layouts of this package, by type.
func Factories() map[string]structure.Factory {
	return map[string]structure.Factory{
		"minecraft:mineshaft":       newMineshaft,
		"minecraft:stronghold":      newStronghold,
		"minecraft:fortress":        newFortress,
		"minecraft:nether_fossil":   newFossil,
		"minecraft:buried_treasure": newTreasure,
	}
}

// Readers returns what reads stored pieces of the kinds of this package, by id.
func Readers() map[string]structure.Reader {
	readers := map[string]structure.Reader{
		mineRoomID: readMineRoom, mineCorridorID: readMineCorridor,
		mineCrossingID: readMineCrossing, mineStairsID: readMineStairs,
		fossilID: readBones,
		treasureID: func(b structure.Base, f *structure.Fields) (structure.Piece, error) {
			return &chest{b}, f.Err()
		},
	}
	for id, read := range strongReaders {
		readers[id] = func(b structure.Base, f *structure.Fields) (structure.Piece, error) {
			return read(readStrongBase(b, f), f), f.Err()
		}
	}
	for id, read := range fortReaders {
		readers[id] = func(b structure.Base, f *structure.Fields) (structure.Piece, error) {
			return read(fortBase{b}, f), f.Err()
		}
	}
	for id, read := range readers {
		readers[id] = checked(read)
	}
	return readers
}
