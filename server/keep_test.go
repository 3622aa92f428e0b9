package server

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/level"
	"strata/anvil/registry"
	"strata/region/vfs"
	"strata/server/admin"
	"strata/server/protocol"
)

// answers runs commands of a console, each of which must answer what follows it.
func answers(t *testing.T, s *Server, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		said, err := s.Remote(context.Background(), pairs[i], false)
		if err != nil || !strings.Contains(said, pairs[i+1]) {
			t.Errorf("%s: %v, %q, want %q", pairs[i], err, said, pairs[i+1])
		}
	}
}

// changed are commands that change the world's data, and asked those that ask for
// it.
var (
	changed = []string{
		"gamerule keep_inventory true", "is now set to: true",
		"gamerule random_tick_speed 7", "is now set to: 7",
		"gamerule advance_time false", "is now set to: false",
		"time set 18000", "18000",
		"time of minecraft:the_end set 77", "77",
		"difficulty hard", "Hard",
		"weather thunder 5000", "",
		"setworldspawn 20 80 -30 90 10", "20",
	}
	asked = []string{
		"gamerule keep_inventory", "true",
		"gamerule random_tick_speed", "7",
		"gamerule max_entity_cramming", "24",
		"time query time", "18000",
		"time of minecraft:the_end query time", "77",
		"difficulty", "Hard",
	}
)

func TestTheWorldsDataIsKept(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	join(t, s, registry.V26_1, "Walker_1")
	answers(t, s, changed...)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	before := s.saved.Time
	second, stop := again(t, s.options)
	answers(t, second, asked...)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	w := second.saved
	if w.Time < before || !w.Weather.Raining || !w.Weather.Thundering || w.Weather.RainTime > 5000 || w.Weather.RainTime < 4000 {
		t.Errorf("time %d (%d before), weather %+v", w.Time, before, w.Weather)
	}
	if w.Spawn != (level.Spawn{Dimension: anvil.Overworld, X: 20, Y: 80, Z: -30, Yaw: 90, Pitch: 10}) {
		t.Errorf("spawn %+v", w.Spawn)
	}
}

func commandsOf(pairs []string) string {
	var all []string
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, pairs[i])
	}
	return strings.Join(all, "\n")
}

// gameEvents waits for events of the game in their order; others may come between.
func gameEvents(c *testClient, what string, want ...protocol.GameEvent) {
	c.t.Helper()
	c.until(what, func(p protocol.Packet) bool {
		if e, ok := p.(*protocol.GameEvent); ok && *e == want[0] {
			want = want[1:]
		}
		return len(want) == 0
	})
}

func TestClientsAreToldOfTheWeather(t *testing.T) {
	t.Parallel()
	s, _ := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	s.Console("weather rain")
	gameEvents(a, "rain", protocol.GameEvent{Event: protocol.GameEventKindRainLevelChange, Value: 0.01},
		protocol.GameEvent{Event: protocol.GameEventKindStartRaining})
	b := dial(t, s.Addr(), registry.V26_2, "Walker_2")
	gameEvents(b, "that it rains already", protocol.GameEvent{Event: protocol.GameEventKindStartRaining})
	s.Console("weather thunder")
	gameEvents(a, "thunder", protocol.GameEvent{Event: protocol.GameEventKindThunderLevelChange, Value: 0.01})
	s.Console("weather clear")
	gameEvents(a, "the end of both", protocol.GameEvent{Event: protocol.GameEventKindThunderLevelChange, Value: 0},
		protocol.GameEvent{Event: protocol.GameEventKindStopRaining})
}

func TestClientsAreToldOfSettings(t *testing.T) {
	t.Parallel()
	_, access := withAccess(t, admin.AccessOptions{})
	s, _ := start(t, access)
	c := join(t, s, registry.V26_1, "Walker_1")
	difficulty := func(want protocol.ChangeDifficultyClientbound) {
		t.Helper()
		c.until("a difficulty", func(p protocol.Packet) bool {
			d, ok := p.(*protocol.ChangeDifficultyClientbound)
			return ok && *d == want
		})
	}
	// From the menu of somebody who is no operator: nothing comes of it.
	c.send(&protocol.ChangeDifficultyServerbound{NewDifficulty: protocol.DifficultyPeaceful})
	s.Console("op Walker_1")
	c.until("the operator's level", func(p protocol.Packet) bool {
		e, ok := p.(*protocol.EntityEvent)
		return ok && e.Event == 28
	})
	c.send(&protocol.ChangeDifficultyServerbound{NewDifficulty: protocol.DifficultyHard})
	difficulty(protocol.ChangeDifficultyClientbound{Difficulty: protocol.DifficultyHard})
	c.send(&protocol.LockDifficulty{Locked: true})
	difficulty(protocol.ChangeDifficultyClientbound{Difficulty: protocol.DifficultyHard, DifficultyLocked: true})
	c.send(&protocol.ChangeDifficultyServerbound{NewDifficulty: protocol.DifficultyEasy}) // it is locked
	s.Console("difficulty normal")
	difficulty(protocol.ChangeDifficultyClientbound{Difficulty: protocol.DifficultyNormal, DifficultyLocked: true})

	s.Console("setworldspawn 100 70 100")
	c.until("the spawn", func(p protocol.Packet) bool {
		at, ok := p.(*protocol.SetDefaultSpawnPosition)
		return ok && at.Pos == protocol.GlobalPos{DimensionName: anvil.Overworld, Pos: protocol.BlockPos{X: 100, Y: 70, Z: 100}}
	})
	s.Console("gamerule immediate_respawn true")
	gameEvents(c, "the rule", protocol.GameEvent{Event: protocol.GameEventKindImmediateRespawn, Value: 1})
	s.Console("gamerule advance_time false")
	c.until("clocks that stand", func(p protocol.Packet) bool {
		set, ok := p.(*protocol.SetTime)
		return ok && len(set.Clocks) == 2 && set.Clocks[0].Rate == 0 && set.Clocks[1].Rate == 0
	})
}

