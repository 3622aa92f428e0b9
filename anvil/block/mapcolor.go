package block

// MapColor is the number of a base color of maps; 0 is seen through.
type MapColor uint8

// MapColor returns the color of the state on maps.
func (s State) MapColor() MapColor { return get().colors[s] }

// RGB returns the color at full brightness as 0xRRGGBB. Maps show its shades
// 180, 220, 255 and 135 of 255.
func (c MapColor) RGB() uint32 {
	t := get()
	if int(c) < len(t.rgb) {
		return t.rgb[c]
	}
	return 0
}
