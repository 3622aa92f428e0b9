package density

import (
	"encoding/json"
	"fmt"
	"strconv"
)

func (o *object) splineOf() Node {
	at, value := o.field("spline")
	if o.err != nil {
		return 0
	}
	s, err := o.loader.spline(at, value)
	if err != nil {
		o.fail(err)
		return 0
	}
	return o.add(node{kind: splineOf, spline: s})
}

// spline loads a number or an object with a coordinate and points.
func (l *Loader) spline(at place, value any) (*spline, error) {
	err := l.enter(at)
	defer l.leave()
	if err != nil {
		return nil, err
	}
	switch value := value.(type) {
	case json.Number:
		number, err := parseSingle(at, value)
		return l.graph.internSpline(spline{value: number}), err
	case map[string]any:
		return l.splineObject(&object{loader: l, at: at, fields: value})
	}
	return nil, at.malformed("not a number or object")
}

func (l *Loader) splineObject(o *object) (*spline, error) {
	s := spline{coordinate: o.function("coordinate")}
	at, value := o.field("points")
	if o.err != nil {
		return nil, o.err
	}
	points, _ := value.([]any)
	if len(points) == 0 {
		return nil, at.malformed("no list of points")
	}
	if l.points += len(points); l.points > MaxSplinePoints {
		return nil, at.wrap(fmt.Errorf("%w: more than %d points of splines", ErrLimit, MaxSplinePoints))
	}
	for i, value := range points {
		at := at.field(fmt.Sprintf("[%d]", i))
		fields, ok := value.(map[string]any)
		if !ok {
			return nil, at.malformed("not an object")
		}
		point := &object{loader: l, at: at, fields: fields}
		s.locations = append(s.locations, point.single("location"))
		s.derivatives = append(s.derivatives, point.single("derivative"))
		at, value := point.field("value")
		if point.err != nil {
			return nil, point.err
		}
		inner, err := l.spline(at, value)
		if err != nil {
			return nil, err
		}
		s.values = append(s.values, inner)
	}
	return l.graph.internSpline(s), nil
}

// single reads a number of single precision.
func (o *object) single(name string) float32 {
	at, value := o.field(name)
	number, ok := value.(json.Number)
	if !ok {
		o.fail(at.malformed("not a number"))
		return 0
	}
	v, err := parseSingle(at, number)
	if err != nil {
		o.fail(err)
	}
	return v
}

func parseSingle(at place, number json.Number) (float32, error) {
	v, err := strconv.ParseFloat(string(number), 32)
	if err != nil {
		return 0, at.malformed("%s is no number of single precision", number)
	}
	return float32(v), nil
}