// gameTime asks a console for the world's age.
func gameTime(t *testing.T, s *Server) string {
	t.Helper()
	said, err := s.Remote(context.Background(), "time query gametime", false)
	if err != nil {
		t.Fatal(err)
	}
	return said
}

func TestAnEmptyWorldStandsStillAndIsSaved(t *testing.T) {
	t.Parallel()
	s, _ := start(t, func(o *Options) { o.PauseWhenEmpty = 10 * tickTime })
	onDisk := func() int64 {
		lvl, _, err := level.Read(vfs.OS(), s.options.World)
		if err != nil {
			t.Fatal(err)
		}
		return lvl.Time()
	}
	// Nobody was ever on: it goes on for ten ticks.
	poll(t, "the pause to be saved", func() bool { return onDisk() == 10 })
	if said := gameTime(t, s); !strings.Contains(said, "10") {
		t.Errorf("%q after ten ticks", said)
	}
	c := join(t, s, registry.V26_1, "Walker_1")
	c.until("the time to go on", func(p protocol.Packet) bool {
		set, ok := p.(*protocol.SetTime)
		return ok && set.GameTime >= 20
	})
	_ = c.Close()
	// Commands are run between ticks: from one to the next time goes by or not.
	paused := ""
	poll(t, "the second pause", func() bool {
		before := paused
		paused = gameTime(t, s)
		return paused == before
	})
	poll(t, "the second pause to be saved", func() bool { return strings.Contains(paused, strconv.FormatInt(onDisk(), 10)+" tick") })
	if now := gameTime(t, s); now != paused {
		t.Errorf("%q, then %q", paused, now)
	}
}

// poll waits for something.
func poll(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func TestSavingCanBeSwitchedOffAndOn(t *testing.T) {
	t.Parallel()
	s, _ := start(t)
	answers(t, s, "save-off", "Automatic saving is now disabled", "save-off", "already", "difficulty hard", "Hard")
	join(t, s, registry.V26_1, "Walker_1")
	onDisk := func() string {
		lvl, _, err := level.Read(vfs.OS(), s.options.World)
		if err != nil {
			t.Fatal(err)
		}
		return lvl.Difficulty().Name
	}
	answers(t, s, "save-all", "Saving the game")
	poll(t, "what was asked for", func() bool { return onDisk() == "hard" })
	answers(t, s, "save-on", "now enabled", "save-on", "already")
}

// TestAHeavyLevelIsKeptAsWell has a level.dat as mods make it.
func TestAHeavyLevelIsKeptAsWell(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	lvl, _, err := level.Read(vfs.OS(), s.options.World)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]int32{}
	for i := range int32(5000) {
		names["mod:name_"+strconv.Itoa(int(i))] = i
	}
	e := lvl.Edit()
	e.Set(names, "fml", "Registries")
	if lvl, err = e.Level(); err != nil {
		t.Fatal(err)
	}
	if err := lvl.Write(vfs.OS(), s.options.World); err != nil {
		t.Fatal(err)
	}
	second, stop := again(t, s.options)
	if !second.heavy {
		t.Fatalf("%d bytes are not heavy", len(lvl.Bytes()))
	}
	answers(t, second, "difficulty hard", "Hard", "save-all", "Saving")
	poll(t, "the difficulty", func() bool {
		lvl, _, err := level.Read(vfs.OS(), s.options.World)
		return err == nil && lvl.Difficulty().Name == "hard"
	})
	answers(t, second, "difficulty easy", "Easy")
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if lvl, _, err = level.Read(vfs.OS(), s.options.World); err != nil || lvl.Difficulty().Name != "easy" || lvl.Data().Get("fml").Get("Registries").Len() != 5000 {
		t.Errorf("in the end: %v, %+v", err, lvl.Difficulty())
	}
}
