package command

import (
	"strata/server/item"
	"strata/server/protocol"
	"strata/server/text"
)

// Entity is something in a world.
type Entity interface {
	UUID() protocol.UUID
	Type() string            // with namespace
	Name() string            // plain, as selectors compare it
	Display() text.Component // as messages show it
	Place() Place
	// Size is its box, around the middle of its floor, and the eyes above it.
	Size() (width, height, eyes float64)
	Tags() []string
	// Teleport moves it, also to another dimension. False if it cannot.
	Teleport(to Place) bool
	Kill()
}

// Player is a player who is there.
type Player interface {
	Entity
	Send(text.Component)
	OpLevel() int
	Address() string // without port
	GameMode() GameMode
	// SetGameMode reports whether it changed.
	SetGameMode(GameMode) bool
	// Experience is levels, and points towards the next one.
	Experience() (levels, points int)
	SetLevels(int)
	SetPoints(int)
	AddLevels(int)
	AddPoints(int)
	// Give puts items into the inventory and drops what has no room.
	Give(item.Stack)
	// Clear removes up to limit items that match, all if it is negative;
	// with 0 it removes nothing. It returns how many it removed or found.
	Clear(match func(item.Stack) bool, limit int) int
	// SetSlot puts an item into a slot of the game's numbering (0-8 hotbar,
	// 9-35 inventory, 98 main hand, 99 off hand, 100-105 armor, 200-226 ender
	// chest, 499 cursor, 500-503 crafting). False if there is no such slot.
	SetSlot(slot int, stack item.Stack) bool
	Title(Title)
	// SetSpawn sets where the player comes back.
	SetSpawn(dimension string, pos BlockPos, r Rotation)
	Transfer(host string, port int)
	Disconnect(reason text.Component)
}

// Title is what /title does. One of the fields is used.
type Title struct {
	Kind TitleKind
	Text text.Component
	// FadeIn, Stay and FadeOut are ticks.
	FadeIn, Stay, FadeOut int32
}

// TitleKind is what a Title does.
type TitleKind uint8

// The kinds of titles.
const (
	TitleClear TitleKind = iota
	TitleReset
	TitleMain
	TitleSubtitle
	TitleActionBar
	TitleTimes
)

// GameMode is a game mode by the game's number.
type GameMode int32

// The game modes.
const (
	Survival GameMode = iota
	Creative
	Adventure
	Spectator
)
