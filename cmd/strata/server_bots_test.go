package main

import (
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strata/bench/clients"
	"strata/cmd/internal/ui"
)

// botVersion is the newest that mineflayer speaks.
const botVersion = "26.1"

// botFolder is a serverFolder with a world of seed 42.
func botFolder(t *testing.T, pregen []string, properties ...string) string {
	t.Helper()
	dir := serverFolder(t, properties...)
	args := append([]string{"pregen", filepath.Join(dir, "world"), "--seed", "42", "--progress=none"}, pregen...)
	if code, _, text := runPlain(t, args...); code != ui.OK {
		t.Fatalf("exit %d: %s", code, text)
	}
	return dir
}

// crew is bots on a server.
type crew struct {
	t    *testing.T
	bots *clients.Bots
}

func (c crew) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c crew) join(s *serverProcess, name string) clients.Sight {
	c.t.Helper()
	sight, err := c.bots.Join(name, s.port, botVersion)
	if err != nil {
		c.t.Fatalf("%v\n%s", err, s.text())
	}
	return sight
}

func (c crew) look(name string) clients.Sight {
	c.t.Helper()
	sight, err := c.bots.Look(name)
	c.must(err)
	return sight
}

// walks has a bot walk from place to place, and returns how far apart they are. The
// server must not move it.
func (c crew) walks(s *serverProcess, name string, places ...[2]int) (blocks float64) {
	c.t.Helper()
	before := c.look(name)
	x, z := before.X, before.Z
	for _, to := range places {
		var at clients.Sight
		for range 3 { // a path may end where the bot has no chunks yet
			if err := c.bots.Walk(name, to[0], to[1]); err != nil {
				c.t.Fatalf("to %v: %v; at %+v\n%s", to, err, c.look(name), s.text())
			}
			if at = c.look(name); near(at, to) {
				break
			}
		}
		blocks += math.Hypot(at.X-x, at.Z-z)
		x, z = at.X, at.Z
		if !near(at, to) {
			c.t.Errorf("%s is at %v, %v instead of %v", name, x, z, to)
		}
	}
	if n := c.look(name).Corrections - before.Corrections; n != 0 {
		c.t.Errorf("%s was moved %d times by the server", name, n)
	}
	return blocks
}

// near reports whether a bot is where it was to go.
func near(at clients.Sight, to [2]int) bool {
	return math.Abs(at.X-float64(to[0])) <= 3 && math.Abs(at.Z-float64(to[1])) <= 3
}

// botBlocks are items that are blocks of the same name, and can stand alone on grass.
var botBlocks = strings.Fields(`stone oak_planks oak_stairs stone_slab oak_fence glass torch oak_log oak_leaves white_wool
	cobblestone_wall dirt sand red_bed crafting_table oak_fence_gate iron_bars oak_trapdoor lantern bookshelf
	carved_pumpkin hay_block observer lever stone_button stone_pressure_plate white_carpet
	poppy oak_sapling sea_lantern glowstone obsidian brick_stairs quartz_pillar purpur_block end_rod anvil
	white_concrete_powder red_stained_glass_pane oak_sign lightning_rod candle daylight_detector note_block
	copper_block waxed_copper_grate tuff_wall mud_brick_slab scaffolding target rail powered_rail`)

// around are places about one, two apart, that somebody there reaches.
func around(x, y, z int) (places []clients.BlockPos) {
	for dx := -4; dx <= 4; dx += 2 {
		for dz := -4; dz <= 4; dz += 2 {
			if dx != 0 || dz != 0 {
				places = append(places, clients.BlockPos{X: x + dx, Y: y, Z: z + dz})
			}
		}
	}
	return places
}

