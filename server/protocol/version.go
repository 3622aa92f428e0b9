package protocol

import (
	"fmt"

	"strata/anvil/registry"
)

// noTeamColor is what 775 sends of a team without a color: the format that
// takes formats away, after 16 colors and 5 formats.
const noTeamColor = 21

// teamColor is a number among the chat formats in 775, and an optional color
// from 776 on.
func teamColor(v *Optional[int32], c *coder, name string) {
	if c.version >= registry.V26_2 {
		optional(v, c, name, varint)
		return
	}
	raw := v.Value
	if !v.Present {
		raw = noTeamColor
	}
	varint(&raw, c, name)
	if c.r != nil && raw != noTeamColor {
		*v = Some(raw)
	}
}

// spectated is the number of an entity in 775, and an optional one from 776
// on, where none ends spectating.
func spectated(v *Optional[int32], c *coder, name string) {
	switch {
	case c.version >= registry.V26_2:
		optionalInt(v, c, name)
	case c.w != nil && !v.Present:
		c.fail(name, fmt.Errorf("no entity: %w", ErrUnsupported))
	default:
		varint(&v.Value, c, name)
		if c.r != nil {
			v.Present = true
		}
	}
}

// maxLoginText is the longest reason in the login state, where texts are JSON
// (the game's own).
const maxLoginText = 262144
