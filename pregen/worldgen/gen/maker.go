package gen

import (
	"fmt"

	"strata/anvil/chunk"
	"strata/pregen/worldgen/carve"
	"strata/pregen/worldgen/climate"
	"strata/pregen/worldgen/density"
	"strata/pregen/worldgen/proto"
	"strata/pregen/worldgen/surface"
	"strata/pregen/worldgen/terrain"
)

// Maker is the scratch of one worker for one dimension. One goroutine at a time
// may use it.
type Maker struct {
	dimension *Dimension
	biomes    *biomeCache
	reader    *climate.Reader
	values    *terrain.Values
	filler    *terrain.Filler
	view      *climate.View
	builder   *surface.Builder
	carver    *carve.Worker

	structures StructuresWorker // nil for none
	beard      terrain.Beard
	meter      Meter
}

// NewMaker returns a new Maker.
func (d *Dimension) NewMaker() *Maker {
	m := &Maker{dimension: d}
	if d.noiseParts == nil {
		return m
	}
	minY, height := d.Range()
	p := d.noiseParts
	m.values = terrain.NewValues(p.program.NewChunk(), p.router)
	// Climate is asked for chunks around the one that is made, so it has
	// scratch of its own.
	var sampler climate.Sampler
	if p.source.NeedsClimate() {
		sampler = p.program.NewChunk()
	}
	m.reader = p.source.Reader(sampler)
	m.biomes = newBiomeCache(m.reader, minY, height)
	m.filler = terrain.NewFiller(p.settings, minY, height, p.noises)
	m.view = climate.NewView(minY, height)
	m.builder = p.surface.NewBuilder()
	m.carver = p.carvers.NewWorker(d.seed, m.biomes.corner)
	return m
}

// NewMakerWith returns a new Maker whose ground structures change, nil for none.
func (d *Dimension) NewMakerWith(structures Structures) *Maker {
	m := d.NewMaker()
	if structures != nil {
		m.structures = structures.NewWorker(m)
	}
	return m
}

// New returns an empty chunk of the dimension's height.
func (d *Dimension) New() *proto.Chunk { return proto.New(d.Range()) }

// Advance takes a chunk, which is at status from, to status to: both are
// StatusEmpty to Last. At StatusEmpty the chunk has been reset. The error wraps
// ErrUnsupported.
func (m *Maker) Advance(c *proto.Chunk, from, to chunk.Status) error {
	if to > Last {
		return fmt.Errorf("chunk %d,%d to %v: only up to %v: %w", c.X, c.Z, to, Last, ErrUnsupported)
	}
	if layers := m.dimension.layers; layers != nil {
		advanceLayers(layers, c, from, to)
		return nil
	}
	if from < chunk.StatusBiomes && to >= chunk.StatusBiomes {
		copy(c.Biomes, m.biomes.at(c.X, c.Z).Biomes)
		m.meter.lap(StageBiomes)
	}
	begun := false
	begin := func() {
		if !begun {
			m.values.Begin(c.X, c.Z)
			begun = true
		}
	}
	if from < chunk.StatusNoise && to >= chunk.StatusNoise {
		begin()
		m.filler.Fill(c, m.values, m.bearded(c))
		m.meter.lap(StageNoise)
	} else if from < chunk.StatusCarvers && to >= chunk.StatusCarvers {
		begin()
		m.filler.Aquifer().Begin(c.X, c.Z, m.values)
	}
	if from < chunk.StatusCarvers && to >= chunk.StatusSurface {
		begin()
		m.look(c)
		if from < chunk.StatusSurface {
			m.builder.Build(c, m.view, m.values)
			m.meter.lap(StageSurface)
		} else {
			m.builder.Begin(c, m.view, m.values)
		}
	}
	if from < chunk.StatusCarvers && to >= chunk.StatusCarvers {
		m.carver.Carve(c, m.filler.Aquifer(), m.builder)
		m.meter.lap(StageCarvers)
	}
	return nil
}

// bearded is what structures do to the ground of a chunk, nil for nothing.
func (m *Maker) bearded(c *proto.Chunk) *terrain.Beard {
	if m.structures == nil {
		return nil
	}
	m.beard.Begin(c.X, c.Z)
	m.structures.Beard(c.X, c.Z, &m.beard)
	return &m.beard
}

// look prepares the view of the biomes of a chunk's blocks.
func (m *Maker) look(c *proto.Chunk) {
	m.view.Reset(m.dimension.zoom, c.X, c.Z)
	m.view.Load(c)
	for x := c.X - 1; x <= c.X+1; x++ {
		for z := c.Z - 1; z <= c.Z+1; z++ {
			if x != c.X || z != c.Z {
				m.view.Load(m.biomes.at(x, z))
			}
		}
	}
}

// Ties lists the quarter cells of a chunk, as places in its Biomes, where two
// biomes are equally near to the climate, so that the game itself makes now one
// and now the other.
func (m *Maker) Ties(c *proto.Chunk) []int {
	if m.reader == nil {
		return nil
	}
	again := &proto.Chunk{X: c.X, Z: c.Z, MinY: c.MinY, Height: c.Height, Biomes: make([]proto.Biome, len(c.Biomes))}
	m.reader.Fill(again)
	return m.reader.Ties()
}

var _ terrain.Densities = (*terrain.Values)(nil)
var _ climate.Sampler = (*density.Chunk)(nil)
