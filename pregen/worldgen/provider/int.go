package provider

import (
	"math"

	"strata/pregen/worldgen/rng"
)

type intKind uint8

const (
	constantInt intKind = iota
	uniformInt
	biasedInt
	clampedInt
	normalInt
	weightedInt
	trapezoidInt
)

// Int draws random integers. The zero value is always 0.
type Int struct {
	kind            intKind
	min, max        int32 // a constant is min
	plateau         int32 // or the sum of weights
	mean, deviation float32
	source          *Int
	choices         []intChoice
}

// intChoice is an entry of a weighted list.
type intChoice struct {
	value  Int
	weight int32
}

// maxInt bounds what can be drawn, so that no sum of draws overflows.
const maxInt = 1 << 24

// ConstantInt returns a provider that is always the same.
func ConstantInt(value int32) Int { return Int{min: value, max: value} }

// UniformInt returns a provider of low to high, both included, which must be in
// that order.
func UniformInt(low, high int32) Int { return Int{kind: uniformInt, min: low, max: high} }

// ParseInt reads an integer provider: a number, or an object with a type. All
// it draws is in low to high, both included.
func ParseInt(v Value, low, high int32) (Int, error) {
	entries := 0
	i, err := parseInt(v, maxDepth, &entries)
	if err != nil {
		return Int{}, err
	}
	if i.min < low || i.max > high {
		return Int{}, v.Errorf("%d to %d is not in %d to %d", i.min, i.max, low, high)
	}
	return i, nil
}

func parseInt(v Value, depth int, entries *int) (Int, error) {
	if v.IsNumber() {
		value, err := v.Int(-maxInt, maxInt)
		return ConstantInt(value), err
	}
	if depth == 0 {
		return Int{}, v.Errorf("deeper than %d", maxDepth)
	}
	kind, err := typeOf(v)
	if err != nil {
		return Int{}, err
	}
	switch kind {
	case "minecraft:constant":
		value, err := intMember(v, "value")
		return ConstantInt(value), err
	case "minecraft:uniform":
		return intRange(v, uniformInt, "min_inclusive", "max_inclusive")
	case "minecraft:biased_to_bottom":
		return intRange(v, biasedInt, "min_inclusive", "max_inclusive")
	case "minecraft:trapezoid":
		i, err := intRange(v, trapezoidInt, "min", "max")
		if err == nil {
			i.plateau, err = intMember(v, "plateau")
		}
		if err == nil && (i.plateau < 0 || i.plateau > i.max-i.min) {
			err = v.Errorf("plateau %d is not in 0 to %d", i.plateau, i.max-i.min)
		}
		return i, err
	case "minecraft:clamped":
		return parseClamped(v, depth, entries)
	case "minecraft:clamped_normal":
		return parseNormalInt(v)
	case "minecraft:weighted_list":
		return parseWeightedInt(v, depth, entries)
	}
	return Int{}, v.Errorf("unknown integer provider %s", kind)
}

func intMember(v Value, name string) (int32, error) {
	member, err := v.Member(name)
	if err != nil {
		return 0, err
	}
	return member.Int(-maxInt, maxInt)
}

// intRange reads the two ends of a range.
func intRange(v Value, kind intKind, low, high string) (i Int, err error) {
	i.kind = kind
	if i.min, err = intMember(v, low); err != nil {
		return i, err
	}
	if i.max, err = intMember(v, high); err != nil {
		return i, err
	}
	if i.max < i.min {
		return i, v.Errorf("%s %d is below %s %d", high, i.max, low, i.min)
	}
	return i, nil
}

func parseClamped(v Value, depth int, entries *int) (Int, error) {
	i, err := intRange(v, clampedInt, "min_inclusive", "max_inclusive")
	if err != nil {
		return i, err
	}
	member, err := v.Member("source")
	if err != nil {
		return i, err
	}
	source, err := parseInt(member, depth-1, entries)
	i.source = &source
	// What is drawn may be less than the clamp allows, and the game checks
	// ranges against that.
	low, high := max(i.min, source.min), min(i.max, source.max)
	if low <= high && err == nil {
		clamp := Int{kind: clampedInt, min: low, max: high, source: &source}
		return clamp, nil
	}
	return i, err
}

func parseNormalInt(v Value) (Int, error) {
	i, err := intRange(v, normalInt, "min_inclusive", "max_inclusive")
	if err != nil {
		return i, err
	}
	for name, field := range map[string]*float32{"mean": &i.mean, "deviation": &i.deviation} {
		member, err := v.Member(name)
		if err != nil {
			return i, err
		}
		if *field, err = member.Float32(unbounded, unbounded); err != nil {
			return i, err
		}
	}
	return i, nil
}

func parseWeightedInt(v Value, depth int, entries *int) (Int, error) {
	member, err := v.Member("distribution")
	if err != nil {
		return Int{}, err
	}
	list, ok := member.List()
	if !ok || len(list) == 0 {
		return Int{}, member.Errorf("not a list with entries")
	}
	if *entries += len(list); *entries > maxEntries {
		return Int{}, member.Errorf("more than %d entries", maxEntries)
	}
	i := Int{kind: weightedInt, min: math.MaxInt32, max: math.MinInt32}
	for _, entry := range list {
		data, err := entry.Member("data")
		if err != nil {
			return Int{}, err
		}
		weight, err := entry.Member("weight")
		if err != nil {
			return Int{}, err
		}
		var c intChoice
		if c.weight, err = weight.Int(0, math.MaxInt32-i.plateau); err != nil {
			return Int{}, err
		}
		if c.value, err = parseInt(data, depth-1, entries); err != nil {
			return Int{}, err
		}
		i.plateau += c.weight
		i.min, i.max = min(i.min, c.value.min), max(i.max, c.value.max)
		i.choices = append(i.choices, c)
	}
	if i.plateau == 0 {
		return Int{}, member.Errorf("no entry has a weight")
	}
	return i, nil
}

// Min returns a bound of what can be drawn.
func (i *Int) Min() int32 { return i.min }

// Max returns a bound of what can be drawn.
func (i *Int) Max() int32 { return i.max }

// Sample draws an integer.
func (i *Int) Sample(s rng.Source) int32 {
	switch i.kind {
	case uniformInt:
		return rng.Between(s, i.min, i.max)
	case biasedInt:
		return i.min + s.IntN(s.IntN(i.max-i.min+1)+1)
	case clampedInt:
		return min(max(i.source.Sample(s), i.min), i.max)
	case normalInt:
		value := i.mean + float32(float32(s.Gaussian())*i.deviation)
		return int32(min(max(value, float32(i.min)), float32(i.max)))
	case weightedInt:
		draw := s.IntN(i.plateau)
		for k := range i.choices {
			if draw -= i.choices[k].weight; draw < 0 {
				return i.choices[k].value.Sample(s)
			}
		}
	case trapezoidInt:
		// The second draw is taken away, as in the spreads that this replaced;
		// real plants of 26.2 lie so.
		fall := (i.max - i.min - i.plateau) / 2
		draw := s.IntN(i.max - i.min - fall + 1)
		return i.min + fall + draw - s.IntN(fall+1)
	}
	return i.min
}
