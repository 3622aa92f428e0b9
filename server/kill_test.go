package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/block"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/player"
	"strata/anvil/registry"
	"strata/anvil/store"
	"strata/bench/testbed"
	"strata/nbt"
	"strata/region"
	"strata/server/client"
	"strata/server/conn"
	"strata/server/entity"
	"strata/server/inventory"
	"strata/server/item"
	"strata/server/protocol"
)

// What the builder builds with: it breaks at once and yields itself, and there is
// none in the world.
const (
	builderItem  = "minecraft:slime_block"
	builderCount = 64
	builderName  = "Builder_1"
)

// builder places, breaks, throws and picks up blocks until its server dies.
type builder struct {
	*client.Client
	random *rand.Rand
	seq    int32
	done   map[chunk.BlockPos]did
}

// did is what a client was told of a place, and when.
type did struct {
	state block.State
	at    time.Time
}

// build does one thing after another until an error, as when the connection ends.
func (b *builder) build() error {
	feet := chunk.BlockPos{X: int32(b.Position.X), Y: int32(b.Position.Y), Z: int32(b.Position.Z)}
	if err := b.Send(&protocol.SetCarriedItem{SlotID: 0}); err != nil {
		return err
	}
	for {
		at := chunk.BlockPos{X: feet.X + b.random.Int32N(7) - 3, Y: feet.Y, Z: feet.Z + b.random.Int32N(7) - 3}
		if at.X == feet.X && at.Z == feet.Z || b.random.IntN(8) == 0 {
			if err := b.aside(feet); err != nil {
				return err
			}
			continue
		}
		b.seq++
		there, _ := b.Block(at)
		if err := b.Send(b.action(at, there)); err != nil {
			return err
		}
		err := b.Until(10*time.Second, "an answer", func(protocol.Packet) bool { return b.Acknowledged >= b.seq })
		if err != nil {
			return err
		}
		now, _ := b.Block(at)
		b.done[at] = did{now, time.Now()}
	}
}

// action is what there is to do about a place.
func (b *builder) action(at chunk.BlockPos, there block.State) protocol.Packet {
	if !there.Air() {
		return &protocol.PlayerAction{Action: 0, Pos: protocol.BlockPos(at), Face: int8(block.Up), Sequence: b.seq}
	}
	below := protocol.BlockPos{X: at.X, Y: at.Y - 1, Z: at.Z}
	return &protocol.UseItemOn{Pos: below, Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: b.seq}
}

// aside throws an item, or moves some into the chest or out of it.
func (b *builder) aside(feet chunk.BlockPos) error {
	if b.random.IntN(2) == 0 {
		return b.Send(&protocol.PlayerAction{Action: 4})
	}
	b.seq++
	if err := b.Send(&protocol.UseItemOn{Pos: chestBeside(feet), Direction: int32(block.Up), CursorX: 0.5, CursorY: 1, CursorZ: 0.5, Sequence: b.seq}); err != nil {
		return err
	}
	id := int32(0)
	err := b.Until(10*time.Second, "the chest", func(protocol.Packet) bool {
		id = 0
		for n := range b.Windows {
			id = max(id, n)
		}
		return b.Acknowledged >= b.seq && (id == 0 || len(b.Windows[id].Slots) > 0)
	})
	if err != nil || id == 0 { // clicks may be too many
		return err
	}
	w := b.Windows[id]
	slot := int16(54) // the first of the hotbar
	if w.Slots[slot].Count == 0 || b.random.IntN(4) == 0 {
		slot = int16(b.random.IntN(3))
	}
	delete(b.Windows, id)
	if err := b.Send(&protocol.ContainerClick{ContainerID: id, StateID: w.State, Slot: slot, Mode: 1}); err != nil {
		return err
	}
	return b.Send(&protocol.ContainerClose{ContainerID: id})
}

// chestBeside is where the chest of somebody who stands there is.
func chestBeside(feet chunk.BlockPos) protocol.BlockPos {
	return protocol.BlockPos{X: feet.X + 4, Y: feet.Y, Z: feet.Z}
}

