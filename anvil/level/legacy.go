package level

// What level.dat holds until 26.1 and files of their own hold since.

// Weather returns the weather of a level before 26.1.
func (l *Level) Weather() (Weather, bool) {
	rain, ok := l.data.Get("rainTime").Int()
	return Weather{
		ClearTime:   int32(integer(l.data.Get("clearWeatherTime"))),
		RainTime:    int32(rain),
		Raining:     flag(l.data.Get("raining")),
		ThunderTime: int32(integer(l.data.Get("thunderTime"))),
		Thundering:  flag(l.data.Get("thundering")),
	}, ok
}

// GameRules returns the rules of a level before 26.1, which are strings.
func (l *Level) GameRules() (GameRules, bool) {
	rules := GameRules{}
	tag := l.data.Get("GameRules")
	return rules, tag.Exists() && decode(tag, &rules) == nil
}

// Border returns the overworld's border of a level that has it: until 1.21.8.
func (l *Level) Border() (WorldBorder, bool) {
	size, ok := l.data.Get("BorderSize").Float()
	number := func(name string) float64 { v, _ := l.data.Get(name).Float(); return v }
	return WorldBorder{
		CenterX:        number("BorderCenterX"),
		CenterZ:        number("BorderCenterZ"),
		Size:           size,
		SafeZone:       number("BorderSafeZone"),
		DamagePerBlock: number("BorderDamagePerBlock"),
		LerpTarget:     number("BorderSizeLerpTarget"),
		LerpTime:       integer(l.data.Get("BorderSizeLerpTime")),
		WarningBlocks:  int32(number("BorderWarningBlocks")),
		WarningTime:    int32(number("BorderWarningTime")),
	}, ok
}

// DragonFight returns the fight of a level before 26.1.
func (l *Level) DragonFight() (DragonFight, bool) {
	tag := l.data.Get("DragonFight")
	return DragonFight{
		Killed:           flag(tag.Get("DragonKilled")),
		PreviouslyKilled: flag(tag.Get("PreviouslyKilled")),
		NeedsScanning:    flag(tag.Get("NeedsStateScanning")),
		Gateways:         tag.Get("Gateways").Raw(),
	}, tag.Exists()
}

// Trader returns the state of the wandering trader of a level before 26.1.
func (l *Level) Trader() (WanderingTrader, bool) {
	delay, ok := l.data.Get("WanderingTraderSpawnDelay").Int()
	return WanderingTrader{int32(delay), int32(integer(l.data.Get("WanderingTraderSpawnChance")))}, ok
}