// build has a bot place the blocks, and dig some, and returns the places.
func (c crew) build(s *serverProcess, name string, y int) (places []clients.BlockPos) {
	c.t.Helper()
	for left, x := botBlocks, 0; len(left) > 0; x += 12 {
		c.walks(s, name, [2]int{x, 30})
		at := c.look(name)
		all := around(int(math.Floor(at.X)), y, int(math.Floor(at.Z)))
		n := min(len(left), len(all))
		for i, item := range left[:n] {
			if err := c.bots.Place(name, item, all[i]); err != nil {
				c.t.Errorf("%s: %v", item, err)
			}
		}
		states, err := c.bots.Blocks(name, all[:n])
		c.must(err)
		for i, state := range states {
			if kind, _, _ := strings.Cut(state, "["); kind != "minecraft:"+left[i] {
				c.t.Errorf("placed %s, and there is %s", left[i], state)
			}
		}
		c.must(c.bots.Dig(name, all[0]))
		c.must(c.bots.AwaitBlock(name, all[0], "minecraft:air"))
		places, left = append(places, all[:n]...), left[n:]
	}
	return places
}

// course is an alley that leads from west to east, with what there is to step onto, climb,
// jump over, go round and swim through: commands that build it on flat ground.
var course = []string{
	"fill 0 -60 -23 34 -56 -23 stone", "fill 0 -60 -19 34 -56 -19 stone", // walls on all sides
	"fill 0 -60 -22 0 -56 -20 stone", "fill 34 -60 -22 34 -56 -20 stone",
	"fill 3 -60 -22 3 -60 -20 stone_slab",
	"fill 5 -60 -22 5 -60 -20 oak_stairs[facing=east]", "fill 6 -60 -22 8 -60 -20 stone",
	"fill 7 -59 -22 7 -59 -20 oak_stairs[facing=east]", "fill 8 -59 -22 8 -59 -20 stone",
	"fill 11 -60 -21 11 -60 -20 oak_fence", // to go round
	"fill 14 -61 -22 17 -61 -20 water",
	"fill 19 -60 -22 19 -60 -20 snow[layers=4]",                                          // half a block
	"fill 22 -60 -22 23 -58 -20 stone", "fill 21 -60 -21 21 -58 -21 ladder[facing=west]", // three high
	"fill 26 -61 -22 29 -61 -20 ice", "fill 28 -60 -22 28 -60 -20 white_carpet",
	"fill 31 -58 -22 31 -58 -20 oak_trapdoor[half=top]", // right above the head
}

// runs has a bot go through the course.
func (c crew) runs(s *serverProcess, name string) {
	c.t.Helper()
	c.walks(s, name, [2]int{1, -21})
	for _, command := range course {
		s.console(command)
	}
	c.must(c.bots.AwaitBlock(name, clients.BlockPos{X: 28, Y: -60, Z: -21}, "minecraft:white_carpet"))
	c.walks(s, name, [2]int{33, -21})
}

// TestBotsBuildAndFindItAgain is a day of players who come from elsewhere: they walk,
// build, see each other, travel, and come back to what they left, after the server
// has ended in order and after it was killed.
func TestBotsBuildAndFindItAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("runs servers and clients")
	}
	t.Parallel()
	c := crew{t, clients.StartBots(t)}
	dir := botFolder(t, []string{"--preset", "flat", "--no-structures", "--radius", "6"}, "gamemode=creative", "view-distance=4")
	s := startServer(t, dir)
	c.join(s, "Builder")
	c.join(s, "Watcher")
	if far := c.walks(s, "Builder", [2]int{70, 30}, [2]int{-30, 10}, [2]int{0, 30}); far < 200 {
		t.Errorf("walked %v blocks", far)
	}
	c.must(c.bots.AwaitOther("Watcher", "Builder", 0, 30))
	c.runs(s, "Watcher")
	places := c.build(s, "Builder", -60)
	c.walks(s, "Builder", [2]int{0, 30})
	c.must(c.bots.AwaitBroken("Watcher", places[0]))
	c.must(c.bots.Say("Builder", "all is built"))
	c.must(c.bots.AwaitHeard("Watcher", "<Builder> all is built"))
	chest := places[1]
	c.must(c.bots.Dig("Builder", chest))
	c.must(c.bots.Place("Builder", "chest", chest))
	built, err := c.bots.Blocks("Builder", places)
	c.must(err)
	c.sees("Watcher", places, built)
	s.console("give Builder gold_ingot 100")
	s.await("Gave 100")
	c.holds("Builder", chest, 70, map[string]int{"gold_ingot": 70})
	c.travels(s, "Builder")

	c.must(c.bots.Leave("Builder"))
	s.stop()
	s = startServer(t, dir)
	c.join(s, "Builder")
	c.walks(s, "Builder", [2]int{0, 30})
	c.holds("Builder", chest, -10, map[string]int{"gold_ingot": 60})
	c.sees("Builder", places, built)
	c.must(c.bots.Place("Builder", "diamond_block", places[0]))
	s.console("save-all flush")
	s.await("Saved the game")
	s.kill()
	s = startServer(t, dir)
	if at := c.join(s, "Builder"); math.Abs(at.Z-30) > 4 {
		t.Errorf("after a kill the bot is at %+v", at)
	}
	built[0] = "minecraft:diamond_block"
	c.sees("Builder", places, built)
	c.holds("Builder", chest, 40, map[string]int{"gold_ingot": 100})
}

