package template

import (
	"math"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/feature"
)

// placeEntities places the template's entities that lie in the box.
func (t *Template) placeEntities(w *work) {
	s := w.settings
	for i := range t.Entities {
		e := &t.Entities[i]
		x, y, z := s.Turned(e.BlockX, e.BlockY, e.BlockZ)
		if !s.Box.Contains(x+w.x, y+w.y, z+w.z) {
			continue
		}
		px, pz := s.turnedPoint(e.X, e.Z)
		if made, ok := s.entity(e.NBT); ok {
			made.X, made.Y, made.Z = px+float64(w.x), e.Y+float64(w.y), pz+float64(w.z)
			w.context.AddEntity(made)
		}
	}
}

// turnedPoint turns a point between blocks.
func (s *Settings) turnedPoint(x, z float64) (float64, float64) {
	switch s.Mirror {
	case block.LeftRight:
		z = 1 - z
	case block.FrontBack:
		x = 1 - x
	}
	pivotX, pivotZ := float64(s.PivotX), float64(s.PivotZ)
	switch s.Rotation {
	case block.Counterclockwise90:
		return pivotX - pivotZ + z, pivotX + pivotZ + 1 - x
	case block.Clockwise90:
		return pivotX + pivotZ + 1 - z, pivotZ - pivotX + x
	case block.Clockwise180:
		return pivotX + pivotX + 1 - x, pivotZ + pivotZ + 1 - z
	}
	return x, z
}

// entity makes an entity of what the template has of it. Those that ride on it
// are kept as they are.
func (s *Settings) entity(content nbt.Compound) (feature.Entity, bool) {
	id, _ := content.Get("id")
	name, ok := id.(string)
	if !ok {
		return feature.Entity{}, false
	}
	e := feature.Entity{ID: name}
	for _, m := range content {
		value := m.Value
		switch m.Name {
		case "id", "UUID", "Pos":
			continue
		case "Rotation":
			value = s.turnedLook(m.Value)
		}
		if raw, err := nbt.MarshalRaw(value); err == nil {
			e.Extra = append(e.Extra, feature.Member{Name: m.Name, Value: raw})
		}
	}
	return e, true
}

// turnedLook turns where an entity looks: it is turned, and then reflected.
func (s *Settings) turnedLook(value any) any {
	list, ok := value.(nbt.List)
	if !ok || len(list.Items) != 2 {
		return value
	}
	yaw, ok := list.Items[0].(float32)
	if !ok {
		return value
	}
	turned := wrapDegrees(yaw + float32(float32(s.Rotation)*90))
	look := wrapDegrees(yaw)
	switch s.Mirror {
	case block.FrontBack:
		turned += -look - yaw
	case block.LeftRight:
		turned += 180 - look - yaw
	}
	return nbt.List{Elem: nbt.TypeFloat, Items: []any{turned, list.Items[1]}}
}

// wrapDegrees brings an angle between -180 and 180.
func wrapDegrees(v float32) float32 {
	v = float32(math.Mod(float64(v), 360))
	if v >= 180 {
		v -= 360
	}
	if v < -180 {
		v += 360
	}
	return v
}
