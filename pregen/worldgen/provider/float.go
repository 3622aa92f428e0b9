package provider

import (
	"math"

	"strata/pregen/worldgen/rng"
)

type floatKind uint8

const (
	constantFloat floatKind = iota
	uniformFloat
	normalFloat
	trapezoidFloat
)

// Float draws random floats. The zero value is always 0.
type Float struct {
	kind     floatKind
	min, max float32 // a constant is min
	a, b     float32 // mean and deviation; plateau
}

// unbounded is the bound of floats that have none.
var unbounded = float32(math.NaN())

// ParseFloat reads a float provider: a number, or an object with a type. All it
// draws is in low to high, both included; NaN for no bound.
func ParseFloat(v Value, low, high float32) (Float, error) {
	f, err := parseFloat(v)
	if err != nil {
		return Float{}, err
	}
	if f.Min() < low || f.Max() > high {
		return Float{}, v.Errorf("%v to %v is not in %v to %v", f.Min(), f.Max(), low, high)
	}
	return f, nil
}

func parseFloat(v Value) (Float, error) {
	if v.IsNumber() {
		value, err := v.Float32(unbounded, unbounded)
		return Float{min: value}, err
	}
	kind, err := typeOf(v)
	if err != nil {
		return Float{}, err
	}
	var f Float
	var names []string
	switch kind {
	case "minecraft:constant":
		names = []string{"value"}
	case "minecraft:uniform":
		f.kind, names = uniformFloat, []string{"min_inclusive", "max_exclusive"}
	case "minecraft:clamped_normal":
		f.kind, names = normalFloat, []string{"min", "max", "mean", "deviation"}
	case "minecraft:trapezoid":
		f.kind, names = trapezoidFloat, []string{"min", "max", "plateau"}
	default:
		return Float{}, v.Errorf("unknown float provider %s", kind)
	}
	fields := [4]*float32{&f.min, &f.max, &f.a, &f.b}
	for i, name := range names {
		member, err := v.Member(name)
		if err != nil {
			return Float{}, err
		}
		if *fields[i], err = member.Float32(unbounded, unbounded); err != nil {
			return Float{}, err
		}
	}
	return f, f.check(v)
}

// typeOf returns the type of an object with one.
func typeOf(v Value) (string, error) {
	kind, err := v.Member("type")
	if err != nil {
		return "", err
	}
	return kind.ID()
}

// check returns what the game refuses.
func (f *Float) check(v Value) error {
	switch {
	case f.kind == uniformFloat && f.min >= f.max:
		return v.Errorf("max_exclusive %v is not above min_inclusive %v", f.max, f.min)
	case f.kind != constantFloat && f.max < f.min:
		return v.Errorf("max %v is below min %v", f.max, f.min)
	case f.kind == trapezoidFloat && f.a > f.max-f.min:
		return v.Errorf("plateau %v is wider than %v to %v", f.a, f.min, f.max)
	case math.IsInf(float64(f.max-f.min), 0):
		return v.Errorf("%v to %v is beyond single precision", f.min, f.max)
	}
	return nil
}

// Min returns the least that can be drawn.
func (f *Float) Min() float32 { return f.min }

// Max returns a bound of what can be drawn.
func (f *Float) Max() float32 {
	if f.kind == constantFloat {
		return f.min
	}
	return f.max
}

// Gaussian reports whether Sample draws Gaussians, half of whose pairs a source
// keeps for later.
func (f *Float) Gaussian() bool { return f.kind == normalFloat }

// Sample draws a float.
func (f *Float) Sample(s rng.Source) float32 {
	switch f.kind {
	case uniformFloat:
		return rng.FloatBetween(s, f.min, f.max)
	case normalFloat:
		value := f.a + float32(float32(s.Gaussian())*f.b)
		return min(max(value, f.min), f.max)
	case trapezoidFloat:
		span := f.max - f.min
		rise := float32((span - f.a) / 2)
		rest := span - rise
		value := f.min + float32(s.Float()*rest)
		return value + float32(s.Float()*rise)
	}
	return f.min
}
