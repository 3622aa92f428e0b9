package play

// Listed reports whether the player's client lets servers show its name to those
// who are not on. It belongs to the tick goroutine.
func (p *Player) Listed() bool { return p.info.EnableServerListing }
