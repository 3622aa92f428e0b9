package flate_test

import (
	"bytes"
	"fmt"

	"strata/region/codec/flate"
)

// A worker owns one encoder and one decoder and reuses its buffers.
func ExampleEncoder_AppendZlib() {
	encoder, err := flate.NewEncoder(6)
	if err != nil {
		panic(err)
	}
	var decoder flate.Decoder
	var packed, unpacked []byte
	for _, payload := range [][]byte{
		bytes.Repeat([]byte("minecraft:stone"), 1000),
		bytes.Repeat([]byte("minecraft:air"), 1000),
	} {
		packed = encoder.AppendZlib(packed[:0], payload)
		unpacked, _, err = decoder.AppendZlib(unpacked[:0], packed, 1<<20)
		fmt.Println(len(payload), len(packed) < 100, bytes.Equal(payload, unpacked), err)
	}
	// Output:
	// 15000 true true <nil>
	// 13000 true true <nil>
}