// holds has a bot move items into a chest and compares what is in it then.
func (c crew) holds(name string, chest clients.BlockPos, count int, want map[string]int) {
	c.t.Helper()
	got, err := c.bots.Move(name, chest, "gold_ingot", count)
	c.must(err)
	if diff := cmp.Diff(want, got); diff != "" {
		c.t.Errorf("in the chest (-want +got):\n%s", diff)
	}
}

// sees compares what a bot knows of places, which may take a while to come.
func (c crew) sees(name string, places []clients.BlockPos, want []string) {
	c.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		got, err := c.bots.Blocks(name, places)
		c.must(err)
		diff := cmp.Diff(want, got)
		if diff == "" {
			return
		}
		if time.Now().After(deadline) {
			c.t.Errorf("what %s sees (-want +got):\n%s", name, diff)
			return
		}
	}
}

// travels has an operator go to the Nether and back by commands.
func (c crew) travels(s *serverProcess, name string) {
	c.t.Helper()
	s.console("op " + name)
	s.await(regexp.QuoteMeta("Made " + name + " a server operator"))
	back := c.look(name)
	for _, way := range []struct{ command, dimension string }{
		{"/execute in minecraft:the_nether run tp @s 8 70 8", "the_nether"},
		{"/execute in minecraft:overworld run tp @s 24 -60 24", "overworld"},
	} {
		c.must(c.bots.Say(name, way.command))
		c.must(c.bots.AwaitDimension(name, way.dimension))
	}
	if at := c.look(name); at.X != 24.5 || at.Z != 24.5 || at.Corrections != back.Corrections+2 {
		c.t.Errorf("back at %+v, from %+v", at, back)
	}
}

// TestBotsWalkOverTerrain: mineflayer moves as the game's client, up and down
// hills, through water and between trees, and is never moved by the server.
func TestBotsWalkOverTerrain(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a server and a client")
	}
	t.Parallel()
	c := crew{t, clients.StartBots(t)}
	s := startServer(t, botFolder(t, []string{"--radius", "6"}))
	c.join(s, "Walker")
	far := c.walks(s, "Walker", [2]int{0, 4}, [2]int{30, 6}, [2]int{60, 8}, [2]int{30, 24}, [2]int{0, 40}, [2]int{-18, 20}, [2]int{-35, 0})
	if far < 190 {
		t.Errorf("walked %v blocks", far)
	}
	// By hand, which takes as long as the client thinks, and then it falls.
	at := c.look("Walker")
	below := clients.BlockPos{X: int(math.Floor(at.X)), Y: int(math.Floor(at.Y - 0.5)), Z: int(math.Floor(at.Z))}
	c.must(c.bots.Dig("Walker", below))
	c.must(c.bots.AwaitBlock("Walker", below, "minecraft:air"))
	if n := c.look("Walker").Corrections; n != at.Corrections {
		t.Errorf("moved %d times by the server", n)
	}
}
