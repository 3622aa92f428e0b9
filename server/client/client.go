package client

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"os"
	"time"

	"strata/anvil/registry"
	"strata/region"
	"strata/server/protocol"
)

// Options of a Client.
type Options struct {
	// Address is "host:port" of the server.
	Address string
	// Conn is used instead of dialing, if it is not nil; the client closes it.
	Conn net.Conn
	// Name is that of the player.
	Name string
	// Version is what is spoken; default registry.V26_1.
	Version registry.Version
	// Session is the account for a server in online mode, nil offline.
	Session *Session
	// ViewDistance is how many chunks the client asks for, default 10.
	ViewDistance int
	// NoPacks has the server send all values of registries, as to clients that do
	// not know its packs.
	NoPacks bool
	// ChunksPerTick is what the client says that it takes, default 64.
	ChunksPerTick float32
	// Lean keeps of chunks only that they are there.
	Lean bool
}

func (o *Options) complete() {
	if o.ViewDistance == 0 {
		o.ViewDistance = 10
	}
	if o.ChunksPerTick == 0 {
		o.ChunksPerTick = 64
	}
	if o.Version == 0 {
		o.Version = registry.V26_1
	}
}

// Position is where a player is and looks, in blocks and degrees.
type Position struct {
	X, Y, Z    float64
	Yaw, Pitch float32
}

// Chunk is the chunk that a position is in.
func (p Position) Chunk() region.ChunkPos {
	return region.ChunkPos{X: int32(math.Floor(p.X)) >> 4, Z: int32(math.Floor(p.Z)) >> 4}
}

// Client is a player on a server. See the package for what goroutine it belongs to.
type Client struct {
	*Raw
	options Options

	// Profile is who the server says that the client is.
	Profile protocol.LoginFinished
	// Registries are the names of entries that the server has sent, in the order of
	// their numbers, by registry.
	Registries map[string][]string
	// EntityID is the player's own.
	EntityID int32
	// Dimension is the name of the dimension that the player is in, "" before play.
	Dimension string
	// Position is where the player is: as the server said last, or the client.
	Position Position
	// Teleports is how often the server has set the position, TeleportID the number
	// of the last time.
	Teleports  int
	TeleportID int32
	GameMode   protocol.GameMode
	Health     float32
	Food       int32
	// Time is how many ticks the world has been played, as the server said last.
	Time int64
	// Chat is what was said, in English without styles, oldest first.
	Chat []string
	// Acknowledged is the highest sequence number that the server has answered, -1
	// before.
	Acknowledged int32
	// Players are the names of those who are online.
	Players map[protocol.UUID]string
	// Entities are the others, by their numbers.
	Entities map[int32]*Entity
	// Held is the slot of the hotbar that the server says is held.
	Held int32
	// Windows are the stacks of the player (0) and of what is open.
	Windows map[int32]*Window
	// Cursor is the stack that the cursor carries.
	Cursor protocol.ItemStack

	chunks map[region.ChunkPos]*Chunk
	center region.ChunkPos
	lowest int // section of the dimension
	loaded bool
	reason *Disconnected // the server has said it
	// Packets and last are for those who ask why nothing more comes.
	packets int
	last    string
}

// Dial connects and logs in. The client is then in the configuration state and goes
// on as it is read from.
func Dial(ctx context.Context, o Options) (*Client, error) {
	o.complete()
	raw, err := dialRaw(ctx, &o)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = raw.SetDeadline(time.Unix(1, 0)) })
	c := &Client{
		Raw: raw, options: o, Registries: map[string][]string{}, Acknowledged: -1, Players: map[protocol.UUID]string{},
		Entities: map[int32]*Entity{}, Windows: map[int32]*Window{}, chunks: map[region.ChunkPos]*Chunk{},
	}
	finished, err := raw.Login(ctx, o.Name, o.Session)
	if err == nil {
		c.Profile = *finished
		err = raw.Send(&protocol.ClientInformation{
			Locale: "en_us", ViewDistance: int8(o.ViewDistance), ChatColors: true, SkinParts: 0x7f, MainHand: 1, EnableServerListing: true,
		})
	}
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = raw.Close() // it is of no use any more
		return nil, err
	}
	return c, nil
}

