package building

import (
	"fmt"
	"slices"

	"strata/anvil/block"
	"strata/nbt"
	"strata/pregen/worldgen/structure"
)

// readTurned reads a piece that is a template. prefix is what the names of the
// templates begin with where it is not stored, rotation the name of the field.
func readTurned(b structure.Base, f *structure.Fields, prefix, rotation string) (turned, error) {
	t := turned{Base: b, name: prefix + f.Text("Template"), at: spot{f.Int("TPX"), f.Int("TPY"), f.Int("TPZ")}}
	var ok bool
	if t.rotation, ok = block.ParseRotation(f.Text(rotation)); !ok {
		return t, fmt.Errorf("%w: %s", structure.ErrPiece, rotation)
	}
	return t, f.Err()
}

// readMirror reads how a piece is reflected.
func (t *turned) readMirror(f *structure.Fields, name string) (err error) {
	var ok bool
	if t.mirror, ok = block.ParseMirror(f.Text(name)); !ok {
		err = fmt.Errorf("%w: %s", structure.ErrPiece, name)
	}
	return err
}

func readCity(b structure.Base, f *structure.Fields) (structure.Piece, error) {
	t, err := readTurned(b, f, cityTemplates, "Rot")
	return &cityPiece{turned: t, whole: f.Bool("OW")}, err
}

func readMansion(b structure.Base, f *structure.Fields) (structure.Piece, error) {
	t, err := readTurned(b, f, mansionTemplates, "Rot")
	if err == nil {
		err = t.readMirror(f, "Mi")
	}
	return &mansionPiece{turned: t}, err
}

func readIgloo(b structure.Base, f *structure.Fields) (structure.Piece, error) {
	t, err := readTurned(b, f, "", "Rot")
	if err != nil {
		return nil, err
	}
	for _, part := range []*iglooPart{iglooTop, iglooMiddle, iglooBottom} {
		if part.name == t.name {
			t.pivot = part.pivot
			return &iglooPiece{turned: t, part: part}, nil
		}
	}
	return nil, fmt.Errorf("%w: Template", structure.ErrPiece)
}

func readShipwreck(b structure.Base, f *structure.Fields) (structure.Piece, error) {
	t, err := readTurned(b, f, "", "Rot")
	t.pivot = wreckPivot
	return &shipwreckPiece{turned: t, beached: f.Bool("isBeached"), settled: f.Bool("height_adjusted")}, err
}

func readOceanRuin(b structure.Base, f *structure.Fields) (structure.Piece, error) {
	t, err := readTurned(b, f, "", "Rot")
	integrity, _ := f.Get("Integrity").(float32)
	return &oceanRuinPiece{turned: t, warm: f.Text("BiomeType") == "WARM", large: f.Bool("IsLarge"), integrity: integrity}, err
}

func readPortal(b structure.Base, f *structure.Fields) (structure.Piece, error) {
	t, err := readTurned(b, f, "", "Rotation")
	if err == nil {
		err = t.readMirror(f, "Mirror")
	}
	if err != nil {
		return nil, err
	}
	placement := slices.Index(portalPlacements, f.Text("VerticalPlacement"))
	if placement < 0 {
		return nil, fmt.Errorf("%w: VerticalPlacement", structure.ErrPiece)
	}
	members, ok := f.Get("Properties").(nbt.Compound)
	if !ok {
		return nil, fmt.Errorf("%w: Properties", structure.ErrPiece)
	}
	properties := structure.NewFields(members)
	mossiness, _ := properties.Get("mossiness").(float32)
	return &portalPiece{
		turned: t, airPocket: properties.Bool("air_pocket"), cold: properties.Bool("cold"),
		setup: portalSetup{
			placement: portalPlacement(placement), mossiness: mossiness, overgrown: properties.Bool("overgrown"),
			vines: properties.Bool("vines"), blackstone: properties.Bool("replace_with_blackstone"),
		},
	}, nil
}
