package conn

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// configKey names the frames of a configuration: registries and tags.
type configKey struct {
	version registry.Version
	known   bool // the client has the values of the game's own data pack
}

// maxConfigPackets is how many packets a client may send while it is
// configured.
const maxConfigPackets = 256

// Configure goes through the configuration state: brand, features, registries
// and tags. It returns what the client said of its settings, if it did. The
// connection is then in the play state.
func (c *Conn) Configure(ctx context.Context) (protocol.ClientInformation, error) {
	stop := context.AfterFunc(ctx, func() { _ = c.net.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	var information protocol.ClientInformation
	if err := c.net.SetReadDeadline(time.Now().Add(c.server.options.LoginTimeout)); err != nil {
		return information, err
	}
	core := protocol.KnownPack{Namespace: "minecraft", ID: "core", Version: c.version.String()}
	for _, p := range []protocol.Packet{
		&protocol.CustomPayload{Channel: "minecraft:brand", Data: brand(c.server.options.Brand)},
		&protocol.UpdateEnabledFeatures{Features: []string{"minecraft:vanilla"}},
		&protocol.SelectKnownPacks{Packs: []protocol.KnownPack{core}},
	} {
		if err := c.Send(p); err != nil {
			return information, err
		}
	}
	var packs protocol.SelectKnownPacks
	if err := c.await(&information, func(p protocol.Packet) bool {
		answer, ok := p.(*protocol.SelectKnownPacks)
		if ok {
			packs = *answer
		}
		return ok
	}); err != nil {
		return information, err
	}
	frames, err := c.server.configFrames(configKey{c.version, slices.Contains(packs.Packs, core)})
	if err != nil {
		return information, err
	}
	if err := c.SendAll([]Outgoing{{Frames: frames}}); err != nil {
		return information, err
	}
	if err := c.Send(&protocol.FinishConfiguration{}); err != nil {
		return information, err
	}
	err = c.await(&information, func(p protocol.Packet) bool {
		_, ok := p.(*protocol.FinishConfiguration)
		return ok
	})
	if err != nil {
		return information, err
	}
	c.state = registry.Play
	c.setOut(registry.Play)
	return information, ctx.Err()
}

func brand(name string) []byte {
	var w protocol.Writer
	w.String(name)
	return w.Bytes()
}

// await reads packets until one is the last. It keeps the client's settings.
func (c *Conn) await(information *protocol.ClientInformation, last func(protocol.Packet) bool) error {
	for range maxConfigPackets {
		p, err := c.next()
		if err != nil {
			return err
		}
		if last(p) {
			return nil
		}
		switch p := p.(type) {
		case *protocol.ClientInformation:
			*information = *p
		case *protocol.CustomPayload, *protocol.KeepAlive, *protocol.Pong, *protocol.CustomClickAction:
		default:
			return fmt.Errorf("%s while being configured: %w", p.PacketName(), ErrProtocol)
		}
	}
	return fmt.Errorf("more than %d packets while being configured: %w", maxConfigPackets, ErrProtocol)
}

// configFrames returns the frames of a configuration, made once.
func (s *Server) configFrames(key configKey) ([]byte, error) {
	s.mu.Lock()
	get := s.frames[key]
	if get == nil {
		get = sync.OnceValues(func() ([]byte, error) { return s.makeConfigFrames(key) })
		s.frames[key] = get
	}
	s.mu.Unlock()
	return get()
}

func (s *Server) makeConfigFrames(key configKey) ([]byte, error) {
	appendFrame := protocol.AppendFrame
	if s.options.Threshold != protocol.NoCompression {
		framer, err := protocol.NewFramer(s.options.Threshold, s.options.Level)
		if err != nil {
			return nil, err
		}
		appendFrame = framer.AppendFrame
	}
	var frames []byte
	var w protocol.Writer
	for _, p := range configPackets(key) {
		w.Reset()
		err := protocol.EncodePacket(&w, key.version, registry.Configuration, registry.Clientbound, p)
		if err != nil {
			return nil, err
		}
		if frames, err = appendFrame(frames, w.Bytes()); err != nil {
			return nil, err
		}
	}
	return frames, nil
}

// configPackets are the registries, and the tags of those that clients know.
func configPackets(key configKey) []protocol.Packet {
	var packets []protocol.Packet
	for _, r := range registry.SyncedRegistries(key.version) {
		p := &protocol.RegistryData{ID: r.ID}
		for _, e := range r.Entries {
			entry := protocol.RegistryEntry{Key: e.ID}
			if !key.known {
				entry.Value = protocol.Some(protocol.NBT(e.NBT))
			}
			p.Entries = append(p.Entries, entry)
		}
		packets = append(packets, p)
	}
	tags := &protocol.UpdateTags{}
	for _, r := range registry.Tags(key.version) {
		if !r.Sent() {
			continue
		}
		list := protocol.RegistryTags{Registry: r.Registry().Key()}
		for i := range r.Len() {
			list.Tags = append(list.Tags, protocol.TagEntries{Name: r.At(i).Name(), Entries: r.At(i).IDs()})
		}
		tags.Registries = append(tags.Registries, list)
	}
	return append(packets, tags)
}
