package main

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

// magic and the order of what follows are those of format.go in anvil/block.
const magic = "strata blocks 1\n"

// encoder numbers what the table refers to.
type encoder struct {
	texts       map[string]int
	textList    []string
	props       map[string]int
	propList    []property
	definitions map[string]int
	defList     []*reportBlock
}

// encode writes the table, not compressed.
func encode(in *input, f *facts) []byte {
	e := &encoder{texts: map[string]int{}, props: map[string]int{}, definitions: map[string]int{}}
	numbers := make([][]int, len(in.versions))
	for i, v := range in.versions {
		for j := range v.report {
			numbers[i] = append(numbers[i], e.definition(&v.report[j]))
		}
	}
	out := []byte(magic)
	out = number(out, len(e.textList))
	for _, t := range e.textList {
		out = text(out, t)
	}
	out = number(out, len(e.propList))
	for _, p := range e.propList {
		out = number(out, e.texts[p.name], len(p.values))
		for _, v := range p.values {
			out = number(out, e.texts[v])
		}
	}
	out = number(out, len(e.defList))
	for _, b := range e.defList {
		out = number(out, e.texts[b.Name], len(b.Properties))
		for _, p := range b.Properties {
			out = number(out, e.props[p.key()])
		}
		out = number(out, b.Default)
	}
	out = number(out, len(in.versions))
	for _, list := range numbers {
		out = number(out, len(list))
		out = number(out, list...)
	}
	for _, v := range in.versions {
		out = e.substitutes(out, v, in.versions[0])
	}
	for _, b := range in.versions[0].report {
		out = text(out, b.Kind)
	}
	for i := range f.blocks {
		out = f.blocks[i].append(out)
	}
	return appendStates(appendShapes(out, f), in, f)
}

// substitutes writes those that the version needs: for native blocks that it
// lacks.
func (e *encoder) substitutes(out []byte, v, native *version) []byte {
	has := map[string]bool{}
	for _, b := range v.report {
		has[b.Name] = true
	}
	var pairs []int
	for _, b := range native.report {
		if other, ok := v.substitutes[b.Name]; ok && !has[b.Name] {
			pairs = append(pairs, e.texts[b.Name], e.texts[other])
		}
	}
	out = number(out, len(pairs)/2)
	return number(out, pairs...)
}

func (e *encoder) definition(b *reportBlock) int {
	key := b.Name
	for _, p := range b.Properties {
		key += "\n" + p.key()
	}
	key += "\n" + string(rune(b.Default))
	n, ok := e.definitions[key]
	if ok {
		return n
	}
	n = len(e.defList)
	e.definitions[key] = n
	e.defList = append(e.defList, b)
	e.text(b.Name)
	for _, p := range b.Properties {
		if _, ok := e.props[p.key()]; !ok {
			e.props[p.key()] = len(e.propList)
			e.propList = append(e.propList, p)
			e.text(p.name)
			for _, v := range p.values {
				e.text(v)
			}
		}
	}
	return n
}

func (p property) key() string { return p.name + "=" + strings.Join(p.values, ",") }

func (e *encoder) text(t string) {
	if _, ok := e.texts[t]; !ok {
		e.texts[t] = len(e.textList)
		e.textList = append(e.textList, t)
	}
}

func (f *blockFacts) append(out []byte) []byte {
	for _, v := range []float32{f.hardness, f.resistance, f.motion.friction, f.motion.speed, f.motion.jump} {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	return append(out, byte(f.tool), byte(f.tier), bit(f.needsTool), byte(f.push), f.fire.ignite, f.fire.burn, bit(f.climbable))
}

func appendShapes(out []byte, f *facts) []byte {
	out = number(out, len(f.shapes))
	for _, s := range f.shapes {
		out = number(out, len(s))
		for _, b := range s {
			for _, v := range b {
				out = append(out, byte(v))
			}
		}
	}
	out = number(out, len(f.masks))
	for _, m := range f.masks {
		out = append(out, m[:]...)
	}
	out = number(out, len(f.occlusions))
	for _, o := range f.occlusions {
		out = append(out, o[:]...)
	}
	return out
}

// appendStates writes the colors and the seven columns of the states.
func appendStates(out []byte, in *input, f *facts) []byte {
	out = number(out, len(in.colors))
	for _, c := range in.colors {
		out = append(out, c.RGB[:]...)
	}
	columns := make([][]byte, 7)
	for _, s := range f.states {
		flags := bit(s.air) | bit(s.motion)<<1 | bit(s.leaves)<<2 | bit(s.solid)<<3 | bit(s.hiding)<<4 | bit(s.replaceable)<<5
		row := []byte{
			byte(s.shape), byte(s.shape >> 8),
			byte(s.emission | s.opacity<<4),
			byte(s.occlusion),
			byte(s.amount) | byte(s.fluid)<<4 | bit(s.falling)<<6,
			flags,
			byte(s.color),
		}
		for i, v := range row {
			columns[i] = append(columns[i], v)
		}
	}
	return append(out, slices.Concat(columns...)...)
}

func number(out []byte, list ...int) []byte {
	for _, n := range list {
		out = binary.AppendUvarint(out, uint64(n))
	}
	return out
}

func text(out []byte, t string) []byte { return append(number(out, len(t)), t...) }

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}
