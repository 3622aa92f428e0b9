// Package client is a client of the game without a screen: it logs in, answers
// what a server demands of clients, and keeps what it is told, for tests and for
// load on a server.
//
// # Nouns
//
//   - a [Raw] is a connection: frames and packets in both directions, compressed
//     and encrypted as was agreed. It answers nothing, and lets its caller send
//     anything;
//   - a [Client] is a player on such a connection. [Join] brings it into the play
//     state. Whatever it reads, it answers if the game's client would: keep-alive,
//     pings, teleports, batches of chunks, known packs, the end of the
//     configuration, also a second one;
//   - a [Chunk] is the blocks and biomes of a column as they were sent, and what
//     has changed since;
//   - an [Entity] is where another player or creature is; a [Window] is the stacks
//     of the player or of what is open.
//
// A test that waits for something:
//
//	c, err := client.Join(ctx, client.Options{Address: address, Name: "Walker"})
//	err = c.Until(10*time.Second, "the chunk below", func(protocol.Packet) bool {
//		return c.Chunk(c.Position.Chunk()) != nil
//	})
//
// # Concurrency and ownership
//
// A Client belongs to the goroutine that reads: all that it keeps changes only
// within [Client.Read] and what calls it. [Raw.Send] and [Raw.Write] may be called
// from any goroutine. A packet that was read, and all bytes in it, is the caller's.
// Nothing here starts a goroutine that outlives the call. A client that nobody
// reads for answers nothing, and is disconnected after half a minute.
//
// # Limits
//
// A server is trusted no more than package protocol does: its limits bound each
// packet. What is kept is bounded by what the server sends, and much smaller with
// [Options.Lean]; of chat the last 1,000 lines are kept.
//
// # Not here
//
// Physics: a client stands where it was put until its user moves it, and does not
// fall. Light, metadata of entities, recipes, scores and sounds are read and not
// kept. Resource packs are declined.
package client
