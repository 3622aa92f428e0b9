// Strata is a world toolkit and server for Minecraft: Java Edition.
//
// Its nouns: the app is what the commands of one run share, its console is
// where results and messages go (cmd/internal/ui), and a parent is a command
// that only groups others. One file cmd_<name>.go holds one command.
//
// A command gets its context from cobra and returns when that ends: the first
// SIGINT or SIGTERM cancels it, the second one ends the process at once. It
// prints its result through the console, and it returns its error, which run
// prints once and turns into the exit code.
package main
