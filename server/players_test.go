package server

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strata/anvil/player"
	"strata/anvil/registry"
	"strata/region/vfs"
	"strata/server/conn"
	"strata/server/protocol"
)

// again starts a server on a world that is there.
func again(t *testing.T, o Options) (*Server, func() error) {
	t.Helper()
	o.Address = "127.0.0.1:0"
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	stop := func() error {
		cancel()
		return <-ended
	}
	return s, stop
}

// comesBack joins as Walker_1 and demands the place and the item that it left with.
func comesBack(t *testing.T, s *Server, x float64) {
	t.Helper()
	c := dial(t, s.Addr(), registry.V26_1, "Walker_1")
	id, _ := registry.Of("minecraft:item", registry.V26_1).ID("minecraft:diamond_pickaxe")
	held, carries := int32(-1), false
	c.until("what it carried", func(p protocol.Packet) bool {
		switch p := p.(type) {
		case *protocol.SetHeldSlot:
			held = p.Slot
		case *protocol.ContainerSetContent:
			carries = p.Items[36+3].ID == id && p.Items[36+3].Count == 1
		}
		return carries && c.Teleports > 0
	})
	if held != 3 || c.Position.X != x || c.Position.Yaw != 90 {
		t.Errorf("came back at %+v, holding %d", c.Position, held)
	}
}

func TestPlayersComeBackWithWhatTheyHad(t *testing.T) {
	t.Parallel()
	s, stop := start(t, creative)
	c := join(t, s, registry.V26_2, "Walker_1")
	c.give(3, "minecraft:diamond_pickaxe")
	for i := 1; i <= 10; i++ {
		c.send(&protocol.MovePlayerPosRot{X: 8.5 + 0.4*float64(i), Y: c.Position.Y, Z: 8.5, Yaw: 90, Flags: protocol.MoveFlagsOnGround})
		time.Sleep(2 * time.Millisecond)
	}
	// The same player from elsewhere has the same things.
	time.Sleep(100 * time.Millisecond)
	comesBack(t, s, 12.5)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	path := player.In(s.options.World).DataPath(player.ID(conn.OfflineUUID("Walker_1")))
	saved, _, err := player.Read(vfs.OS(), path)
	if err != nil {
		t.Fatal(err)
	}
	if id, ok := saved.ID(); !ok || id != player.ID(conn.OfflineUUID("Walker_1")) || saved.GameType() != 1 || saved.Health() != 20 || saved.DataVersion() != 4903 {
		t.Errorf("saved %v, mode %d, health %v, version %d", id, saved.GameType(), saved.Health(), saved.DataVersion())
	}
	second, stop := again(t, s.options)
	comesBack(t, second, 12.5)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// Nothing is written over a file that cannot be used.
func TestAPlayerWhoseFileIsDamagedIsNotLetIn(t *testing.T) {
	t.Parallel()
	s, stop := start(t)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	path := player.In(s.options.World).DataPath(player.ID(conn.OfflineUUID("Walker_1")))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("not a player"), 0o644); err != nil {
		t.Fatal(err)
	}
	second, stop := again(t, s.options)
	c := dial(t, second.Addr(), registry.V26_1, "Walker_1")
	c.until("the reason", func(p protocol.Packet) bool {
		_, ok := p.(*protocol.Disconnect)
		return ok
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "not a player" {
		t.Errorf("the file is %q, %v", data, err)
	}
}

// What a server that is to be killed is told: its world, the game mode (creative if
// it does not say), how often it saves, and lines of its console.
const (
	envKilled      = "STRATA_SERVER_KILLED"
	envKilledMode  = "STRATA_SERVER_KILLED_MODE"
	envKilledEvery = "STRATA_SERVER_KILLED_EVERY"
	envCommands    = "STRATA_SERVER_KILLED_COMMANDS"
)

func TestMain(m *testing.M) {
	if world := os.Getenv(envKilled); world != "" {
		o := Options{World: world, Address: "127.0.0.1:0", ViewDistance: viewDistance, GameMode: protocol.GameModeCreative}
		if os.Getenv(envKilledMode) != "" {
			o.GameMode = protocol.GameModeSurvival
		}
		o.SaveEvery, _ = time.ParseDuration(os.Getenv(envKilledEvery))
		s, err := New(o)
		if err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(1)
		}
		os.Stdout.WriteString(s.Addr().String() + "\n")
		go func() {
			for line := range strings.Lines(os.Getenv(envCommands)) {
				s.Console(line)
			}
		}()
		_ = s.Run(context.Background()) // until it is killed
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestWhatWasDoneIsThereAfterAKill: at most one interval of the store is lost.
func TestWhatWasDoneIsThereAfterAKill(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("waits for an epoch")
	}
	s, stop := start(t, creative)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envKilled+"="+s.options.World, envCommands+"="+commandsOf(changed[:len(changed)-2])) // the spawn stays
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 64)
	n, err := out.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, address(string(buf[:n-1])), registry.V26_2, "Walker_1")
	c.until("its place", func(protocol.Packet) bool { return c.Teleports > 0 && c.Chunks() > 20 })
	c.give(3, "minecraft:diamond_pickaxe")
	c.send(&protocol.MovePlayerPosRot{X: 12.5, Y: c.Position.Y, Z: 8.5, Yaw: 90, Flags: protocol.MoveFlagsOnGround})
	time.Sleep(7 * time.Second) // moves are looked for every second, and the interval is 5 s
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	second, stop := again(t, s.options)
	var now int64
	if _, err := fmt.Sscanf(gameTime(t, second), "The game time is %d", &now); err != nil || now < s.saved.Time+40 {
		t.Errorf("the time was %d and is %d, %v", s.saved.Time, now, err)
	}
	answers(t, second, asked...)
	comesBack(t, second, 12.5)
	if err := stop(); err != nil {
		t.Fatal(err)
	}
}

// address is a place to dial.
type address string

func (address) Network() string  { return "tcp" }
func (a address) String() string { return string(a) }
