package block

import "testing"

// FuzzParse: whatever the text, no panic; what is read reads the same again.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"stone", "minecraft:oak_log[axis=x]", "oak_slab[type=top,waterlogged=true]", "water[level=15]", "a[", "[]", "oak_log[=]"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		if again, err := Parse(s.String()); err != nil || again != s {
			t.Fatalf("%q is %v, which is %v, %v", text, s, again, err)
		}
	})
}

// FuzzResolve: what is resolved is the state of exactly that name and those
// properties; what is not is interned, kept, and has a native base.
func FuzzResolve(f *testing.F) {
	f.Add([]byte("minecraft:stone"), []byte(""), []byte(""), []byte(""), []byte(""))
	f.Add([]byte("minecraft:oak_log"), []byte("axis"), []byte("x"), []byte(""), []byte(""))
	f.Add([]byte("minecraft:oak_slab"), []byte("waterlogged"), []byte("true"), []byte("type"), []byte("double"))
	f.Add([]byte("minecraft:oak_slab"), []byte("type"), []byte("top"), []byte("type"), []byte("top"))
	f.Fuzz(func(t *testing.T, name, key1, value1, key2, value2 []byte) {
		var properties []Pair
		if len(key1) > 0 {
			properties = append(properties, Pair{key1, value1})
		}
		if len(key2) > 0 {
			properties = append(properties, Pair{key2, value2})
		}
		s, ok := Resolve(name, properties)
		if ok {
			if s.Block().Name() != string(name) || len(s.Block().Properties()) != len(properties) {
				t.Fatalf("%q %q is %v", name, properties, s)
			}
			for _, p := range properties {
				if s.Property(string(p.Key)) != string(p.Value) {
					t.Fatalf("%q %q is %v", name, properties, s)
				}
			}
			return
		}
		states := NewStates(StatesOptions{})
		foreign, err := states.Intern(name, name, properties)
		if err != nil {
			if len(name) <= MaxEntry {
				t.Fatal(err)
			}
			return
		}
		if base, _ := states.Base(foreign); foreign.Native() || !base.Native() || string(states.NBT(foreign)) != string(name) {
			t.Fatalf("%q is kept as %d with base %v", name, foreign, base)
		}
	})
}
