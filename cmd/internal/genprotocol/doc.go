// Genprotocol writes the packets of server/protocol: the Go types with their
// fields in order, the values of enumerations, and the list of all packets.
//
// The layouts are those of protocol.json for 26.1 in the npm package
// minecraft-data 3.119.0 (MIT). Where that is wrong, patches.go has it right,
// each correction with a name and a reason; what 776 has otherwise is there
// too, as fields that begin or end with a version. The names of packets are
// the game's own, by their numbers in anvil/registry; names.go gives types and
// fields names in the game's terms where the package has others.
//
// Types that the schema cannot say well - items, the command tree, entity
// metadata, the player list - are written by hand in server/protocol and
// named in byHand.
//
// Run it with go generate in server/protocol.
package main
