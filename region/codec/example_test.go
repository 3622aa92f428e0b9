package codec_test

import (
	"fmt"
	"strings"

	"strata/region/codec"
)

func Example() {
	payload := []byte(strings.Repeat("minecraft:stone ", 1000))

	// One encoder and one decoder per worker, kept between chunks.
	encoder, err := codec.NewEncoder(codec.Zlib, codec.Sector)
	if err != nil {
		fmt.Println(err)
		return
	}
	var decoder codec.Decoder

	stream, err := encoder.Append(nil, payload)
	if err != nil {
		fmt.Println(err)
		return
	}
	back, err := decoder.Append(nil, codec.Zlib, stream, 1<<20)
	fmt.Println(len(stream) < 200, len(back), err)
	// Output: true 16000 <nil>
}
