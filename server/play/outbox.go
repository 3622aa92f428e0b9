package play

import (
	"sync/atomic"

	"strata/server/conn"
	"strata/server/protocol"
)

const (
	outboxLength = 8192
	// outboxBytes is how much of frames may wait for a client that does not read.
	outboxBytes = 16 << 20
	// writtenAtOnce is how much of an outbox is handed over at a time.
	writtenAtOnce = 256
)

// outbox is what waits to be sent to a client. The tick goroutine fills it, the
// connection's writer empties it.
type outbox struct {
	queue chan conn.Outgoing
	bytes atomic.Int64 // of frames in it
}

func newOutbox() *outbox { return &outbox{queue: make(chan conn.Outgoing, outboxLength)} }

// put reports false if it is full.
func (b *outbox) put(o conn.Outgoing) bool {
	if b.bytes.Add(int64(len(o.Frames))) > outboxBytes {
		return false
	}
	select {
	case b.queue <- o:
		return true
	default:
		return false
	}
}

// rest takes what is there behind the first one, up to a limit.
func (b *outbox) rest(first conn.Outgoing, dst []conn.Outgoing) []conn.Outgoing {
	dst = append(dst, first)
	frames := len(first.Frames)
	for len(dst) < writtenAtOnce {
		select {
		case o := <-b.queue:
			dst = append(dst, o)
			frames += len(o.Frames)
			continue
		default:
		}
		break
	}
	b.bytes.Add(-int64(frames))
	return dst
}

// send puts a packet into the outbox, and closes the connection if it is full.
func (p *Player) send(packet protocol.Packet) { p.put(conn.Outgoing{Packet: packet}) }

// sendFrames does so with frames that were made for the player's version.
func (p *Player) sendFrames(frames []byte) { p.put(conn.Outgoing{Frames: frames}) }

func (p *Player) put(o conn.Outgoing) {
	if !p.outbox.put(o) {
		p.close()
	}
}