func dialRaw(ctx context.Context, o *Options) (*Raw, error) {
	if o.Conn != nil {
		return NewRaw(o.Conn, o.Version), nil
	}
	return DialRaw(ctx, o.Address, o.Version)
}

// Join is Dial, and reads until the client is in the play state.
func Join(ctx context.Context, o Options) (*Client, error) {
	c, err := Dial(ctx, o)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	for c.Dimension == "" && err == nil {
		_, err = c.Read()
	}
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = c.Close() // it is of no use any more
		return nil, err
	}
	return c, nil
}

// Read reads a packet, answers it and keeps what it says. The packet with which the
// server ends the connection is returned like any other; the next call's error is
// then a [*Disconnected].
func (c *Client) Read() (protocol.Packet, error) {
	p, err := c.Raw.Read()
	if err != nil {
		if c.reason != nil {
			return nil, c.reason
		}
		return nil, err
	}
	c.packets++
	c.last = p.PacketName()
	if err := c.handle(p); err != nil && !errors.As(err, &c.reason) {
		return p, err
	}
	return p, nil
}

// Until reads until a packet for which done is true, but no longer than within;
// then, or if the connection ends, the error names what was waited for, and is
// os.ErrDeadlineExceeded, a [*Disconnected] or that of the connection. Afterwards
// there is no deadline.
func (c *Client) Until(within time.Duration, what string, done func(protocol.Packet) bool) error {
	if err := c.SetDeadline(time.Now().Add(within)); err != nil {
		return fmt.Errorf("wait for %s: %w", what, err)
	}
	defer func() { _ = c.SetDeadline(time.Time{}) }() // a connection that has ended has none
	for {
		p, err := c.Read()
		if err != nil {
			return fmt.Errorf("wait for %s, after %d packets, the last %s: %w", what, c.packets, c.last, err)
		}
		if done(p) {
			return nil
		}
	}
}

// Run reads until the context or the connection ends, so that the client stays on.
// The error is nil if the context has ended.
func (c *Client) Run(ctx context.Context) error {
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	for {
		if _, err := c.Read(); err != nil {
			if ctx.Err() != nil && errors.Is(err, os.ErrDeadlineExceeded) {
				return nil
			}
			return err
		}
	}
}

// handle answers a packet and keeps what it says.
func (c *Client) handle(p protocol.Packet) error {
	if c.State() == registry.Configuration {
		if r, ok := p.(*protocol.RegistryData); ok {
			c.keepRegistry(r)
		}
		return c.answerConfiguration(p, !c.options.NoPacks)
	}
	if err := c.answerCommon(p); err != nil {
		return err
	}
	if c.keepWorld(p) || c.keepEntities(p) || c.keepItems(p) || c.keepSelf(p) {
		return nil
	}
	return c.answerPlay(p)
}

// answerPlay does what packets of the play state demand.
func (c *Client) answerPlay(p protocol.Packet) error {
	switch p := p.(type) {
	case *protocol.PlayerPosition:
		c.setPosition(p)
		at := c.Position
		return c.SendAll(
			&protocol.AcceptTeleportation{TeleportID: p.TeleportID},
			&protocol.MovePlayerPosRot{X: at.X, Y: at.Y, Z: at.Z, Yaw: at.Yaw, Pitch: at.Pitch},
		)
	case *protocol.ChunkBatchFinished:
		answers := []protocol.Packet{&protocol.ChunkBatchReceived{ChunksPerTick: c.options.ChunksPerTick}}
		if !c.loaded && c.Teleports > 0 && c.Chunk(c.Position.Chunk()) != nil {
			c.loaded = true
			answers = append(answers, &protocol.PlayerLoaded{})
		}
		return c.SendAll(answers...)
	case *protocol.StartConfiguration:
		if err := c.Send(&protocol.ConfigurationAcknowledged{}); err != nil {
			return err
		}
		c.SetState(registry.Configuration)
	}
	return nil
}

// MoveTo tells the server that the player is at a place, on the ground, and keeps it.
func (c *Client) MoveTo(x, y, z float64) error {
	c.Position.X, c.Position.Y, c.Position.Z = x, y, z
	return c.Send(&protocol.MovePlayerPos{X: x, Y: y, Z: z, Flags: protocol.MoveFlagsOnGround})
}
