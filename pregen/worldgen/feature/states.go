package feature

import (
	"math"

	"strata/anvil/block"
	"strata/pregen/worldgen/noise"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/rng"
)

// Provider reads a block state provider.
func (l *Loader) Provider(v provider.Value) (Provider, error) {
	if err := l.enter(v); err != nil {
		return nil, err
	}
	defer l.leave()
	kind, err := memberID(v, "type")
	if err != nil {
		return nil, err
	}
	switch kind {
	case "minecraft:simple_state_provider", "minecraft:rotated_block_provider":
		member, err := v.Member("state")
		if err != nil {
			return nil, err
		}
		state, err := l.State(member)
		if kind == "minecraft:rotated_block_provider" {
			return rotated{state}, err
		}
		return simple{state}, err
	case "minecraft:weighted_state_provider":
		return l.weighted(v)
	case "minecraft:rule_based_state_provider":
		return l.ruleBased(v)
	case "minecraft:randomized_int_state_provider":
		return l.randomizedInt(v)
	case "minecraft:noise_provider":
		n, err := l.noiseStates(v)
		return n, err
	case "minecraft:dual_noise_provider":
		return l.dualNoise(v)
	case "minecraft:noise_threshold_provider":
		return l.thresholdStates(v)
	}
	return nil, v.Errorf("unknown block state provider %s", kind)
}

// MemberProvider reads a member that is a block state provider.
func (l *Loader) MemberProvider(v provider.Value, name string) (Provider, error) {
	member, err := v.Member(name)
	if err != nil {
		return nil, err
	}
	return l.Provider(member)
}

type (
	simple        struct{ state block.State }
	rotated       struct{ state block.State }
	weightedState struct {
		states  []block.State
		weights []int32
		total   int32
	}
	ruleBased struct {
		tests    []Predicate
		then     []Provider
		fallback Provider // nil for none
	}
	randomizedInt struct {
		source   Provider
		property string
		values   provider.Int
	}
	// noisy is a noise at some scale.
	noisy struct {
		noise *noise.Normal
		scale float64
	}
	noiseStates struct {
		noisy
		states []block.State
	}
	dualStates struct {
		noiseStates
		slow        noisy
		fewest, top float64 // of states that are chosen between
	}
	thresholdStates struct {
		noisy
		threshold, chance float32
		low, high         []block.State
		standard          block.State
	}
)

func (p simple) State(*Context, int, int, int) (block.State, bool) { return p.state, true }

func (p rotated) State(c *Context, _, _, _ int) (block.State, bool) {
	axis := [...]string{"x", "y", "z"}[c.Random.IntN(3)]
	if turned, ok := p.state.With("axis", axis); ok {
		return turned, true
	}
	return p.state, true
}

func (l *Loader) weighted(v provider.Value) (Provider, error) {
	member, err := v.Member("entries")
	if err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok {
		return nil, member.Errorf("not a list")
	}
	p := weightedState{}
	for _, element := range list {
		data, err := element.Member("data")
		if err != nil {
			return nil, err
		}
		state, err := l.State(data)
		if err != nil {
			return nil, err
		}
		weight, err := readWeight(element, p.total)
		if err != nil {
			return nil, err
		}
		p.total += weight
		p.states, p.weights = append(p.states, state), append(p.weights, weight)
	}
	if p.total == 0 {
		return nil, member.Errorf("no entry has a weight")
	}
	return p, nil
}

// readWeight reads the weight of an entry; total is that of those before.
func readWeight(entry provider.Value, total int32) (int32, error) {
	member, err := entry.Member("weight")
	if err != nil {
		return 0, err
	}
	return member.Int(0, math.MaxInt32-total)
}

// choose draws the place of an entry by weight.
func choose(s *rng.Worldgen, weights []int32, total int32) int {
	draw := s.IntN(total)
	for i, weight := range weights {
		if draw -= weight; draw < 0 {
			return i
		}
	}
	return len(weights) - 1
}

func (p weightedState) State(c *Context, _, _, _ int) (block.State, bool) {
	return p.states[choose(c.Random, p.weights, p.total)], true
}

func (l *Loader) ruleBased(v provider.Value) (Provider, error) {
	p := ruleBased{}
	fallback, ok, err := v.Optional("fallback")
	if err == nil && ok {
		p.fallback, err = l.Provider(fallback)
	}
	if err != nil {
		return nil, err
	}
	member, err := v.Member("rules")
	if err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok {
		return nil, member.Errorf("not a list")
	}
	for _, element := range list {
		test, err := l.MemberPredicate(element, "if_true")
		if err != nil {
			return nil, err
		}
		then, err := l.MemberProvider(element, "then")
		if err != nil {
			return nil, err
		}
		p.tests, p.then = append(p.tests, test), append(p.then, then)
	}
	return p, nil
}

func (p ruleBased) State(c *Context, x, y, z int) (block.State, bool) {
	for i, test := range p.tests {
		if test.Test(c.View, x, y, z) {
			return p.then[i].State(c, x, y, z)
		}
	}
	if p.fallback == nil {
		return 0, false
	}
	return p.fallback.State(c, x, y, z)
}

func (l *Loader) randomizedInt(v provider.Value) (Provider, error) {
	source, err := l.MemberProvider(v, "source")
	if err != nil {
		return nil, err
	}
	member, err := v.Member("property")
	if err != nil {
		return nil, err
	}
	p := randomizedInt{source: source}
	if p.property, err = member.Text(); err != nil {
		return nil, err
	}
	p.values, err = l.Int(v, "values", 0, 1024)
	return p, err
}

