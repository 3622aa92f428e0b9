package command

import (
	"time"

	"strata/anvil/block"
	"strata/nbt"
	"strata/server/item"
	"strata/server/protocol"
	"strata/server/text"
)

// Host is what the commands work on. Entities and Rules must be there; of the
// rest, what is nil takes its commands out of the tree. All methods are called
// on the goroutine that owns the worlds.
type Host struct {
	Entities Entities
	Rules    Rules
	Worlds   Worlds   // fill, setblock, clone, item replace block, execute if block
	Settings Settings // difficulty, defaultgamemode, weather, seed, spawn, idle timeout
	Clocks   Clocks   // time
	Chat     Chat     // say, me, msg
	Access   Access   // op, whitelist, bans
	Effects  Effects  // effect
	Life     Life     // save-all, save-off, save-on, stop
	Ticks    Ticks    // tick, tps
	Locator  Locator  // locate
	Pregen   Pregen   // pregen
	Backup   Backup   // backup
	Memory   Memory   // memory
	// Without are the names of commands that are left out although their
	// interfaces are there.
	Without []string
	// Log is told what commands change, as operators are, for the console; nil
	// is nobody.
	Log func(text.Component)
}

// Entities finds what is in the worlds.
type Entities interface {
	// Players lists who is there in the order of joining. The slice must not
	// change when somebody leaves.
	Players() []Player
	// MaxPlayers is how many may be there.
	MaxPlayers() int
	// All visits everything that is loaded, players included, until false.
	All(visit func(Entity) bool)
	// Summon puts a new entity there. The NBT may be absent.
	Summon(kind string, at Place, data nbt.Raw) (Entity, bool)
}

// Rules are the game rules, by name with namespace. A switch is 0 or 1.
type Rules interface {
	Rule(name string) int32
	SetRule(name string, value int32)
}

// Worlds reads and changes blocks.
type Worlds interface {
	Dimensions() []string
	// Height is the lowest block's y, and that above the highest.
	Height(dimension string) (low, high int32)
	// Block returns a block; false if its chunk is not loaded.
	Block(dimension string, pos BlockPos) (block.State, bool)
	// BlockData returns what the block entity there holds, if there is one.
	BlockData(dimension string, pos BlockPos) (nbt.Raw, bool)
	// SetBlock changes a block and, if data is there, its block entity. It
	// reports whether anything changed.
	SetBlock(dimension string, pos BlockPos, state block.State, data nbt.Raw, how SetMode) bool
	// SetSlot puts an item into a container. False, false without a container,
	// false, true without that slot.
	SetSlot(dimension string, pos BlockPos, slot int, stack item.Stack) (done, container bool)
	Biome(dimension string, pos BlockPos) (string, bool)
	// Top returns the y above the highest block by a heightmap of the game's
	// name ("motion_blocking"); false if the chunk is not loaded.
	Top(dimension, heightmap string, x, z int32) (int32, bool)
}

// SetMode is how a block is set.
type SetMode uint8

// The ways to set a block.
const (
	SetReplace SetMode = iota
	SetDestroy         // as if mined: what was there drops
	SetStrict          // neighbours are not told
)

// Settings are what holds for all worlds.
type Settings interface {
	Difficulty() int // 0 peaceful to 3 hard
	SetDifficulty(int)
	DefaultGameMode() GameMode
	// SetDefaultGameMode returns the players whose mode it changed, as when
	// game modes are forced.
	SetDefaultGameMode(GameMode) int
	// SetWeather begins a weather; ticks -1 is as long as the game likes.
	SetWeather(w Weather, ticks int32)
	Seed() int64
	SetWorldSpawn(dimension string, pos BlockPos, r Rotation)
	SetIdleTimeout(minutes int)
}

// Weather is what SetWeather begins.
type Weather uint8

// The kinds of weather.
const (
	ClearWeather Weather = iota
	Rain
	Thunder
)

// Clocks are the world clocks of 26.1, by name with namespace.
type Clocks interface {
	GameTime() int64
	Clock(name string) (Clock, bool)
	SetClock(name string, c Clock)
}