// TestAKillNeitherLosesNorDoublesItems kills servers while players build: as many
// items as there were are in the world, in the player's hands or on the ground, and
// what was done longer ago than an epoch lasts is there.
func TestAKillNeitherLosesNorDoublesItems(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes")
	}
	if runtime.GOOS == "windows" {
		t.Skip("no kills by signals")
	}
	const worlds = 4 // side by side, since they mostly wait
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 7))
	runs := testbed.Runs(t, 20)
	var all tally
	t.Run("worlds", func(t *testing.T) {
		for i := range worlds {
			seed := random.Uint64()
			n := (runs + worlds - 1 - i) / worlds
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				killBuilders(t, rand.New(rand.NewPCG(seed, 0)), n, &all)
			})
		}
	})
	t.Logf("%d kills: %d blocks placed, %d items on the ground and %d in chests counted, %d places as they were told",
		runs, all.placed.Load(), all.lying.Load(), all.stored.Load(), all.checked.Load())
	if all.placed.Load() == 0 || all.lying.Load() == 0 || all.stored.Load() == 0 || all.checked.Load() == 0 {
		t.Error("something was not tried")
	}
}

// tally is what was counted after all kills.
type tally struct{ placed, lying, stored, checked atomic.Int64 }

// killBuilders kills the servers of a world as often as said, one after the other.
func killBuilders(t *testing.T, random *rand.Rand, runs int, all *tally) {
	t.Helper()
	s, stop := start(t)
	c := join(t, s, registry.V26_1, builderName)
	s.Console(fmt.Sprintf("give %s %s %d", builderName, builderItem, builderCount))
	c.until("what was given", func(protocol.Packet) bool { return c.carries(builderItem) == builderCount })
	feet := chunk.BlockPos{X: int32(c.Position.X), Y: int32(c.Position.Y), Z: int32(c.Position.Z)}
	s.Console(fmt.Sprintf("setblock %s minecraft:chest", place(chestBeside(feet))))
	c.until("the chest", func(protocol.Packet) bool {
		at, _ := c.Block(blockPos(chestBeside(feet)))
		return at.Block() == block.Chest
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		interval := time.Second
		if random.IntN(10) == 0 {
			interval = 5 * time.Second
		}
		lives := interval/4 + time.Duration(random.Int64N(int64(2*interval)))
		if i == runs-1 {
			lives = interval + 2*saveTime // long enough for something to be certain
		}
		done, killed := buildUntilKilled(t, random, s.options.World, interval, lives)
		count := countItems(t, s.options.World, builderItem)
		if n := count.carried + count.placed + count.lying + count.stored; n != builderCount {
			t.Fatalf("run %d: %d carried, %d placed, %d on the ground, %d in the chest: %d of %d",
				i, count.carried, count.placed, count.lying, count.stored, n, builderCount)
		}
		all.placed.Add(int64(count.placed))
		all.lying.Add(int64(count.lying))
		all.stored.Add(int64(count.stored))
		for pos, d := range done {
			if killed.Sub(d.at) < interval+saveTime {
				continue
			}
			all.checked.Add(1)
			if count.blocks[pos] != d.state {
				t.Errorf("run %d: %v is %v, and was %v %v before the kill", i, pos, count.blocks[pos], d.state, killed.Sub(d.at))
			}
		}
	}
}

// saveTime is how long saving may take on a busy machine.
const saveTime = time.Second

// buildUntilKilled has a builder at work in a server that is killed after a while.
func buildUntilKilled(t *testing.T, random *rand.Rand, world string, interval, lives time.Duration) (map[chunk.BlockPos]did, time.Time) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envKilled+"="+world, envKilledMode+"=survival", envKilledEvery+"="+interval.String())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	}()
	buf := make([]byte, 64)
	n, err := out.Read(buf)
	if err != nil {
		t.Fatal(err)
	}
	c, err := client.Dial(t.Context(), client.Options{Address: strings.TrimSpace(string(buf[:n])), Version: registry.V26_2, Name: builderName})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = c.Until(clientTime, "the ground", func(protocol.Packet) bool { return c.Teleports > 0 && c.Chunk(c.Position.Chunk()) != nil })
	if err != nil {
		t.Fatal(err)
	}
	killed := make(chan time.Time, 1)
	time.AfterFunc(lives, func() {
		killed <- time.Now()
		_ = cmd.Process.Kill()
	})
	b := &builder{Client: c, random: random, done: map[chunk.BlockPos]did{}}
	_ = b.build() // until the connection ends
	return b.done, <-killed
}