// small are the texts of the numbers that properties have.
var small = [...]string{
	"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15",
	"16", "17", "18", "19", "20", "21", "22", "23", "24", "25",
}

func (p randomizedInt) State(c *Context, x, y, z int) (block.State, bool) {
	state, ok := p.source.State(c, x, y, z)
	if !ok {
		return state, false
	}
	if value := int(p.values.Sample(c.Random)); value < len(small) {
		if changed, ok := state.With(p.property, small[value]); ok {
			return changed, true
		}
	}
	return state, true
}

func (l *Loader) noisy(v provider.Value, noiseName, scaleName string) (n noisy, err error) {
	member, err := v.Member("seed")
	if err != nil {
		return n, err
	}
	// Seeds are longs; those beyond 53 bits would not come through as such.
	seed, err := member.Float64()
	if err != nil {
		return n, err
	}
	if seed != math.Trunc(seed) || math.Abs(seed) > 1<<53 {
		return n, member.Errorf("not an integer of at most 53 bits")
	}
	if member, err = v.Member(noiseName); err != nil {
		return n, err
	}
	parameters, err := readNoise(member)
	if err != nil {
		return n, err
	}
	source := rng.NewWorldgenLegacy(int64(seed))
	if n.noise, err = noise.NewNormal(&source, parameters); err != nil {
		return n, member.Errorf("%v", err)
	}
	scale, err := Float(v, scaleName, 0x1p-149, math.MaxFloat32)
	n.scale = float64(scale)
	return n, err
}

func readNoise(v provider.Value) (p noise.Parameters, err error) {
	first, err := v.Member("firstOctave")
	if err != nil {
		return p, err
	}
	octave, err := first.Int(math.MinInt32, math.MaxInt32)
	if err != nil {
		return p, err
	}
	p.FirstOctave = int(octave)
	member, err := v.Member("amplitudes")
	if err != nil {
		return p, err
	}
	list, ok := member.List()
	if !ok || len(list) == 0 || len(list) > 64 {
		return p, member.Errorf("not a list of 1 to 64")
	}
	for _, element := range list {
		value, err := element.Float64()
		if err != nil {
			return p, err
		}
		p.Amplitudes = append(p.Amplitudes, value)
	}
	if err := p.Validate(); err != nil {
		return p, v.Errorf("%v", err)
	}
	return p, nil
}

func (n *noisy) at(x, y, z int) float64 {
	return n.noise.At(float64(float64(x)*n.scale), float64(float64(y)*n.scale), float64(float64(z)*n.scale))
}

// pick is the place that a noise value means among a number of choices.
func pick(value float64, choices int) int {
	return int(float64(min(max((1+value)/2, 0), 0.9999) * float64(choices)))
}

func (l *Loader) noiseStates(v provider.Value) (p noiseStates, err error) {
	if p.noisy, err = l.noisy(v, "noise", "scale"); err != nil {
		return p, err
	}
	member, err := v.Member("states")
	if err != nil {
		return p, err
	}
	p.states, err = l.States(member)
	return p, err
}

func (p noiseStates) State(_ *Context, x, y, z int) (block.State, bool) {
	return p.states[pick(p.at(x, y, z), len(p.states))], true
}

func (l *Loader) dualNoise(v provider.Value) (Provider, error) {
	inner, err := l.noiseStates(v)
	if err != nil {
		return nil, err
	}
	p := dualStates{noiseStates: inner}
	if p.slow, err = l.noisy(v, "slow_noise", "slow_scale"); err != nil {
		return nil, err
	}
	member, err := v.Member("variety")
	if err != nil {
		return nil, err
	}
	ends, ok := member.List()
	if !ok || len(ends) != 2 {
		return nil, member.Errorf("not a list of two numbers")
	}
	low, err := ends[0].Int(1, 64)
	if err != nil {
		return nil, err
	}
	high, err := ends[1].Int(low, 64)
	p.fewest, p.top = float64(low), float64(high)+1
	return p, err
}

func (p dualStates) State(_ *Context, x, y, z int) (block.State, bool) {
	t := min(max((p.slow.at(x, y, z)+1)/2, 0), 1)
	choices := int(p.fewest + float64(t*(p.top-p.fewest)))
	chosen := pick(p.at(x, y, z), choices)
	return p.states[pick(p.slow.at(x+chosen*54545, y, z+chosen*34234), len(p.states))], true
}

func (l *Loader) thresholdStates(v provider.Value) (Provider, error) {
	n, err := l.noisy(v, "noise", "scale")
	if err != nil {
		return nil, err
	}
	p := thresholdStates{noisy: n}
	if p.threshold, err = Float(v, "threshold", -1, 1); err != nil {
		return nil, err
	}
	if p.chance, err = Float(v, "high_chance", 0, 1); err != nil {
		return nil, err
	}
	for name, field := range map[string]*[]block.State{"low_states": &p.low, "high_states": &p.high} {
		member, err := v.Member(name)
		if err != nil {
			return nil, err
		}
		if *field, err = l.States(member); err != nil {
			return nil, err
		}
	}
	member, err := v.Member("default_state")
	if err != nil {
		return nil, err
	}
	p.standard, err = l.State(member)
	return p, err
}

func (p thresholdStates) State(c *Context, x, y, z int) (block.State, bool) {
	if p.at(x, y, z) < float64(p.threshold) {
		return p.low[c.Random.IntN(int32(len(p.low)))], true
	}
	if c.Random.Float() < p.chance {
		return p.high[c.Random.IntN(int32(len(p.high)))], true
	}
	return p.standard, true
}
