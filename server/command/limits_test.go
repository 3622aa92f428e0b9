package command

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"strata/anvil/registry"
	"strata/server/protocol"
	"strata/server/text"
)

func TestRunRefusesLongCommands(t *testing.T) {
	s := newScript()
	src := ConsoleSource(&s.console, Place{Dimension: "minecraft:overworld"})
	if _, err := s.d.Run(src, "tellraw @a \""+strings.Repeat("x", MaxCommand)+"\""); err == nil {
		t.Error("taken")
	}
	if _, err := s.d.Run(src, "tellraw @a \""+strings.Repeat("x", MaxCommand-20)+"\""); err != nil {
		t.Error(err)
	}
}

func TestRunRefusesManyRedirects(t *testing.T) {
	s := newScript()
	src := ConsoleSource(&s.console, Place{Dimension: "minecraft:overworld"})
	if _, err := s.d.Run(src, strings.Repeat("execute run ", MaxRedirects)+"list"); err != nil {
		t.Error(err)
	}
	if _, err := s.d.Run(src, strings.Repeat("execute run ", MaxRedirects+1)+"list"); err == nil {
		t.Error("taken")
	}
}

func TestRunBoundsTheWorkOfChains(t *testing.T) {
	s := newScript()
	src := ConsoleSource(&s.console, Place{Dimension: "minecraft:overworld"})
	s.f.rules["minecraft:max_command_sequence_length"] = 10
	if _, err := s.d.Run(src, "execute as @e as @e run say x"); err != nil {
		t.Error(err) // 1 + 4 + 16
	}
	if _, err := s.d.Run(src, "execute as @e as @e at @s run say x"); err != nil {
		t.Error(err) // 1 + 4 + 16 + 16
	}
	if _, err := s.d.Run(src, "execute as @e as @e at @s at @s run say x"); err == nil {
		t.Error("taken")
	}
	s.f.log = nil
	if _, err := s.d.Run(src, "list"); err != nil {
		t.Error(err)
	}
}

func TestErrorsKeepTheirPlace(t *testing.T) {
	s := newScript()
	src := ConsoleSource(nil, Place{Dimension: "minecraft:overworld"})
	_, err := s.d.Run(src, "/gamemode god Alex")
	var e *Error
	if !errors.As(err, &e) || e.Cursor != 9 || e.Input != "gamemode god Alex" || e.Message.Key != "argument.gamemode.invalid" {
		t.Fatalf("%+v", err)
	}
	if got, want := e.Error(), "Unknown game mode: god at position 9: gamemode <--[HERE]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSilentSourcesSayNothing(t *testing.T) {
	s := newScript()
	src := ConsoleSource(&s.console, Place{Dimension: "minecraft:overworld"})
	src.Silent = true
	_, _ = s.d.Run(src, "weather rain")
	_, _ = s.d.Run(src, "nothing")
	if len(s.console.got) > 0 || len(s.f.players[0].got) > 0 {
		t.Errorf("%q %q", s.console.got, s.f.players[0].got)
	}
}

func TestAbsentInterfacesTakeTheirCommandsAway(t *testing.T) {
	f := newFake()
	h := f.host()
	d := New(&Host{Entities: h.Entities, Rules: h.Rules})
	for _, name := range []string{"op", "fill", "time", "stop", "backup", "pregen", "execute", "effect", "locate", "say", "weather"} {
		if d.root.literals[name] != nil {
			t.Errorf("%s is there", name)
		}
	}
	var w protocol.Writer
	if err := protocol.EncodePacket(&w, native, registry.Play, registry.Clientbound, d.Tree(4, native)); err != nil {
		t.Error(err)
	}
}

// FuzzCommand runs and completes what somebody types.
func FuzzCommand(f *testing.F) {
	for _, seed := range []string{
		"execute as @e[type=pig,limit=2,sort=nearest] at @s if block ~ ~-1 ~ #logs[axis=x]{a:1} run tp ^ ^ ^1.5",
		"give @a[name=!\"x\",distance=1..5,x_rotation=..3] diamond_sword[custom_name={text:\"a\"},!lore] 3",
		"clear @s #swords[damage=3|!lore,custom_name] 0", "fill ~ ~ ~ ~1 ~2 ~3 stone replace dirt destroy",
		"time set 1.5d", "tellraw @a [{text:'x',extra:['y']},{translate:'commands.op.success',with:['z']}]",
		"title @a times 1 2s 3d", "msg @a[level=3..] @s and @e[tag=] @", "execute align xyz facing entity @n eyes run say",
		"gamerule minecraft:keep_inventory true", "ban-ip 1.2.3.4 why", "clone 0 0 0 1 1 1 2 2 2 filtered stone move",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		if len(input) > 4096 {
			t.Skip("long")
		}
		s := newScript()
		s.f.rules["minecraft:max_block_modifications"] = 64
		for _, src := range []*Source{ConsoleSource(&s.console, Place{Dimension: "minecraft:overworld"}), PlayerSource(s.f.players[1])} {
			_, err := s.d.Run(src, input)
			var e *Error
			if errors.As(err, &e) && e.Cursor > len(e.Input) {
				t.Errorf("error at %d of %d", e.Cursor, len(e.Input))
			}
			a := s.d.Suggest(src, &protocol.CommandSuggestion{Text: input})
			if int(a.Start+a.Length) > units(input) || a.Start < 0 || a.Length < 0 || len(a.Matches) > MaxMatches {
				t.Errorf("%q: suggestions from %d, %d long, %d", input, a.Start, a.Length, len(a.Matches))
			}
		}
		for _, line := range s.console.got {
			if !utf8.ValidString(line) {
				t.Errorf("%q is shown as %q", input, line)
			}
			if len(line) > text.MaxPlain+16 {
				t.Errorf("line of %d bytes", len(line))
			}
		}
	})
}
