package source

import (
	"strata/anvil/chunk"
	"strata/anvil/store"
)

// ApplyLight gives the chunk of a result with Relit its new light, and reports
// whether it did: not if the chunk has been changed since the light was
// computed, as it is not right then. Whoever owns the chunk calls it; as any
// update of a hold it does not wait. The errors are those of store.Hold.Update.
func (r *Result) ApplyLight() (applied bool, err error) {
	if !r.Relit {
		return false, nil
	}
	err = r.Hold.Update(store.Structural, func(c *chunk.Chunk) error {
		if c.Revision() != r.revision {
			return nil
		}
		applied = true
		return copyLight(c, r.light)
	})
	return applied && err == nil, err
}

// copyLight gives a chunk the light of another.
func copyLight(to, from *chunk.Chunk) error {
	low, high := to.SectionRange()
	fromLow, fromHigh := from.SectionRange()
	for y := min(low, fromLow); y < max(high, fromHigh); y++ {
		for _, kind := range []chunk.Light{chunk.BlockLight, chunk.SkyLight} {
			var err error
			switch state, level := from.LightState(kind, y); state {
			case chunk.LightAbsent:
				to.DropLight(kind, y)
			case chunk.LightUniform:
				err = to.FillLight(kind, y, level)
			case chunk.LightArray:
				var light [chunk.LightBytes]byte
				from.SectionLight(kind, y, &light)
				err = to.SetSectionLight(kind, y, &light)
			}
			if err != nil {
				return err
			}
		}
	}
	to.SetLightOn(from.LightOn())
	return nil
}
