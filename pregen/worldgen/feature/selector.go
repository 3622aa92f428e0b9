package feature

import "strata/pregen/worldgen/provider"

// selector are the features that choose one of several, or take all.
type (
	randomSelector struct {
		chances  []float32
		features []*Placed
		standard *Placed
	}
	simpleSelector   []*Placed
	booleanSelector  struct{ yes, no *Placed }
	weightedSelector struct {
		features []*Placed
		weights  []int32
		total    int32
	}
	sequence []*Placed
)

func newRandomSelector(l *Loader, config provider.Value) (Feature, error) {
	f := randomSelector{}
	member, err := config.Member("default")
	if err != nil {
		return nil, err
	}
	if f.standard, err = l.Placed(member); err != nil {
		return nil, err
	}
	if member, err = config.Member("features"); err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok {
		return nil, member.Errorf("not a list")
	}
	for _, element := range list {
		chance, err := Float(element, "chance", 0, 1)
		if err != nil {
			return nil, err
		}
		member, err := element.Member("feature")
		if err != nil {
			return nil, err
		}
		p, err := l.Placed(member)
		if err != nil {
			return nil, err
		}
		f.chances, f.features = append(f.chances, chance), append(f.features, p)
	}
	return f, nil
}

func (f randomSelector) Place(c *Context, x, y, z int) bool {
	for i, chance := range f.chances {
		if c.Random.Float() < chance {
			return f.features[i].Place(c, x, y, z)
		}
	}
	return f.standard.Place(c, x, y, z)
}

func (l *Loader) memberList(config provider.Value) ([]*Placed, error) {
	member, err := config.Member("features")
	if err != nil {
		return nil, err
	}
	return l.PlacedList(member)
}

func newSimpleSelector(l *Loader, config provider.Value) (Feature, error) {
	list, err := l.memberList(config)
	return simpleSelector(list), err
}

func (f simpleSelector) Place(c *Context, x, y, z int) bool {
	return f[c.Random.IntN(int32(len(f)))].Place(c, x, y, z)
}

func newSequence(l *Loader, config provider.Value) (Feature, error) {
	list, err := l.memberList(config)
	return sequence(list), err
}

// Place builds all in turn.
func (f sequence) Place(c *Context, x, y, z int) bool {
	placed := false
	for _, p := range f {
		placed = p.Place(c, x, y, z) || placed
	}
	return placed
}

func newBooleanSelector(l *Loader, config provider.Value) (Feature, error) {
	f := booleanSelector{}
	for name, field := range map[string]**Placed{"feature_true": &f.yes, "feature_false": &f.no} {
		member, err := config.Member(name)
		if err != nil {
			return nil, err
		}
		if *field, err = l.Placed(member); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f booleanSelector) Place(c *Context, x, y, z int) bool {
	if c.Random.Bool() {
		return f.yes.Place(c, x, y, z)
	}
	return f.no.Place(c, x, y, z)
}

func newWeightedSelector(l *Loader, config provider.Value) (Feature, error) {
	member, err := config.Member("features")
	if err != nil {
		return nil, err
	}
	list, ok := member.List()
	if !ok {
		return nil, member.Errorf("not a list")
	}
	f := weightedSelector{}
	for _, element := range list {
		data, err := element.Member("data")
		if err != nil {
			return nil, err
		}
		p, err := l.Placed(data)
		if err != nil {
			return nil, err
		}
		weight, err := readWeight(element, f.total)
		if err != nil {
			return nil, err
		}
		f.total += weight
		f.features, f.weights = append(f.features, p), append(f.weights, weight)
	}
	if f.total == 0 {
		return nil, member.Errorf("no entry has a weight")
	}
	return f, nil
}

func (f weightedSelector) Place(c *Context, x, y, z int) bool {
	return f.features[choose(c.Random, f.weights, f.total)].Place(c, x, y, z)
}
