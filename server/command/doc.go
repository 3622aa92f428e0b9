// Package command is the commands of the server: the tree of what may be
// typed, the arguments, completion, selectors, and what the commands do, over
// interfaces that the server's other parts implement.
//
// # Nouns
//
//   - a [Dispatcher] is the tree over one [Host];
//   - a [Host] is a set of small interfaces. Commands of an interface that is
//     nil are not in the tree, so that a server offers what it can do;
//   - a [Source] is who runs a command: a player, the console, RCON, with
//     place, rotation, permission level and where answers go;
//   - a node is a literal or an argument. A node may redirect to another one,
//     which is how execute chains; then the source may become several
//     ("fork").
//
// The ways in: [Dispatcher.Run] for a line that somebody typed,
// [Dispatcher.Suggest] for what could follow it, [Dispatcher.Tree] for the
// packet with the tree of a permission level.
//
// # What is there
//
// backup, ban, ban-ip, banlist, clear, clone, defaultgamemode, deop,
// difficulty, effect, execute, experience (xp), fill, gamemode, gamerule,
// give, help, item replace (with), kick, kill, list, locate (biome,
// structure), me, memory, msg (tell, w), op, pardon, pardon-ip, pregen,
// save-all, save-off, save-on, say, seed, setblock, setidletimeout,
// setworldspawn, spawnpoint, stop, summon, teleport (tp), tellraw, tick, time,
// title, tps, transfer, weather, whitelist. backup, memory, pregen and tps are
// not the game's.
//
// execute has align, anchored, as, at, facing, in, positioned (as, over too),
// rotated, run, and if/unless biome, block, blocks, dimension, entity, loaded.
//
// # What is absent
//
// Of execute: store, on, summon, if data, function, items, predicate, score,
// stopwatch. Of item: modify, and replace from. Of locate: poi. The game's
// other commands: advancement, attribute, bossbar, damage, data, datapack,
// debug, dialog, enchant, fetchprofile, fillbiome, forceload, function, jfr,
// loot, particle, perf, place, playsound, publish, random, recipe, reload,
// return, ride, rotate, schedule, scoreboard, spectate, spreadplayers,
// stopsound, stopwatch, swing, tag, team, teammsg, test, trigger, version,
// waypoint, worldborder.
// Selectors refuse the options advancements, nbt, predicate, scores and team,
// saying so; texts of tellraw and title are sent as typed: selectors, scores
// and NBT in them are not resolved.
//
// # Answers
//
// Answers are texts with the game's translation keys (package server/text):
// clients show them in their language, consoles in English. What a command
// changed is told to the other operators as well, see [Source].
//
// # Limits
//
// A command is at most [MaxCommand] characters, what is completed at most
// [MaxSuggest], a list of completions [MaxMatches]. Redirects follow one
// another at most [MaxRedirects] times. Sources of one command are bounded by
// the game rule max_command_forks, what is done for all of them by four times
// max_command_sequence_length, blocks of fill and clone by
// max_block_modifications, those of execute if blocks to 32,768. SNBT has the limits of [argumentLimits].
// Nothing panics on what is typed.
//
// # Concurrency
//
// Everything but Tree runs on the goroutine that owns the worlds, as the
// interfaces of Host do; nothing blocks. What takes long (locate, backup,
// save-all) tells its end through a function that the host calls on that
// goroutine. The packet of a level is built once and shared.
//
// # Sources
//
// The tree is compared with the game's own report for 26.2 in a test; 26.1 has
// the same nodes for the commands here. Texts: package server/text.
// Behaviour: minecraft.wiki, "Commands" and the pages of each command,
// "Target selectors"; semantics of parsing from the documentation of
// Brigadier (MIT). Assumed, as no source has it: that setting a clock to a
// time marker goes on to the marker's next occurrence.
package command

import "strata/nbt"

// Limits.
const (
	MaxCommand   = 32767
	MaxSuggest   = 2048
	MaxMatches   = 1000
	MaxRedirects = 512
)

// argumentLimits bound NBT and components in commands.
var argumentLimits = nbt.Limits{Depth: 128, Bytes: 1 << 20, Tags: 1 << 16}