// Clock is the state of a world clock.
type Clock struct {
	Ticks  int64
	Rate   float32 // 1 is normal
	Paused bool
}

// Chat shows what people say.
type Chat interface {
	// Say shows a message to a player, or to all and the console if to is nil.
	// The kind is a name of the registry minecraft:chat_type; target is for
	// the kinds that name whom it is to.
	Say(kind string, from text.Component, message text.Component, target *text.Component, to Player)
}

// Profile is a player who may not be there.
type Profile struct {
	UUID protocol.UUID
	Name string
}

// Ban is an entry of a list of bans.
type Ban struct {
	Profile Profile // of players
	Address string  // of addresses
	By      string
	Reason  string
}

// Access is who may do what: the lists of operators, bans and the whitelist.
// Methods that change report whether anything changed.
type Access interface {
	// Lookup finds someone by name, without waiting: who is there, was there,
	// or, in offline mode, anyone.
	Lookup(name string) (Profile, bool)
	Ops() []Profile
	Op(Profile) bool
	Deop(Profile) bool
	Bans() []Ban
	Ban(Ban) bool
	Pardon(Profile) bool
	AddressBans() []Ban
	BanAddress(Ban) bool
	PardonAddress(address string) bool
	Whitelist() []Profile
	WhitelistOn() bool
	SetWhitelist(on bool)
	WhitelistAdd(Profile) bool
	WhitelistRemove(Profile) bool
	// ReloadWhitelist reads the file again; with enforcement it removes who is
	// not on it.
	ReloadWhitelist() error
}

// Effects gives status effects.
type Effects interface {
	// Give returns false for what cannot have it or has a stronger one.
	Give(e Entity, effect Effect) bool
	Remove(e Entity, effect string) bool
	Clear(e Entity) bool
}

// Effect is a status effect.
type Effect struct {
	Name      string
	Ticks     int32 // -1 is without end
	Amplifier int
	Particles bool
}

// Life is saving and stopping.
type Life interface {
	// Save saves everything and then calls done; with flush it waits for the
	// disk.
	Save(flush bool, done func(error))
	Autosave() bool
	SetAutosave(bool)
	Stop()
}

// Ticks is the speed of the game.
type Ticks interface {
	TickStatus() TickStatus
	SetTickRate(float32)
	SetFrozen(bool)
	// Step runs that many ticks of a frozen game; 0 stops stepping. False if
	// the game is not frozen, or nothing is to be stopped.
	Step(ticks int32) bool
	// Sprint runs that many ticks as fast as it goes, then calls done; 0 stops.
	// It reports whether a sprint was interrupted by it.
	Sprint(ticks int32, done func(ticks int32, took time.Duration)) bool
}

// TickStatus is how the game runs.
type TickStatus struct {
	Rate              float32
	Frozen, Sprinting bool
	Lagging           bool
	Mean              time.Duration
	// P50, P95, P99 are of the last Sample ticks.
	P50, P95, P99 time.Duration
	Sample        int
	// TPS is ticks a second over 1, 5 and 15 minutes.
	TPS [3]float64
}

// Locator finds things of generation. It calls done once, at once or later.
type Locator interface {
	Biome(dimension string, from BlockPos, match func(string) bool, done func(name string, at BlockPos, found bool))
	Structure(dimension string, from BlockPos, match func(string) bool, done func(name string, at BlockPos, found bool))
}

// Pregen generates ahead of players.
type Pregen interface {
	// Start begins at chunk (x, z) with a radius in chunks.
	Start(dimension string, x, z, radius int32) error
	Stop() error
	// Status is a line for people.
	Status() string
}

// Backup makes backups.
type Backup interface {
	// Create begins one and calls done with its name when it is there.
	Create(done func(name string, err error)) error
	// List calls done with the names of those that there are, the oldest first.
	List(done func(names []string, err error))
}

// Memory tells what the process uses, in bytes.
type Memory interface {
	Memory() (heap, system, limit uint64)
}
