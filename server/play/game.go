package play

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/registry"
	"strata/region"
	"strata/server/conn"
	"strata/server/entity"
	"strata/server/physics"
	"strata/server/protocol"
	"strata/server/saved"
	"strata/server/stream"
	"strata/server/world"
)

// Options of a Game.
type Options struct {
	// Dimensions are those that are played in, at least one and at most 256; the
	// number of one in keys of Chunks is its index. Players appear in the first.
	Dimensions []*world.Dimension
	// Chunks has the frames of chunks.
	Chunks *stream.Cache
	// Threshold is that of the connections, from how many bytes on packets are
	// compressed; protocol.NoCompression for none.
	Threshold int
	// Tables are those of the chunks.
	Tables *chunk.Tables
	// World is what is kept of the world beside chunks and players: game rules, the
	// spawn, time and so on. The game changes it.
	World      *saved.World
	Seed       int64
	Flat       bool
	MaxPlayers int
	// AllowFlight lets those float in the air who cannot fly.
	AllowFlight bool
	// Motd is the description of the server.
	Motd string
	// Borders are the borders of dimensions, by their ids; those that have none have
	// the game's own.
	Borders map[string]level.WorldBorder
	// Files keeps players; nil for nobody.
	Files Files
	// ForceGameMode gives players GameMode whenever they join.
	ForceGameMode bool
	// Commands are what players type; nil for none.
	Commands Commands
	// Protected reports whether a player may not change a block; nil protects
	// nothing. It is called on the tick goroutine.
	Protected    func(p *Player, pos chunk.BlockPos) bool
	ViewDistance int
	// PauseAfter is for how many ticks nobody must have been there until the game
	// stands still; 0 is never.
	PauseAfter int64
	// IDs gives players their numbers, as the dimensions do their entities.
	IDs *entity.IDs
	Log *slog.Logger
}

// Game is the players and where they are. It belongs to the tick goroutine.
type Game struct {
	options    Options
	dimensions []*dimension
	joins      chan *Player
	players    []*Player
	encoders   map[registry.Version]*stream.Encoder
	world      *saved.World
	sky        sky
	pace       pace
	ticks      int64            // since the game began
	empty      int64            // ticks without players
	framer     *protocol.Framer // nil without compression
	packet     []byte           // scratch
	mover      physics.Mover
}

// ErrDistance is the error of a view distance that no client takes.
var ErrDistance = errors.New("view distance out of range")

// frameLevel is that of the compression of changes.
const frameLevel = 3

// waitingJoins is how many connections may wait for the next tick.
const waitingJoins = 64

// entering is how many players are let in, or looked up, within a tick.
const entering = 5

// NewGame returns a game without players.
func NewGame(o Options) (*Game, error) {
	if o.ViewDistance < 2 || o.ViewDistance > stream.MaxDistance {
		return nil, fmt.Errorf("%d chunks: %w", o.ViewDistance, ErrDistance)
	}
	g := &Game{
		options: o, joins: make(chan *Player, waitingJoins), world: o.World,
		sky:      newSky(o.World.Weather.Raining, o.World.Weather.Thundering),
		encoders: map[registry.Version]*stream.Encoder{}, pace: pace{rate: normalRate},
	}
	if o.IDs == nil {
		g.options.IDs = &entity.IDs{}
	}
	for i, d := range o.Dimensions {
		g.dimensions = append(g.dimensions, &dimension{Dimension: d, index: uint8(i), boxes: map[chunk.BlockPos]*box{}})
	}
	if o.Threshold != protocol.NoCompression {
		var err error
		if g.framer, err = protocol.NewFramer(o.Threshold, frameLevel); err != nil {
			return nil, err
		}
	}
	for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
		e, err := stream.NewEncoder(v, stream.EncoderOptions{Tables: o.Tables})
		if err != nil {
			return nil, err
		}
		g.encoders[v] = e
	}
	return g, nil
}

// Serve is a configured client's time in the game. It may be called from any
// goroutine, and returns why the client left.
func (g *Game) Serve(ctx context.Context, c *conn.Conn, info protocol.ClientInformation) error {
	p := newPlayer(0, c, info)
	stop := context.AfterFunc(ctx, p.close)
	defer stop()
	pings := make(chan int64, 4)
	written := make(chan struct{})
	go func() {
		defer close(written)
		p.write(pings)
	}()
	select {
	case g.joins <- p:
	case <-ctx.Done():
	}
	err := p.read(pings)
	close(p.done)
	p.close()
	<-written
	return err
}

// Players is how many have joined.
func (g *Game) Players() int { return len(g.players) }

// Waiting is how many have come since the last tick.
func (g *Game) Waiting() int { return len(g.joins) }

