// Package text is the game's texts ("text components"): what a client shows in
// its own language, and the same in plain English for consoles and RCON.
//
// A [Component] is a value: a piece of plain text, a translation key with its
// arguments, or a foreign document that somebody typed (tellraw), with a style,
// events, and what follows it. [Component.NBT] is its form in packets;
// [Component.String] is English without styles, of the keys in the table of
// this package. A key that is not there is shown as its fallback or itself.
//
// Components are immutable once built: methods named With... return another
// one that shares the arguments. They may be used from any number of
// goroutines.
//
// [Parse] takes a document of someone else. What this package does not look
// at stays in it as it is. Nesting deeper than [MaxDepth] is refused, English
// stops at [MaxPlain] bytes, so that arguments which repeat one another do not
// grow without bound.
//
// The form (names of members, types) is that of 26.1 and 26.2 as described at
// minecraft.wiki, "Text component format". The English texts of the keys are
// those of the game, as minecraft-data 3.119.0 has them for 26.1 (MIT): only
// those that the server itself uses are here.
package text
