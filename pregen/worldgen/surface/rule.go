package surface

import "strata/anvil/block"

// The limits of a Rule.
const (
	MaxRules = 1 << 16 // rules and conditions together
	MaxDepth = 512     // of nesting
)

// Rule is a surface rule. It does not change.
type Rule struct {
	root *rule
}

type ruleKind uint8

const (
	ruleSequence  ruleKind = iota // the first of list that gives a block
	ruleCondition                 // then, if test holds
	ruleBlock                     // state
	ruleBandlands                 // the clay band of the place
)

// rule is a part of a Rule.
type rule struct {
	kind  ruleKind
	list  []*rule
	test  *condition
	then  *rule
	state block.State
}

type conditionKind uint8

const (
	conditionNot conditionKind = iota
	conditionBiome
	conditionNoise
	conditionGradient
	conditionAboveY
	conditionWater
	conditionStoneDepth
	conditionTemperature
	conditionSteep
	conditionHole
	conditionAboveSurface
)

// condition is a condition of a Rule, with the fields that its kind has.
type condition struct {
	kind       conditionKind
	inner      *condition // of not
	biomes     []string   // full ids
	name       string     // of the noise or the random source
	low, high  float64    // noise: the bounds, both included
	solid      bool       // noise: three-dimensional
	anchor     anchor     // above y; gradient: the highest y that is all true
	anchorTo   anchor     // gradient: the lowest y that is all false
	offset     int32
	multiplier int32 // of the surface depth
	secondary  int32 // stone depth: the range of the secondary depth
	addSurface bool
	addStone   bool
	ceiling    bool
}

type anchorKind uint8

const (
	anchorAbsolute anchorKind = iota
	anchorAboveBottom
	anchorBelowTop
)

// anchor is a height relative to the range that is generated.
type anchor struct {
	kind   anchorKind
	offset int
}

// resolve returns the anchor's y.
func (a anchor) resolve(minY, height int) int32 {
	switch a.kind {
	case anchorAboveBottom:
		return int32(minY + a.offset)
	case anchorBelowTop:
		return int32(minY + height - 1 - a.offset)
	}
	return int32(a.offset)
}
