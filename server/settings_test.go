package server

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/server/admin"
	"strata/server/client"
	"strata/server/command"
	"strata/server/conn"
	"strata/server/protocol"
)

func TestOnlyOperatorsBuildNearTheSpawn(t *testing.T) {
	t.Parallel()
	a, access := withAccess(t, admin.AccessOptions{})
	s, _ := start(t, access, creative, func(o *Options) { o.SpawnProtection = 3 })
	c := join(t, s, registry.V26_1, "Walker_1")
	ground := int32(c.Position.Y) - 1
	sequence := int32(0)
	breaks := func(x int32, want string) {
		t.Helper()
		sequence++
		pos := chunk.BlockPos{X: x, Y: ground, Z: 8}
		c.send(&protocol.PlayerAction{Action: 0, Pos: protocol.BlockPos(pos), Face: 1, Sequence: sequence})
		c.sees(pos, want, sequence)
	}
	breaks(8, "minecraft:air") // there are no operators yet
	a.Op(command.Profile{UUID: conn.OfflineUUID("Walker_2"), Name: "Walker_2"})
	breaks(11, "minecraft:grass_block")
	breaks(12, "minecraft:air")
	// Beside a block that is not protected, on one that is.
	c.give(0, "minecraft:oak_log")
	place := func(x int32, face block.Direction, at chunk.BlockPos, want string) {
		t.Helper()
		sequence++
		c.send(&protocol.UseItemOn{
			Pos: protocol.BlockPos{X: x, Y: ground, Z: 9}, Direction: int32(face), CursorX: 0.5, CursorY: 0.5, CursorZ: 0.5, Sequence: sequence,
		})
		c.sees(at, want, sequence)
	}
	place(11, block.Up, chunk.BlockPos{X: 11, Y: ground + 1, Z: 9}, "minecraft:air")
	breaks(12, "minecraft:air")
	place(12, block.Up, chunk.BlockPos{X: 12, Y: ground + 1, Z: 9}, "minecraft:oak_log[axis=y]")
	sequence++
	c.send(&protocol.UseItemOn{
		Pos: protocol.BlockPos{X: 12, Y: ground + 1, Z: 9}, Direction: int32(block.West), CursorY: 0.5, CursorZ: 0.5, Sequence: sequence,
	})
	c.sees(chunk.BlockPos{X: 11, Y: ground + 1, Z: 9}, "minecraft:air", sequence)
	a.Op(command.Profile{UUID: conn.OfflineUUID("Walker_1"), Name: "Walker_1"})
	breaks(11, "minecraft:air")
}

func TestOperatorsAreToldOfTheConsoleUnlessItIsQuiet(t *testing.T) {
	t.Parallel()
	for _, quiet := range []bool{false, true} {
		a, access := withAccess(t, admin.AccessOptions{})
		s, _ := start(t, access, func(o *Options) { o.QuietConsole = quiet })
		a.Op(command.Profile{UUID: conn.OfflineUUID("Walker_1"), Name: "Walker_1"})
		c := join(t, s, registry.V26_2, "Walker_1")
		s.Console("tick rate 30")
		s.Console("say done")
		told := false
		c.until("what follows", func(p protocol.Packet) bool {
			told = told || says("commands.tick.rate.success")(p)
			_, done := p.(*protocol.DisguisedChat)
			return done
		})
		if told == quiet {
			t.Errorf("quiet %v: told %v", quiet, told)
		}
	}
}

// statusOf asks a server for its status, and returns "" where it has none.
func statusOf(t *testing.T, s *Server) string {
	t.Helper()
	r, err := client.DialRaw(t.Context(), s.Addr().String(), registry.V26_1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_ = r.SetDeadline(time.Now().Add(10 * time.Second))
	status, _ := r.Status(1) // it ends in an error where there is none
	return status
}

func TestTheStatusNamesPlayersIfItMay(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Options){
		"all": func(*Options) {}, "hidden": func(o *Options) { o.HidePlayers = true }, "none": func(o *Options) { o.NoStatus = true },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := start(t, change)
			c := join(t, s, registry.V26_1, "Walker_1")
			c.send(&protocol.ClientInformation{Locale: "en_us", ViewDistance: 10, EnableServerListing: true})
			var got struct {
				Players struct {
					Online int
					Sample []struct{ Name string }
				}
			}
			// Names are chosen anew every 5 s.
			for deadline := time.Now().Add(20 * time.Second); ; {
				text := statusOf(t, s)
				if name == "none" {
					if text != "" {
						t.Errorf("the status is %s", text)
					}
					return
				}
				if err := json.Unmarshal([]byte(text), &got); err != nil {
					t.Fatal(err)
				}
				hidden := name == "hidden" && strings.Contains(text, `"online":1`)
				if hidden || len(got.Players.Sample) == 1 && got.Players.Sample[0].Name == "Walker_1" {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("the status is %s", text)
				}
				c.send(&protocol.MovePlayerStatusOnly{})
				time.Sleep(50 * time.Millisecond)
			}
			if name == "hidden" && got.Players.Sample != nil || got.Players.Online != 1 {
				t.Errorf("the status has %+v", got)
			}
		})
	}
}

// thresholdOf is from how many bytes on a server compresses packets.
func thresholdOf(t *testing.T, s *Server) int32 {
	t.Helper()
	r, err := client.DialRaw(t.Context(), s.Addr().String(), registry.V26_1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_ = r.SetDeadline(time.Now().Add(10 * time.Second))
	if err := r.Hello(int32(registry.V26_1.Protocol()), client.IntentLogin); err != nil {
		t.Fatal(err)
	}
	if err := r.Send(&protocol.HelloServerbound{Username: "Walker_2"}); err != nil {
		t.Fatal(err)
	}
	first, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	if compression, ok := first.(*protocol.LoginCompression); ok {
		return compression.Threshold
	}
	return protocol.NoCompression
}

func TestClientsAreToldOfDifficultyHardcoreAndCompression(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		difficulty string
		hardcore   bool
		threshold  int
		want       protocol.Difficulty
	}{
		{"", false, 0, protocol.DifficultyNormal},
		{"peaceful", false, 64, protocol.DifficultyPeaceful},
		{"easy", true, protocol.NoCompression, protocol.DifficultyHard},
	} {
		path := filepath.Join(t.TempDir(), "world")
		s, stop := again(t, Options{
			World: path, MemoryLimit: 256 << 20, ViewDistance: viewDistance,
			Difficulty: test.difficulty, Hardcore: test.hardcore, Threshold: test.threshold,
		})
		c := dial(t, s.Addr(), registry.V26_2, "Walker_1")
		hardcore := false
		var difficulty *protocol.ChangeDifficultyClientbound
		c.until("the difficulty", func(p protocol.Packet) bool {
			switch p := p.(type) {
			case *protocol.Login:
				hardcore = p.Hardcore
			case *protocol.ChangeDifficultyClientbound:
				difficulty = p
			}
			return difficulty != nil
		})
		want := int32(test.threshold)
		if want == 0 {
			want = 256
		}
		threshold := thresholdOf(t, s)
		if difficulty.Difficulty != test.want || hardcore != test.hardcore || threshold != want {
			t.Errorf("%+v: difficulty %v, hardcore %v, threshold %d", test, difficulty.Difficulty, hardcore, threshold)
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		w, err := anvil.Open(path, anvil.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Level().Difficulty(); got.Hardcore != test.hardcore {
			t.Errorf("%+v: the world has %+v", test, got)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
