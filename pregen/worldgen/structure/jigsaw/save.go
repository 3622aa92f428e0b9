package jigsaw

import (
	"fmt"
	"strings"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/provider"
	"strata/pregen/worldgen/structure"
	"strata/pregen/worldgen/structure/template"
	"strata/pregen/worldgen/terrain"
)

// Save implements structure.Piece.
func (p *piece) Save() nbt.Compound {
	var c nbt.Compound
	c.Set("PosX", p.x)
	c.Set("PosY", p.y)
	c.Set("PosZ", p.z)
	c.Set("ground_level_delta", p.groundDelta)
	c.Set("pool_element", p.element.saved)
	c.Set("rotation", p.rotation.String())
	junctions := nbt.List{Elem: nbt.TypeCompound}
	for _, j := range p.junctions {
		var entry nbt.Compound
		entry.Set("source_x", j.X)
		entry.Set("source_ground_y", j.GroundY)
		entry.Set("source_z", j.Z)
		entry.Set("delta_y", j.step)
		entry.Set("dest_proj", projection(j.matching))
		junctions.Items = append(junctions.Items, entry)
	}
	c.Set("junctions", junctions)
	if !p.keepsWater {
		c.Set("liquid_settings", "ignore_waterlogging")
	}
	return c
}

func projection(matching bool) string {
	if matching {
		return "terrain_matching"
	}
	return "rigid"
}

// saveElement is how an element is stored with a piece.
func saveElement(id string, e *element, v provider.Value) nbt.Compound {
	var c nbt.Compound
	c.Set("element_type", id)
	if e.kind != emptyKind {
		c.Set("projection", projection(e.matching))
	}
	switch e.kind {
	case singleKind, legacyKind:
		c.Set("location", e.location)
		setJSON(&c, v, "processors")
		setJSON(&c, v, "override_liquid_settings")
	case featureKind:
		setJSON(&c, v, "feature")
	case listKind:
		list := nbt.List{Elem: nbt.TypeCompound}
		for _, part := range e.elements {
			list.Items = append(list.Items, part.saved)
		}
		c.Set("elements", list)
	}
	return c
}

// readPiece reads what Save has stored. As in the game its box is that of the
// element alone.
func (p *pools) readPiece(base structure.Base, f *structure.Fields) (structure.Piece, error) {
	stored, ok := f.Get("pool_element").(nbt.Compound)
	if !ok {
		return nil, fmt.Errorf("%w: pool_element", structure.ErrPiece)
	}
	v, err := provider.Parse("pool_element", PieceID, template.ToJSON(stored))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", structure.ErrPiece, err)
	}
	e, err := p.element(v, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", structure.ErrPiece, err)
	}
	rotation, ok := block.ParseRotation(strings.ToUpper(f.Text("rotation")))
	if !ok {
		return nil, fmt.Errorf("%w: rotation", structure.ErrPiece)
	}
	made := newPiece(e, f.Int("PosX"), f.Int("PosY"), f.Int("PosZ"), rotation, f.Int("ground_level_delta"),
		f.Text("liquid_settings") != "ignore_waterlogging")
	made.Base.Depth, made.Base.Facing = base.Depth, base.Facing
	junctions, _ := f.Get("junctions").(nbt.List)
	for _, item := range junctions.Items {
		entry, ok := item.(nbt.Compound)
		if !ok {
			return nil, fmt.Errorf("%w: junctions", structure.ErrPiece)
		}
		j := structure.NewFields(entry)
		made.junctions = append(made.junctions, junction{
			terrain.Junction{X: j.Int("source_x"), GroundY: j.Int("source_ground_y"), Z: j.Int("source_z")},
			j.Int("delta_y"), j.Text("dest_proj") == "terrain_matching",
		})
	}
	return made, f.Err()
}
