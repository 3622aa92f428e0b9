package nbt

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompoundsFindTheLastOfAName(t *testing.T) {
	c := Compound{{"a", 1}, {"b", 2}, {"a", 3}}
	if v, ok := c.Get("a"); !ok || v != 3 {
		t.Errorf("Get: %v, %t", v, ok)
	}
	if v, ok := c.Get("c"); ok || v != nil {
		t.Errorf("Get of none: %v, %t", v, ok)
	}
	c.Set("a", 4)
	c.Set("c", 5)
	if diff := cmp.Diff(Compound{{"a", 1}, {"b", 2}, {"a", 4}, {"c", 5}}, c); diff != "" {
		t.Errorf("Set:\n%s", diff)
	}
	if !c.Delete("a") || c.Delete("a") {
		t.Error("Delete does not say whether there was one")
	}
	if diff := cmp.Diff(Compound{{"b", 2}, {"c", 5}}, c); diff != "" {
		t.Errorf("Delete:\n%s", diff)
	}
}

func TestEqual(t *testing.T) {
	nan := math.Float64frombits(0x7FF8000000000001)
	wide := func(n int, last any) (c Compound) {
		for i := range n {
			c = append(c, Member{string(rune('a' + i)), int8(i)})
		}
		return append(c, Member{"last", last})
	}
	reversed := func(c Compound) (r Compound) {
		for i := range c {
			r = append(r, c[len(c)-1-i])
		}
		return r
	}
	for name, c := range map[string]struct {
		a, b any
		want bool
	}{
		"nothing":            {nil, nil, true},
		"nothing and 0":      {nil, int8(0), false},
		"numbers":            {int32(1), int32(1), true},
		"other numbers":      {int32(1), int32(2), false},
		"other types":        {int32(1), int64(1), false},
		"NaN":                {nan, nan, true},
		"other NaN":          {nan, math.Float64frombits(0x7FF8000000000002), false},
		"zeros":              {float32(0), float32(math.Copysign(0, -1)), false},
		"strings":            {"a", "a", true},
		"bytes":              {[]byte{1}, []byte{1}, true},
		"other bytes":        {[]byte{1}, []byte{2}, false},
		"ints":               {[]int32{1}, []int32{1}, true},
		"longs":              {[]int64{1}, []int64{1, 2}, false},
		"nil and empty":      {[]int64(nil), []int64{}, true},
		"lists":              {List{TypeInt, []any{int32(1)}}, List{TypeInt, []any{int32(1)}}, true},
		"longer list":        {List{TypeInt, []any{int32(1)}}, List{TypeInt, []any{int32(1), int32(2)}}, false},
		"empty lists":        {List{TypeInt, nil}, List{TypeEnd, []any{}}, true},
		"list and array":     {List{TypeInt, []any{int32(1)}}, []int32{1}, false},
		"order":              {wide(20, "x"), reversed(wide(20, "x")), true},
		"order, other value": {wide(20, "x"), reversed(wide(20, "y")), false},
		"other value":        {wide(20, "x"), wide(20, "y"), false},
		"more members":       {wide(20, "x"), wide(19, "x"), false},
		"hidden member":      {Compound{{"a", int8(1)}, {"a", int8(2)}}, Compound{{"a", int8(2)}}, true},
		"hidden both":        {Compound{{"a", int8(1)}, {"a", int8(2)}}, Compound{{"a", int8(3)}, {"a", int8(2)}}, true},
		"shown differs":      {Compound{{"a", int8(1)}, {"a", int8(2)}}, Compound{{"a", int8(1)}, {"a", int8(3)}}, false},
		"other names":        {Compound{{"a", int8(1)}}, Compound{{"b", int8(1)}}, false},
		"no generic value":   {5, 5, false},
	} {
		if got := Equal(c.a, c.b); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
		if got := Equal(c.b, c.a); got != c.want {
			t.Errorf("%s, the other way: %t, want %t", name, got, c.want)
		}
	}
}
