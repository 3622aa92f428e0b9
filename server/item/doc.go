// Package item is what lies in a slot: a number of an item of one kind, with
// what sets it apart from others of the kind.
//
// # Nouns
//
//   - a [Stack] is an item, its count, and a patch: components that differ from
//     the item's own. The zero Stack is an empty slot. Numbers of items are those
//     of registry.Native; an item whose name is not known has the number
//     [Unknown] and keeps its name;
//   - the NBT form is that of files of 26.x: {id, count, components}, lists of
//     slots have a Slot in each element. [Parse] and [Stack.NBT] are one stack,
//     [ParseSlots] and [SlotsNBT] lists. Components are kept as NBT, byte for
//     byte, also those that nobody knows;
//   - the wire form is that of packets of a version: [Wire] and [WireTemplate]
//     to a client, [FromCreative] and [FromTemplate] from one;
//   - a hashed stack is what a client in survival says of a slot: [Matches]
//     tells whether it has what the server believes it has.
//
// # What a client is shown
//
// A client of a version that lacks an item is shown the substitute that package
// registry names for it, or a barrier. Components of kinds that it lacks, or
// that cannot be converted, are left out. In both cases the shown stack carries
// the real one in its custom data, under [realKey], so that a client in
// creative mode that moves it sends it back; nothing is lost then. A real one
// of more than [maxReal] bytes is not carried: a creative client that moves such
// a stack is left with what it was shown. In survival a client only names slots,
// and what it was shown never becomes real.
//
// # Components that are not converted
//
// can_place_on, can_break, bees, blocks_attacks, piercing_weapon,
// kinetic_weapon, map_post_processing, creative_slot_lock,
// rabbit/variant, tropical_fish/pattern, trims, instruments, songs, paintings
// and banner patterns written out in place of a registry's name, and profiles
// with a texture patch of their own. They are kept, in files too, and are not
// shown.
//
// # Equality
//
// [Stack.Same] says whether two stacks may lie on one pile: of one item, and
// equal in all components, those of the item counted. NBT is equal whatever the
// order of its members.
//
// # Limits and errors
//
// Foreign stacks are bounded by package protocol, and nest no deeper than
// [maxNesting]. Damaged NBT is an error; nothing panics.
//
// # Concurrency
//
// A Stack is never changed once made and may be used and kept by anyone.
//
// # Sources
//
// Names and shapes of components: minecraft.wiki "Data component format", the
// game's own data pack and default components of 26.2. The hash of a component
// is CRC-32C over its value as the game would write it: minecraft.wiki "Java
// Edition protocol/Slot data"; hashes that the game gave are in the tests.
// Assumed: which members with default values are left out, for kinds that are
// not in those. A wrong hash costs a packet that tells the client again, and no
// more.
package item
