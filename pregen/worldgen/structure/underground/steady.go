package underground

// The pieces that settle nothing implement structure.Steady: all but those with
// a spawner or a chest, as far as they note that it is there.

func (*mineRoom) Steady()       {}
func (*mineCrossing) Steady()   {}
func (*mineStairs) Steady()     {}
func (*bones) Steady()          {}
func (*strongStraight) Steady() {}
func (*strongPrison) Steady()   {}
func (*strongLeft) Steady()     {}
func (*strongRight) Steady()    {}
func (*strongRoom) Steady()     {}
func (*strongSlope) Steady()    {}
func (*strongStairs) Steady()   {}
func (*strongCrossing) Steady() {}
func (*strongLibrary) Steady()  {}
func (*strongFiller) Steady()   {}
func (*fortCrossing) Steady()   {}
func (*fortBridge) Steady()     {}
func (*fortEnd) Steady()        {}
func (*fortRoom) Steady()       {}
func (*fortStairs) Steady()     {}
func (*fortEntrance) Steady()   {}
func (*fortCorridor) Steady()   {}
func (*fortCorridors) Steady()  {}
func (*fortSlope) Steady()      {}
func (*fortBalcony) Steady()    {}
func (*fortGarden) Steady()     {}
