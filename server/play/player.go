package play

import (
	"errors"
	"sync/atomic"
	"time"

	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/registry"
	"strata/region"
	"strata/server/conn"
	"strata/server/inventory"
	"strata/server/item"
	"strata/server/protocol"
	"strata/server/stream"
)

const (
	inboxPackets = 1024
	// keepAliveEvery is how often a client is asked whether it is there, and
	// keepAliveLimit how long it may take to answer.
	keepAliveEvery = 15 * time.Second
	keepAliveLimit = 30 * time.Second
)

// errFull is why a player with too much in a queue is disconnected.
var errFull = errors.New("too many packets waiting")

// Player is one who has joined, or is about to.
type Player struct {
	id      int32
	conn    *conn.Conn
	info    protocol.ClientInformation
	inbox   chan protocol.Packet
	outbox  *outbox
	done    chan struct{} // closed when the reader has ended
	latency atomic.Int32

	// What follows belongs to the tick goroutine.
	joined, gone bool
	in           *dimension
	mode         protocol.GameMode
	sneaking     bool
	sprinting    bool
	flying       bool // as some game modes let it
	swims        bool
	glides       bool
	looks        looks
	looked       bool            // its client knows them
	gear         [6]item.Stack   // what others see of items, see gearSlots
	changed      uint8           // what of gear changed in this tick, by bits
	doc          *level.Document // of the player's file; nil until it is read
	restored     bool            // that was tried
	placed       bool            // the file says where the player is
	unsettled    bool            // it is at the spawn until the ground there is known
	saved        uint64          // items.Changes that were staged
	items        inventory.Player
	vitals       vitals
	hurt         int         // ticks until it can be hurt again
	dying        int         // ticks since its death
	spawn        *spawnPoint // where it comes back; nil for where all do
	died         *savedPlace // nil for never, or before it joined
	own          *inventory.Window
	opened       *inventory.Window // nil for none
	opening      *opening          // the container of it, nil for none
	ender        enderChest
	writes       chunk.BlockPos // the sign that its client edits
	writing      bool           // it does
	windows      int32          // the number of the last one
	throws       inventory.Throttle
	dig          dig
	sequence     int32 // the highest to acknowledge
	answers      bool  // there is one
	x, y, z      float64
	yaw, pitch   float32
	onGround     bool
	floats       bool  // there is nothing below, and it does not fall
	floated      int   // ticks for which that was so
	teleport     int32 // the last id
	awaiting     bool  // teleport is not acknowledged
	moves        int   // movements in this tick
	spam         int
	completed    int // completions in this tick
	clicks       int // on blocks since the tick clicksSince
	clicksSince  int64
	view         stream.View
	pending      []region.ChunkPos // of the view and not sent yet, nearest first
	sent         map[region.ChunkPos]bool
	pacer        *stream.Pacer
	seen         map[int32]*seen
	things       map[int32]*thing // what its client has of other entities
}

// seen is where a player's client has another one.
type seen struct {
	x, y, z    int64 // in 1/4096 of a block
	yaw, pitch int8
	looks      looks
}

func newPlayer(id int32, c *conn.Conn, info protocol.ClientInformation) *Player {
	p := &Player{
		id: id, conn: c, info: info,
		inbox: make(chan protocol.Packet, inboxPackets), outbox: newOutbox(),
		done: make(chan struct{}), sent: map[region.ChunkPos]bool{}, pacer: stream.NewPacer(), seen: map[int32]*seen{}, things: map[int32]*thing{},
		vitals: newVitals,
	}
	p.ender.owner = &p.items
	p.own = inventory.OwnWindow(&p.items, c.Version())
	return p
}

// Name returns the player's name.
func (p *Player) Name() string { return p.conn.Profile().Name }

func (p *Player) version() registry.Version { return p.conn.Version() }

func (p *Player) chunk() region.ChunkPos { return chunkOf(p.x, p.z) }

