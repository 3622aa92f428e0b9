// Package inventory is where items lie: what players carry, windows onto chests
// and crafting tables, and what clicks in them do.
//
// # Nouns
//
//   - a [Container] stores stacks by number: what a chest has, or a player. The
//     world's containers are whoever implements it; [Items] is one in memory,
//     [Pair] two as one (double chests);
//   - a [Player] is a player's own 43 slots and the hotbar slot that it holds;
//   - a [Window] is slots onto containers as one client sees them, with the
//     cursor, an open drag, a state id, and what the client believes of each.
//     [OwnWindow] has the number 0 and is always there; [Open] makes others, of
//     a [Kind].
//
// # Clicks
//
// [Window.Click] does what the game does for the same packet: modes pickup,
// quick move, swap, clone, throw, drag and pickup all. It never trusts what the
// client says has changed; that only tells what the client believes. What leaves
// the window is returned as stacks to drop. [Window.Sync] returns the packets
// that make the client believe what is so, and none if it does already.
// [Window.Creative] is the one place where a client makes up items.
//
// # Order of slots in windows
//
//	own             0 result, 1-4 grid, 5-8 head to feet, 9-35, hotbar 36-44, offhand 45
//	crafting table  0 result, 1-9 grid, 10-36, hotbar 37-45
//	all others      the container, then 27 slots and the hotbar
//
// In a Player the hotbar is 0-8, then 9-35, feet to head 36-39, offhand 40, body
// 41, saddle 42.
//
// # Crafting
//
// Recipes are those of the game's data pack: shaped (also mirrored), shapeless,
// transmute, imbue, repair, dye, decorated pots, fireworks, shields with banners,
// and copies of banners and books.
//
// # Not here
//
// Map extending (which changes what lies beyond the grid); the recipe book;
// bundles that swallow items when clicked; furnaces,
// hoppers at work and all windows that are not in Kind. A dragged, copied or
// moved stack is never larger than its slot and its item allow.
//
// # Concurrency
//
// All of it belongs to the tick goroutine.
//
// # Sources
//
// What clicks do and the order of slots: minecraft.wiki "Java Edition
// protocol/Inventory" and "/Packets" (click container), 1.21.5 to 26.1.
package inventory
