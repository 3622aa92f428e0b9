package main

import (
	"fmt"
	"strings"
)

// character is one with a name of its own.
type character struct {
	name string
	code rune
}

// family is a range of characters that are named by their code point: the
// prefix, then the number in hexadecimal.
type family struct {
	prefix      string
	first, last rune
}

// blocks are the ranges whose characters have no names in the database. Java
// names each by its block and code point, and calls the blocks so.
var blocks = map[string]string{
	"CJK Ideograph":                  "CJK UNIFIED IDEOGRAPHS",
	"CJK Ideograph Extension A":      "CJK UNIFIED IDEOGRAPHS EXTENSION A",
	"CJK Ideograph Extension B":      "CJK UNIFIED IDEOGRAPHS EXTENSION B",
	"CJK Ideograph Extension C":      "CJK UNIFIED IDEOGRAPHS EXTENSION C",
	"CJK Ideograph Extension D":      "CJK UNIFIED IDEOGRAPHS EXTENSION D",
	"CJK Ideograph Extension E":      "CJK UNIFIED IDEOGRAPHS EXTENSION E",
	"CJK Ideograph Extension F":      "CJK UNIFIED IDEOGRAPHS EXTENSION F",
	"CJK Ideograph Extension G":      "CJK UNIFIED IDEOGRAPHS EXTENSION G",
	"CJK Ideograph Extension H":      "CJK UNIFIED IDEOGRAPHS EXTENSION H",
	"CJK Ideograph Extension I":      "CJK UNIFIED IDEOGRAPHS EXTENSION I",
	"Hangul Syllable":                "HANGUL SYLLABLES",
	"Tangut Ideograph":               "TANGUT",
	"Tangut Ideograph Supplement":    "TANGUT SUPPLEMENT",
	"Non Private Use High Surrogate": "HIGH SURROGATES",
	"Private Use High Surrogate":     "HIGH PRIVATE USE SURROGATES",
	"Low Surrogate":                  "LOW SURROGATES",
	"Private Use":                    "PRIVATE USE AREA",
	"Plane 15 Private Use":           "SUPPLEMENTARY PRIVATE USE AREA A",
	"Plane 16 Private Use":           "SUPPLEMENTARY PRIVATE USE AREA B",
	"<control>":                      "", // have names elsewhere, see controls
}

// controls are the control characters that Java does not call by the first
// name the database has for them. Those with brackets are here for the sake of
// completeness: the escape has no brackets.
var controls = map[rune]string{
	0x07: "BEL",
	0x0A: "LINE FEED (LF)",
	0x0C: "FORM FEED (FF)",
	0x0D: "CARRIAGE RETURN (CR)",
	0x84: "LATIN 1 SUPPLEMENT 84",
	0x85: "NEXT LINE (NEL)",
}

// javaNames returns the names of all characters as Java has them: those of
// single ones and the ranges of numbered ones, both in the order of characters.
func javaNames(src *source) ([]character, []family, error) {
	var named []character
	var families []family
	used := map[string]bool{}
	for _, r := range src.runs {
		block, labeled := blocks[r.text]
		switch {
		case r.text == "<control>":
			for cp := r.first; cp <= r.last; cp++ {
				name := controlName(src, cp)
				if name == "" {
					return nil, nil, fmt.Errorf("no name for the control character %02X", cp)
				}
				named = append(named, character{name, cp})
			}
		case labeled:
			families = append(families, family{block + " ", r.first, r.last})
		case r.first != r.last || strings.Trim(r.text, nameLetters) != "":
			return nil, nil, fmt.Errorf("no rule for %04X to %04X, %q", r.first, r.last, r.text)
		default:
			named = append(named, character{r.text, r.first})
		}
		used[r.text] = true
	}
	for label := range blocks {
		if !used[label] {
			return nil, nil, fmt.Errorf("no characters for the rule %q", label)
		}
	}
	named, numbered := splitNumbered(named)
	return named, append(families, numbered...), nil
}

// nameLetters are what names in the database are made of.
const nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789- "

func controlName(src *source, cp rune) string {
	if name, ok := controls[cp]; ok {
		return name
	}
	for _, lists := range []map[rune][]string{src.controls, src.figments} {
		if list := lists[cp]; len(list) > 0 {
			return list[0]
		}
	}
	return ""
}

// splitNumbered takes out the names that end in the code point of their
// character, and gathers them into families.
func splitNumbered(all []character) ([]character, []family) {
	var named []character
	var families []family
	for _, c := range all {
		prefix, numbered := strings.CutSuffix(c.name, fmt.Sprintf("%X", c.code))
		if !numbered || !strings.HasSuffix(prefix, "-") && !strings.HasSuffix(prefix, " ") {
			named = append(named, c)
			continue
		}
		if n := len(families); n > 0 && families[n-1].prefix == prefix && families[n-1].last == c.code-1 {
			families[n-1].last = c.code
			continue
		}
		families = append(families, family{prefix, c.code, c.code})
	}
	return named, families
}
