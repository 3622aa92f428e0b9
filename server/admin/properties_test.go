package admin

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestPropertiesAreReadAsJavaDoes(t *testing.T) {
	file := "#Minecraft server properties\n! also a comment\n\n" +
		"motd=Hello \\u00e9 \\ud83d\\ude00\n" +
		"  level-type = minecraft\\:normal\n" +
		"path\\ with\\ blank: a\\\\b\n" +
		"long=one \\\n    two\\\n\tthree\n" +
		"empty=\nbare\nblank value here\n" +
		"twice=1\ntwice=2\n"
	p, err := ParseProperties([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"motd": "Hello é 😀", "level-type": "minecraft:normal", "path with blank": `a\b`, "long": "one twothree",
		"empty": "", "bare": "", "blank": "value here", "twice": "2",
	} {
		if got, ok := p.Get(key); !ok || got != want {
			t.Errorf("%s is %q, %v, want %q", key, got, ok, want)
		}
	}
	if string(p.Bytes()) != file {
		t.Errorf("the file changed:\n%s", p.Bytes())
	}
	if keys := p.Keys(); len(keys) != 8 || keys[0] != "motd" || keys[7] != "twice" {
		t.Errorf("keys %q", keys)
	}
}

func TestASetPropertyLeavesTheRestAlone(t *testing.T) {
	p, err := ParseProperties([]byte("#first\r\na=1\r\nb = 2\nc:3"))
	if err != nil {
		t.Fatal(err)
	}
	p.Set("b", " x=y:z#!\\\n\té")
	p.Set("a", "1")
	p.Set("new key", "")
	want := "#first\na=1\nb=\\ x\\=y\\:z\\#\\!\\\\\\n\\té\nc:3\nnew\\ key=\n"
	if got := string(p.Bytes()); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	again, err := ParseProperties(p.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if v, _ := again.Get("b"); v != " x=y:z#!\\\n\té" {
		t.Errorf("%q", v)
	}
}

func TestPropertiesThatAreNone(t *testing.T) {
	for _, text := range []string{"a=\\u12", "a\\uzzzz=1", strings.Repeat("a", MaxProperties+1)} {
		if _, err := ParseProperties([]byte(text)); !errors.Is(err, ErrProperties) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	if p, err := ParseProperties([]byte("motd=\xe9")); err != nil {
		t.Error(err)
	} else if v, _ := p.Get("motd"); v != "é" {
		t.Errorf("Latin-1: %q", v)
	}
}

func FuzzProperties(f *testing.F) {
	f.Add([]byte("#x\na=b\\\n c\n\\u00e9:d"))
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := ParseProperties(file)
		if err != nil {
			return
		}
		again, err := ParseProperties(p.Bytes())
		if err != nil {
			t.Fatalf("%q from %q: %v", p.Bytes(), file, err)
		}
		if !slices.Equal(p.Keys(), again.Keys()) {
			t.Fatalf("keys %q and %q", p.Keys(), again.Keys())
		}
		for _, key := range p.Keys() {
			want, _ := p.Get(key)
			if got, _ := again.Get(key); got != want {
				t.Fatalf("%q is %q and %q", key, want, got)
			}
			p.Set(key, want+"x")
			if set, err := ParseProperties(p.Bytes()); err != nil {
				t.Fatal(err)
			} else if got, _ := set.Get(key); got != want+"x" {
				t.Fatalf("%q set to %q is %q", key, want+"x", got)
			}
			p.Set(key, want)
		}
	})
}
