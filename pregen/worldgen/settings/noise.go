package settings

import (
	"encoding/json"
	"fmt"

	"strata/pregen/worldgen/noise"
)

// Noise reads an entry of worldgen/noise. Errors that are about its values wrap
// noise.ErrParameters.
func Noise(s Source, id string) (noise.Parameters, error) {
	text, err := s.Document("worldgen/noise", id)
	if err != nil {
		return noise.Parameters{}, err
	}
	var data struct {
		FirstOctave *int      `json:"firstOctave"`
		Amplitudes  []float64 `json:"amplitudes"`
	}
	if err := json.Unmarshal(text, &data); err != nil {
		return noise.Parameters{}, fmt.Errorf("worldgen/noise %s: %w", id, err)
	}
	if data.FirstOctave == nil {
		return noise.Parameters{}, fmt.Errorf("worldgen/noise %s: firstOctave is missing: %w", id, noise.ErrParameters)
	}
	p := noise.Parameters{FirstOctave: *data.FirstOctave, Amplitudes: data.Amplitudes}
	if err := p.Validate(); err != nil {
		return noise.Parameters{}, fmt.Errorf("worldgen/noise %s: %w", id, err)
	}
	return p, nil
}

// Noises returns Noise of one source, for noise.NewSet.
func Noises(s Source) func(id string) (noise.Parameters, error) {
	return func(id string) (noise.Parameters, error) { return Noise(s, id) }
}
