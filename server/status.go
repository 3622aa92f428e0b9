package server

import (
	"math/rand/v2"
	"net"

	"strata/server/conn"
)

const (
	// sampleSize is how many names a status has at most, and sampleTicks how often
	// others are chosen: as the game does it.
	sampleSize  = 12
	sampleTicks = 5 * 20
)

// anonymous stands for players who do not want to be listed.
const anonymous = "Anonymous Player"

// status is what clients are shown in their lists. It may be called from any
// goroutine.
func (s *Server) status() conn.Status {
	shown := conn.Status{Text: s.options.Motd, Online: int(s.online.Load()), Max: s.options.MaxPlayers}
	if sample := s.sample.Load(); sample != nil {
		shown.Sample = *sample
	}
	return shown
}

// publish has other goroutines know who is on. It is called each tick.
func (s *Server) publish() {
	s.ticks++
	for i, d := range s.worlds {
		s.loaded[i].Store(int32(d.Loaded()))
	}
	players := int32(s.game.Players())
	changed := s.online.Swap(players) != players
	if s.options.HidePlayers || !changed && s.ticks-s.sampled < sampleTicks {
		return
	}
	s.sampled = s.ticks
	sample := s.newSample()
	s.sample.Store(&sample)
}

// newSample chooses names of those who are on, in any order.
func (s *Server) newSample() []conn.SamplePlayer {
	online := s.game.Online()
	sample := make([]conn.SamplePlayer, 0, min(len(online), sampleSize))
	for _, i := range rand.Perm(len(online))[:cap(sample)] {
		one := conn.SamplePlayer{Name: anonymous}
		if p := online[i]; p.Listed() {
			one = conn.SamplePlayer{Name: p.Name(), ID: p.UUID()}
		}
		sample = append(sample, one)
	}
	return sample
}

// shownAddress is a client's address as the log may have it.
func (s *Server) shownAddress(c net.Conn) string {
	if s.options.HideAddresses {
		return "hidden"
	}
	return c.RemoteAddr().String()
}
