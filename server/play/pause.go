package play

// Pause of a game without players: time stands still, blocks, fluids and entities
// wait, and those who come end it.

// countEmpty is a tick of how long nobody has been there.
func (g *Game) countEmpty() {
	if len(g.players) > 0 {
		g.empty = 0
	} else {
		g.empty++
	}
}

// Paused reports whether the game stands still because nobody has been there for as
// long as Options.PauseAfter says.
func (g *Game) Paused() bool { return g.options.PauseAfter > 0 && g.empty > g.options.PauseAfter }
