package server

import (
	"bytes"
	"context"
	"log/slog"
	"math"
	"path/filepath"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/registry"
	"strata/anvil/store"
	"strata/pregen"
	"strata/region"
	"strata/region/vfs"
	"strata/server/client"
	"strata/server/protocol"
	"strata/server/stream"
)

const viewDistance = 3

// start runs a server with a flat world until stop, which returns its error.
func start(t *testing.T, change ...func(*Options)) (s *Server, stop func() error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "world")
	flat, err := level.FlatPreset(level.FlatPresets()[0])
	if err != nil {
		t.Fatal(err)
	}
	fresh := level.Fresh{Spawn: &level.Spawn{X: 8, Y: 70, Z: 8}}
	if err := pregen.CreateWorld(path, anvil.CreateOptions{Fresh: fresh, Flat: &flat, NoStructures: true}, nil); err != nil {
		t.Fatal(err)
	}
	setRule(t, path, "minecraft:respawn_radius", int32(0))
	o := Options{
		World: path, Address: "127.0.0.1:0", ViewDistance: viewDistance, MemoryLimit: 256 << 20,
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	for _, f := range change {
		f(&o)
	}
	s, err = New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	stopped := false
	stop = func() error {
		stopped = true
		cancel()
		return <-ended
	}
	t.Cleanup(func() {
		if !stopped {
			if err := stop(); err != nil {
				t.Error(err)
			}
		}
	})
	return s, stop
}

