package text

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"strata/nbt"
)

//go:embed english.txt
var englishFile string

// english is the table of keys. Each line is a key, "=", and its text, in which
// \n is a line break.
var english = sync.OnceValue(func() map[string]string {
	m := make(map[string]string)
	for line := range strings.Lines(englishFile) {
		if key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok {
			m[key] = strings.ReplaceAll(value, `\n`, "\n")
		}
	}
	return m
})

// English returns the English text of a key, with the places of its arguments.
func English(key string) (string, bool) {
	s, ok := english()[key]
	return s, ok
}

// String returns the text in plain English.
func (c Component) String() string {
	var p printer
	p.component(c, 0)
	return p.b.String()
}

type printer struct{ b strings.Builder }

func (p *printer) full(depth int) bool { return depth >= MaxDepth || p.b.Len() >= MaxPlain }

func (p *printer) text(s string) {
	if room := MaxPlain - p.b.Len(); len(s) > room {
		s = strings.ToValidUTF8(s[:max(room, 0)], "")
	}
	p.b.WriteString(s)
}

func (p *printer) component(c Component, depth int) {
	if p.full(depth) {
		return
	}
	switch {
	case c.raw != nil:
		var v any
		if c.raw.Decode(&v) == nil {
			p.value(v, depth)
		}
	case c.Key != "":
		p.translate(c.Key, c.Fallback, len(c.With), func(i int) { p.component(c.With[i], depth+1) })
	default:
		p.text(c.Text)
	}
	for _, e := range c.Extra {
		p.component(e, depth+1)
	}
}

// translate prints a key's text, calling arg at the places of its arguments:
// %s for the next one, %1$s for one by number, %% for a percent sign.
func (p *printer) translate(key, fallback string, args int, arg func(int)) {
	s, ok := English(key)
	if !ok {
		s = fallback
	}
	if s == "" {
		p.text(englishName(key))
		return
	}
	next := 0
	for {
		before, after, found := strings.Cut(s, "%")
		p.text(before)
		if !found {
			return
		}
		s = after
		i := next
		if digits := len(s) - len(strings.TrimLeft(s, "0123456789")); digits > 0 && strings.HasPrefix(s[digits:], "$s") {
			n, err := strconv.Atoi(s[:digits])
			if i, s = n-1, s[digits+1:]; err != nil {
				i = -1
			}
		}
		switch {
		case strings.HasPrefix(s, "%"):
			p.text("%")
			s = s[1:]
		case strings.HasPrefix(s, "s"):
			if i == next {
				next++
			}
			if i >= 0 && i < args {
				arg(i)
			}
			s = s[1:]
		default:
			p.text("%")
		}
	}
}

// englishName makes words of the last part of keys that name things of the
// registries, which the table does not have: block.minecraft.oak_log is
// "Oak Log". Other keys stay as they are.
func englishName(key string) string {
	kind, name, _ := strings.Cut(key, ".")
	switch kind {
	case "block", "item", "entity", "effect", "biome", "enchantment":
	default:
		return key
	}
	words := strings.Split(name[strings.LastIndexByte(name, '.')+1:], "_")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, " ")
}

// value prints a foreign document.
func (p *printer) value(v any, depth int) {
	if p.full(depth) {
		return
	}
	switch v := v.(type) {
	case string:
		p.text(v)
	case nbt.List:
		for _, e := range v.Items {
			p.value(e, depth+1)
		}
	case nbt.Compound:
		p.compound(v, depth)
	case int8:
		p.text(strconv.Itoa(int(v)))
	case int32:
		p.text(strconv.Itoa(int(v)))
	}
}

func (p *printer) compound(c nbt.Compound, depth int) {
	get := func(name string) string {
		v, _ := c.Get(name)
		s, _ := v.(string)
		return s
	}
	switch {
	case get("translate") != "":
		v, _ := c.Get("with")
		with, _ := v.(nbt.List)
		p.translate(get("translate"), get("fallback"), len(with.Items), func(i int) { p.value(with.Items[i], depth+1) })
	case get("keybind") != "":
		p.text(get("keybind"))
	default:
		p.text(get("text") + get("selector"))
	}
	if extra, ok := c.Get("extra"); ok {
		p.value(extra, depth+1)
	}
}
