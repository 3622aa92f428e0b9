package server

import (
	"log/slog"
	"runtime"
	"time"

	"strata/anvil/store"
	"strata/server/admin"
	"strata/server/conn"
	"strata/server/protocol"
)

// Options of a Server.
type Options struct {
	// World is the folder of the world. If nothing is there, a world is made.
	World string
	// Seed of a world that is made.
	Seed int64
	// Address to listen on, default ":25565".
	Address string
	// Motd is shown in the list of servers, default "A Minecraft Server".
	Motd string
	// NoStatus gives clients that ask for the status no answer, so that their
	// lists show no server here.
	NoStatus bool
	// HidePlayers leaves the names of players out of the status.
	HidePlayers bool
	// HideAddresses keeps addresses of clients out of the log.
	HideAddresses bool
	// QuietConsole has operators not told of what the console does.
	QuietConsole bool
	// Threshold is from how many bytes on packets are compressed, default 256;
	// protocol.NoCompression for none.
	Threshold int
	// MaxPlayers is how many may be on, default 20.
	MaxPlayers int
	// Session is the address of the session service for online mode; "" is
	// offline mode.
	Session string
	// Throttle is how long an address waits between two logins, default 4 s; below 0
	// for none. Those of this machine do not wait.
	Throttle time.Duration
	// ViewDistance is how many chunks a player sees, default 10.
	ViewDistance int
	// GameMode of new players, or of all at each join.
	GameMode      protocol.GameMode
	ForceGameMode bool
	// Difficulty is peaceful, easy, normal or hard, "" for that of the world. A
	// hardcore world is hard whatever it says.
	Difficulty string
	// Hardcore makes a world hardcore when it is made.
	Hardcore bool
	// SpawnProtection is within how many blocks of the spawn, to each side, only
	// operators break, place and use blocks, as long as there are operators; 0
	// protects nothing.
	SpawnProtection int
	// PauseWhenEmpty is how long nobody must have been on until the world stands
	// still and is saved; 0 is never.
	PauseWhenEmpty time.Duration
	// AllowFlight lets players float in the air who cannot fly; otherwise they are
	// disconnected after four seconds.
	AllowFlight bool
	// Profile is the default of what follows.
	Profile Profile
	// MemoryLimit is what the whole process may take, in bytes, at least 128 MiB;
	// default 512 MiB in profile Low, and no limit otherwise.
	MemoryLimit int64
	// Workers is how many goroutines generate, in all dimensions together; default
	// one less than the processors, at least 1.
	Workers int
	// Level of the compression of what is saved, default mode sector.
	Level store.Level
	// MaxTickTime is how long a tick may take until the stacks of all goroutines
	// are written to a file in Reports and the log tells of it, once more for each
	// further MaxTickTime; default 60 s, negative for never.
	MaxTickTime time.Duration
	// Reports is the folder of such files, made when there is one; "" has them in
	// the log.
	Reports string
	// Stalled is called after each report, on the watchdog's goroutine, also where
	// the log does not take it; nil for none.
	Stalled func()
	// Access is who may be on and what they may do; nil admits all, and has no
	// operators.
	Access *admin.Access
	// Backups makes the backups that the command backup asks for; nil takes the
	// command away.
	Backups Snapshotter
	// SaveEvery is how long what was done may wait to be saved, default 5 s: a kill
	// costs no more.
	SaveEvery time.Duration
	// Log is told what happens; nil is slog.Default.
	Log *slog.Logger
}

func (o *Options) complete() {
	if o.Address == "" {
		o.Address = ":25565"
	}
	if o.Motd == "" {
		o.Motd = "A Minecraft Server"
	}
	if o.MaxPlayers == 0 {
		o.MaxPlayers = 20
	}
	if o.Throttle == 0 {
		o.Throttle = conn.DefaultThrottle
	}
	if o.ViewDistance == 0 {
		o.ViewDistance = 10
	}
	if o.Workers == 0 {
		o.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	if o.MaxTickTime == 0 {
		o.MaxTickTime = time.Minute
	}
	if o.Stalled == nil {
		o.Stalled = func() {}
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
}