// Tick does a twentieth of a second.
func (g *Game) Tick() error {
	g.ticks++
	g.accept()
	var errs []error
	for _, d := range g.dimensions {
		errs = append(errs, d.Tick())
	}
	g.countEmpty()
	running := g.runs()
	if running {
		g.tickTime()
		g.tickWeather()
	}
	for _, p := range g.players {
		g.drain(p)
	}
	g.dropGone()
	for _, d := range g.dimensions {
		if running {
			c := g.contextOf(d)
			d.RunTicks(c)
			d.RunEntities(c)
		}
		errs = append(errs, g.sendChanges(d))
	}
	g.tickLooks()
	entered := 0
	for _, p := range g.players {
		if !p.joined {
			if entered < entering && g.tryJoin(p) {
				entered++
			}
			continue
		}
		if p.answers {
			p.send(&protocol.BlockChangedAck{SequenceID: p.sequence})
			p.answers, p.sequence = false, 0
		}
		g.settleLater(p)
		g.tickVitals(p)
		g.tickFloating(p)
		g.tickDig(p)
		g.pickUp(p)
		g.checkContainer(p)
		g.syncItems(p)
		g.sendChunks(p)
		g.track(p)
		g.trackThings(p)
		if g.ticks%timeEvery == 0 {
			p.send(g.timePacket(p.version()))
		}
	}
	g.savePlayers()
	for _, d := range g.dimensions {
		errs = append(errs, d.SaveEntities(false))
	}
	if g.ticks%600 == 0 {
		g.sendLatencies()
	}
	for _, d := range g.dimensions {
		g.updateViews(d)
	}
	return errors.Join(errs...)
}

// accept takes those who want to join.
func (g *Game) accept() {
	for {
		select {
		case p := <-g.joins:
			p.id = g.options.IDs.Next()
			for _, other := range g.players {
				if other.conn.Profile().UUID == p.conn.Profile().UUID {
					g.Kick(other, Translated("multiplayer.disconnect.duplicate_login", ""))
				}
			}
			if g.full() {
				g.Kick(p, Translated("multiplayer.disconnect.server_full", ""))
				continue
			}
			g.players = append(g.players, p)
			p.mode, p.in = protocol.GameMode(g.world.GameMode), g.spawnDimension()
			p.x, p.z = float64(g.world.Spawn.X)+0.5, float64(g.world.Spawn.Z)+0.5
			p.view = stream.View{Center: p.chunk(), Distance: g.distance(p)}
		default:
			return
		}
	}
}

// full reports whether there are as many players as may be.
func (g *Game) full() bool {
	staying := 0
	for _, p := range g.players {
		if !p.gone {
			staying++
		}
	}
	return staying >= g.options.MaxPlayers
}

// Kick disconnects a player with a reason.
func (g *Game) Kick(p *Player, reason protocol.NBT) {
	p.gone = true
	go func() { _ = p.conn.Disconnect(reason) }() // it may block for a write; its reader says why it ended
}

// KickAll disconnects all players.
func (g *Game) KickAll(reason protocol.NBT) {
	g.accept()
	for _, p := range g.players {
		g.Kick(p, reason)
	}
	g.dropGone()
}

// dropGone removes the players whose connection has ended.
func (g *Game) dropGone() {
	var left []*Player
	kept := g.players[:0]
	for _, p := range g.players {
		select {
		case <-p.done:
			p.gone = true
		default:
		}
		if p.gone {
			left = append(left, p)
		} else {
			kept = append(kept, p)
		}
	}
	clear(g.players[len(kept):])
	g.players = kept
	for _, p := range left {
		if p.joined {
			g.closeWindow(p)
			g.endDig(p)
			g.trySave(p)
			g.leave(p)
		}
	}
}

func (g *Game) leave(p *Player) {
	g.options.Log.Info(p.Name() + " left the game")
	g.hide(p)
	for _, other := range g.players {
		if !other.joined {
			continue
		}
		other.send(&protocol.PlayerInfoRemove{Players: []protocol.UUID{p.conn.Profile().UUID}})
		other.send(&protocol.SystemChat{Content: Translated("multiplayer.player.left", "yellow", p.Name())})
	}
}

// broadcast sends a packet to all who have joined.
func (g *Game) broadcast(packet protocol.Packet) {
	for _, p := range g.players {
		if p.joined {
			p.send(packet)
		}
	}
}

// updateViews tells a dimension of the views, if they are others now.
func (g *Game) updateViews(d *dimension) {
	d.scratch = d.scratch[:0]
	for _, p := range g.players {
		if p.in == d {
			d.scratch = append(d.scratch, p.view)
		}
	}
	if !slices.Equal(d.scratch, d.views) {
		d.views = append(d.views[:0], d.scratch...)
		d.SetViews(d.views)
	}
}

// distance is how far a player sees: as it asks for, from 2 to the server's.
func (g *Game) distance(p *Player) int {
	return min(max(int(p.info.ViewDistance), 2), g.options.ViewDistance)
}

// hashedSeed is what clients get of a seed: the head of its SHA-256.
func hashedSeed(seed int64) int64 {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(seed))
	sum := sha256.Sum256(b[:])
	return int64(binary.LittleEndian.Uint64(sum[:]))
}

func chunkOf(x, z float64) region.ChunkPos {
	return region.ChunkPos{X: int32(math.Floor(x)) >> 4, Z: int32(math.Floor(z)) >> 4}
}
