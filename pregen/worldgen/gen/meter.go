package gen

import "strata/pregen"

// Stage is a part of the work that a Meter tells apart.
type Stage string

// The stages.
const (
	StageBiomes   Stage = "biomes"
	StageNoise    Stage = "noise" // with starts of structures and terrain adaptation
	StageSurface  Stage = "surface"
	StageCarvers  Stage = "carvers"
	StageFeatures Stage = "features" // with pieces of structures
	StageLight    Stage = "light"    // of all chunks of a batch that get some
	StageStore    Stage = "store"    // into the form that is encoded, with animals
	StageOther    Stage = "other"    // order, packing, waiting
)

// Meter is told that a worker has come to the end of a stage, which began when
// it was told of the last one.
type Meter func(s Stage)

// NewMeteredWorker returns a worker that tells a meter.
func (g *Generator) NewMeteredWorker(m Meter) (pregen.Worker, error) {
	return &worker{generator: g, meter: m}, nil
}

// lap ends a stage.
func (m Meter) lap(s Stage) {
	if m != nil {
		m(s)
	}
}
