package settings

import "testing"

// BenchmarkUnpack is what the first Builtin costs.
func BenchmarkUnpack(b *testing.B) {
	for b.Loop() {
		data, err := unpack(fileDocuments)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := decodeDocuments(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkUnpackParameters(b *testing.B) {
	for b.Loop() {
		data, err := unpack(fileParameters)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := decodeParameters(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDocument(b *testing.B) {
	s, err := Builtin(4903)
	if err != nil {
		b.Fatal(err)
	}
	for _, of := range [][2]string{
		{"worldgen/noise_settings", "overworld"}, {"worldgen/density_function", "overworld/base_3d_noise"}, {"worldgen/biome", "plains"},
		{"worldgen/template_pool", "village/plains/houses"},
	} {
		b.Run("registry="+of[0]+"/id="+of[1], func(b *testing.B) {
			for b.Loop() {
				text, err := s.Document(of[0], of[1])
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(text)))
			}
		})
	}
}

// BenchmarkTerrain is all that the density functions of the game are.
func BenchmarkTerrain(b *testing.B) {
	s, err := Builtin(4903)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, registry := range []string{"worldgen/noise_settings", "worldgen/density_function", "worldgen/noise"} {
			ids, err := s.IDs(registry)
			if err != nil {
				b.Fatal(err)
			}
			for _, id := range ids {
				if _, err := s.Document(registry, id); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}