// counted is where the items of a name are.
type counted struct {
	carried, placed, lying, stored int
	blocks                         map[chunk.BlockPos]block.State
}

// countItems opens a world and looks for items around its spawn.
func countItems(t *testing.T, path, name string) counted {
	t.Helper()
	w, err := anvil.Open(path, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	parts, err := store.WorldOf(w)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(parts, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	}()
	c := counted{blocks: map[chunk.BlockPos]block.State{}}
	for x := int32(-1); x <= 1; x++ {
		for z := int32(-1); z <= 1; z++ {
			c.chunk(t, st, region.ChunkPos{X: x, Z: z}, name)
		}
	}
	file, err := st.ReadFile(w.Players().DataPath(player.ID(conn.OfflineUUID(builderName))), maxPlayerFile)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatal("the player is not there")
	}
	doc, err := level.ParseDocument(file)
	if err != nil {
		t.Fatal(err)
	}
	var p inventory.Player
	if err := p.Load(doc.Root().Get("Inventory").Raw(), doc.Root().Get("equipment").Raw()); err != nil {
		t.Fatal(err)
	}
	for i := range p.Len() {
		if s := p.Get(i); s.Name() == name {
			c.carried += int(s.Count)
		}
	}
	return c
}

func (c *counted) chunk(t *testing.T, st *store.Store, pos region.ChunkPos, name string) {
	t.Helper()
	hold, err := st.Load(context.Background(), 0, pos, store.Normal)
	if err != nil {
		t.Fatalf("chunk %v: %v", pos, err)
	}
	defer hold.Release()
	_ = hold.Read(func(ch *chunk.Chunk) { // of a chunk that is held
		for i := range 16 * 16 * 8 {
			at := chunk.BlockPos{X: pos.X<<4 | int32(i&15), Y: -62 + int32(i>>8), Z: pos.Z<<4 | int32(i>>4&15)}
			s := ch.Block(int(at.X), int(at.Y), int(at.Z))
			c.blocks[at] = s
			if s.Block().Name() == name {
				c.placed++
			}
		}
		all, err := ch.BlockEntities()
		if err != nil {
			t.Error(err)
		}
		for _, e := range all {
			c.stored += itemsIn(t, e, name)
		}
	})
	data, err := st.LoadDocument(context.Background(), store.Ref{Kind: store.Entities, Pos: pos}, store.Normal)
	if errors.Is(err, store.ErrAbsent) {
		return
	}
	if err != nil {
		t.Fatalf("entities of chunk %v: %v", pos, err)
	}
	set := entity.NewSet(&entity.IDs{})
	if err := set.Load(pos, data); err != nil {
		t.Fatal(err)
	}
	for _, e := range set.All() {
		if e.Kind == entity.Item && e.Stack.Name() == name {
			c.lying += int(e.Stack.Count)
		}
	}
}

// itemsIn counts the items of a name that a block entity holds.
func itemsIn(t *testing.T, e chunk.BlockEntity, name string) (n int) {
	t.Helper()
	var members struct {
		Items nbt.Raw `nbt:"Items"`
	}
	if err := e.NBT.Decode(&members); err != nil {
		t.Fatal(err)
	}
	slots, err := item.ParseSlots(members.Items)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range slots {
		if s.Stack.Name() == name {
			n += int(s.Stack.Count)
		}
	}
	return n
}