// close ends the connection, which ends the reader, which ends the player.
func (p *Player) close() { _ = p.conn.Close() } // the reader says why it ended

// write sends what is in the outbox until the reader ends, and asks whether the
// client is there.
func (p *Player) write(pings chan<- int64) {
	ticker := time.NewTicker(keepAliveEvery)
	defer ticker.Stop()
	var all []conn.Outgoing
	for {
		clear(all)
		all = all[:0]
		select {
		case <-p.done:
			return
		case first := <-p.outbox.queue:
			all = p.outbox.rest(first, all)
		case now := <-ticker.C:
			select {
			case pings <- now.UnixMilli():
				all = append(all, conn.Outgoing{Packet: &protocol.KeepAlive{ID: now.UnixMilli()}})
			default: // as many as may be are unanswered, and the reader times out
				continue
			}
		}
		if err := p.conn.SendAll(all); err != nil {
			p.close()
			return
		}
	}
}

// read puts what the client sends into the inbox, until an error.
func (p *Player) read(pings <-chan int64) error {
	waiting := map[int64]bool{}
	for {
		packet, err := p.conn.Read()
		if err != nil {
			return err
		}
		for more := true; more; {
			select {
			case id := <-pings:
				waiting[id] = true
			default:
				more = false
			}
		}
		now := time.Now().UnixMilli()
		if answer, ok := packet.(*protocol.KeepAlive); ok {
			if !waiting[answer.ID] {
				return errAnswer
			}
			delete(waiting, answer.ID)
			p.latency.Store((p.latency.Load()*3 + int32(now-answer.ID)) / 4)
			continue
		}
		for id := range waiting {
			if now-id > keepAliveLimit.Milliseconds() {
				return errTimeout
			}
		}
		if !wanted(packet) {
			continue
		}
		if packet, err = p.owned(packet); err != nil {
			return err
		}
		select {
		case p.inbox <- packet:
		default:
			return errFull
		}
	}
}

var (
	errAnswer  = errors.New("answer to no keep-alive")
	errTimeout = errors.New("keep-alive unanswered")
)

// owned returns a packet that holds no bytes of the frame, which are good until the
// next one is read.
func (p *Player) owned(packet protocol.Packet) (protocol.Packet, error) {
	switch packet.(type) {
	case *protocol.SetCreativeModeSlot, *protocol.ContainerClick:
	default:
		return packet, nil
	}
	var w protocol.Writer
	if err := protocol.EncodePacket(&w, p.version(), registry.Play, registry.Serverbound, packet); err != nil {
		return nil, err
	}
	return protocol.DecodePacket(protocol.NewReader(w.Bytes()), p.version(), registry.Play, registry.Serverbound)
}

// wanted reports whether the tick goroutine does something with a packet. But for
// those that owned copies, none holds bytes of the frame in what is read.
func wanted(packet protocol.Packet) bool {
	switch packet.(type) {
	case *protocol.MovePlayerPos, *protocol.MovePlayerPosRot, *protocol.MovePlayerRot, *protocol.MovePlayerStatusOnly,
		*protocol.AcceptTeleportation, *protocol.ChunkBatchReceived, *protocol.Chat, *protocol.ClientInformation,
		*protocol.PlayerAction, *protocol.UseItemOn, *protocol.SetCarriedItem, *protocol.SetCreativeModeSlot,
		*protocol.ContainerClick, *protocol.ContainerClose, *protocol.PlayerInput,
		*protocol.Swing, *protocol.ClientCommand, *protocol.SignUpdate, *protocol.PingRequest, *protocol.ChatCommand, *protocol.ChatCommandSigned, *protocol.CommandSuggestion,
		*protocol.PlayerCommand, *protocol.PlayerAbilitiesServerbound, *protocol.ChangeDifficultyServerbound, *protocol.LockDifficulty:
		return true
	}
	return false
}