// setRule sets a game rule of a world that is not open.
func setRule(t *testing.T, world, name string, value any) {
	t.Helper()
	path := filepath.Join(world, "data", "minecraft", "game_rules.dat")
	doc, _, err := level.ReadFile(vfs.OS(), path)
	if err == nil {
		doc, err = doc.With(map[string]any{name: value})
	}
	if err == nil {
		err = level.ReplaceFile(vfs.OS(), path, doc)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// join joins a client, and reads until it has all chunks of its view.
func join(t *testing.T, s *Server, v registry.Version, name string) *testClient {
	t.Helper()
	c := dial(t, s.Addr(), v, name)
	want := stream.View{Distance: viewDistance}.Len()
	c.until("all chunks", func(protocol.Packet) bool { return c.Chunks() == want })
	c.EachChunk(func(pos region.ChunkPos, in *client.Chunk) {
		if in.Times != 1 {
			t.Errorf("chunk %v came %d times", pos, in.Times)
		}
	})
	return c
}

func TestAClientOfEachVersionGetsItsViewAndStandsOnTheGround(t *testing.T) {
	s, _ := start(t)
	for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
		c := join(t, s, v, "Walker_"+map[bool]string{true: "1", false: "2"}[v == registry.V26_1])
		var top int
		if !loaded(t, s, region.ChunkPos{}, func(c *chunk.Chunk) { top, _ = c.HeightAt(chunk.MotionBlocking, 8, 8) }) {
			t.Fatal("the spawn's chunk is absent")
		}
		if c.Position.X != 8.5 || c.Position.Z != 8.5 || c.Position.Y != float64(top) || top == 70 {
			t.Errorf("%v: position %+v, the ground is at %d", v, c.Position, top)
		}
	}
}

func loaded(t *testing.T, s *Server, pos region.ChunkPos, f func(*chunk.Chunk)) bool {
	t.Helper()
	hold, err := s.store.Load(t.Context(), 0, pos, store.Background)
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Release()
	return hold.Read(f) == nil
}

func TestPlayersSeeEachOtherWalkTalkAndLeave(t *testing.T) {
	s, _ := start(t)
	a := join(t, s, registry.V26_1, "Walker_1")
	b := join(t, s, registry.V26_2, "Walker_2")
	a.until("the other", func(p protocol.Packet) bool {
		add, ok := p.(*protocol.AddEntity)
		return ok && add.EntityID == b.EntityID && add.X == 8.5
	})
	const steps, step = 30, 0.3
	for i := 1; i <= steps; i++ {
		b.walk(8.5 + step*float64(i))
		time.Sleep(2 * time.Millisecond)
	}
	var sum int64
	a.until("the whole walk", func(p protocol.Packet) bool {
		if m, ok := p.(*protocol.MoveEntityPosRot); ok && m.EntityID == b.EntityID {
			sum += int64(m.DX)
		}
		return sum == int64(math.Round((8.5+step*steps)*4096))-int64(8.5*4096)
	})
	b.send(&protocol.Chat{Message: "hellö", Timestamp: 1})
	for _, c := range []*testClient{a, b} {
		c.until("the message", func(p protocol.Packet) bool {
			chat, ok := p.(*protocol.DisguisedChat)
			return ok && bytes.Contains(chat.Message, []byte("hellö")) && bytes.Contains(chat.Name, []byte("/tell Walker_2 "))
		})
	}
	_ = b.Close()
	a.until("its leaving", func(p protocol.Packet) bool {
		gone, ok := p.(*protocol.RemoveEntities)
		return ok && gone.EntityIDs[0] == b.EntityID
	})
}

func TestAJumpTooFarIsPutBack(t *testing.T) {
	s, _ := start(t)
	c := join(t, s, registry.V26_1, "Walker_1")
	first := c.TeleportID
	c.walk(38)
	c.until("the correction", func(protocol.Packet) bool { return c.TeleportID > first })
	if c.Position.X != 8.5 {
		t.Errorf("put back to %+v", c.Position)
	}
}

func TestAMovementThatIsNoNumberDisconnects(t *testing.T) {
	s, _ := start(t)
	c := join(t, s, registry.V26_1, "Walker_1")
	c.walk(math.NaN())
	c.until("the reason", func(p protocol.Packet) bool {
		d, ok := p.(*protocol.Disconnect)
		return ok && bytes.Contains(d.Reason, []byte("invalid_player_movement"))
	})
}

func TestChunksFollowAWalk(t *testing.T) {
	s, _ := start(t)
	c := join(t, s, registry.V26_2, "Walker_1")
	for i := 1; i <= 20; i++ {
		c.walk(8.5 + float64(i))
		time.Sleep(2 * time.Millisecond)
	}
	view := stream.View{Center: region.ChunkPos{X: 1}, Distance: viewDistance}
	c.until("the new view", func(protocol.Packet) bool {
		if c.Chunks() != view.Len() {
			return false
		}
		all := true
		c.EachChunk(func(pos region.ChunkPos, _ *client.Chunk) { all = all && view.Contains(pos) })
		return all
	})
}

func TestAShutdownTellsWhyAndSavesWhatWasGenerated(t *testing.T) {
	s, stop := start(t)
	c := join(t, s, registry.V26_1, "Walker_1")
	ended := make(chan error, 1)
	go func() { ended <- stop() }()
	c.until("the reason", func(p protocol.Packet) bool {
		d, ok := p.(*protocol.Disconnect)
		return ok && bytes.Contains(d.Reason, []byte("server_shutdown"))
	})
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	w, err := anvil.Open(s.options.World, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	where, err := store.WorldOf(w)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.OpenRead(where, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	c.EachChunk(func(pos region.ChunkPos, _ *client.Chunk) {
		hold, err := st.Load(t.Context(), 0, pos, store.Background)
		if err != nil {
			t.Fatalf("chunk %v: %v", pos, err)
		}
		hold.Release()
	})
}

func TestAWorldNeverPlayedHasTheSpawnThatTheGameWouldChoose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "world")
	s, err := New(Options{World: path, Seed: 1234, Address: "127.0.0.1:0", MemoryLimit: 256 << 20})
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.generators.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	lvl, _, err := level.Read(vfs.OS(), path)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := lvl.Spawn()
	if !ok || !lvl.Initialized() || int(got.X) != found.X || int(got.Z) != found.Z || got.X == 0 {
		t.Errorf("spawn is %+v, the game's is %+v", got, found)
	}
}
