package clients

import (
	"testing"
	"time"
)

// botPatience is how long what a bot does may take.
const botPatience = 150 * time.Second

// Bots are players of mineflayer, which has the physics of the game's client, on
// servers on loopback. One does something at a time. Those of one Bots share a
// Node process, and leave at the end of the test. Their clocks go four times as
// fast as the server's.
type Bots struct{ judge *judge }

// BlockPos is a place of a block.
type BlockPos struct {
	X int `json:"x"`
	Y int `json:"y"`
	Z int `json:"z"`
}

// Sight is what a bot knows.
type Sight struct {
	X           float64             `json:"x"`
	Y           float64             `json:"y"`
	Z           float64             `json:"z"`
	Dimension   string              `json:"dimension"`   // without the namespace
	GameMode    string              `json:"gameMode"`    // after Join alone
	Corrections int                 `json:"corrections"` // times that the server moved it, after the first
	Heard       []string            `json:"heard"`       // "<name> text"
	Others      map[string]struct{} `json:"others"`      // players that it sees
}

// StartBots prepares bots for the length of a test, which is skipped, or fails when
// testbed.MustRun, if they cannot run here.
func StartBots(t testing.TB) *Bots {
	t.Helper()
	j := startJudge(t, "bots.mjs")
	j.timeout = botPatience
	return &Bots{j}
}

func (b *Bots) call(op, name string, fields map[string]any, answer any) error {
	if fields == nil {
		fields = map[string]any{}
	}
	fields["name"] = name
	return b.judge.call(op, fields, answer)
}

// do is call for an op that answers nothing.
func (b *Bots) do(op, name string, fields map[string]any) error {
	return b.call(op, name, fields, &struct{}{})
}

// Join makes a bot and waits until it has the chunks around it.
func (b *Bots) Join(name string, port int, version string) (Sight, error) {
	var s Sight
	err := b.call("join", name, map[string]any{"port": port, "version": version}, &s)
	return s, err
}

// Walk has a bot find its way to a place, on foot, and returns once it is within a
// block of it.
func (b *Bots) Walk(name string, x, z int) error {
	return b.do("walk", name, map[string]any{"x": x, "z": z})
}

// Place has a bot in creative mode take an item, named without namespace, and
// put it on the block below a place within its reach.
func (b *Bots) Place(name, item string, at BlockPos) error {
	return b.do("place", name, map[string]any{"item": item, "x": at.X, "y": at.Y, "z": at.Z})
}

// Dig has a bot break a block within its reach.
func (b *Bots) Dig(name string, at BlockPos) error {
	return b.do("dig", name, map[string]any{"x": at.X, "y": at.Y, "z": at.Z})
}

// Move has a bot open a container within its reach and put so many of an item into
// it, or take them out for a negative count. It returns what is in it then, by name
// without namespace.
func (b *Bots) Move(name string, at BlockPos, item string, count int) (map[string]int, error) {
	var answer struct {
		Items map[string]int `json:"items"`
	}
	err := b.call("move", name, map[string]any{"x": at.X, "y": at.Y, "z": at.Z, "item": item, "count": count}, &answer)
	return answer.Items, err
}

// Blocks are the states that a bot knows, as commands write them, with the
// properties in the order of their names.
func (b *Bots) Blocks(name string, places []BlockPos) ([]string, error) {
	var answer struct {
		States []string `json:"states"`
	}
	err := b.call("blocks", name, map[string]any{"places": places}, &answer)
	return answer.States, err
}

// Say has a bot say something, or with a slash run a command.
func (b *Bots) Say(name, text string) error {
	return b.do("say", name, map[string]any{"text": text})
}

// AwaitHeard waits until a bot has heard "<name> text".
func (b *Bots) AwaitHeard(name, heard string) error {
	return b.do("wait", name, map[string]any{"heard": heard})
}

// AwaitOther waits until a bot sees another one within 2 blocks of a place.
func (b *Bots) AwaitOther(name, other string, x, z int) error {
	return b.do("wait", name, map[string]any{"other": other, "x": x, "z": z})
}

// AwaitDimension waits until a bot is in a dimension, named without namespace, and
// has the chunk that it is in.
func (b *Bots) AwaitDimension(name, dimension string) error {
	return b.do("wait", name, map[string]any{"dimension": dimension})
}

// AwaitBroken waits until a bot has been shown how another broke a block.
func (b *Bots) AwaitBroken(name string, at BlockPos) error {
	return b.do("wait", name, map[string]any{"broken": at})
}

// AwaitBlock waits until a bot knows a block to be in a state, as Blocks has it.
func (b *Bots) AwaitBlock(name string, at BlockPos, state string) error {
	return b.do("wait", name, map[string]any{"state": state, "x": at.X, "y": at.Y, "z": at.Z})
}

// Look returns what a bot knows.
func (b *Bots) Look(name string) (Sight, error) {
	var s Sight
	err := b.call("seen", name, nil, &s)
	return s, err
}

// Leave has a bot leave.
func (b *Bots) Leave(name string) error { return b.do("leave", name, nil) }
