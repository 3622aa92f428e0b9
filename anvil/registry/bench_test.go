package registry

import "testing"

// BenchmarkDecode measures the first use of all tables of a version, and of
// single ones.
func BenchmarkDecode(b *testing.B) {
	for _, v := range Versions() {
		file := [...][]byte{file261, file262}[v-1]
		b.Run("version="+v.String()+"/all", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				t := newTables(file)
				t.synced()
				t.unsent()
				t.items()
				t.entities()
				t.recipes()
				t.biomes()
				t.rules()
			}
		})
		b.Run("version="+v.String()+"/names", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				newTables(file).names()
			}
		})
	}
}

func BenchmarkLookup(b *testing.B) {
	items := Of("minecraft:item", V26_2)
	name := []byte("minecraft:diamond_pickaxe")
	b.Run("ID", func(b *testing.B) {
		for b.Loop() {
			items.ID("minecraft:diamond_pickaxe")
		}
	})
	b.Run("IDBytes", func(b *testing.B) {
		for b.Loop() {
			items.IDBytes(name)
		}
	})
	b.Run("Name", func(b *testing.B) {
		for b.Loop() {
			items.Name(900)
		}
	})
	b.Run("Of", func(b *testing.B) {
		for b.Loop() {
			Of("minecraft:item", V26_2)
		}
	})
}
