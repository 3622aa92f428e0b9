package command

import (
	"slices"
	"strings"
	"testing"

	"strata/server/protocol"
)

func TestCompletions(t *testing.T) {
	s := newScript()
	s.f.ops = []Profile{{Name: "Olga"}}
	console := ConsoleSource(nil, Place{Dimension: "minecraft:overworld"})
	alex := PlayerSource(s.f.players[1])
	for _, c := range []struct {
		who   *Source
		input string
		start int
		has   string // space between them; "-x" must not be there
	}{
		{console, "/gam", 1, "gamemode gamerule -give"},
		{console, "gam", 0, "gamemode gamerule"},
		{alex, "/", 1, "help list me msg tell w -op -gamemode"},
		{alex, "/gam", 4, "-gamemode"},
		{alex, "/msg ", 5, "Steve Alex -@a"},
		{console, "/msg @", 5, "@a @p @e @s"},
		{console, "/gamemode c", 10, "creative -survival"},
		{console, "/gamemode creative", 18, "-creative"},
		{console, "/deop ", 6, "Olga -Steve"},
		{console, "/op S", 4, "Steve"},
		{console, "/give Alex diamond_s", 11, "minecraft:diamond_sword -minecraft:stone"},
		{console, "/give Alex minecraft:stone_p", 11, "minecraft:stone_pickaxe"},
		{console, "/give Alex sword", 11, "minecraft:iron_sword"},
		{console, "/give Alex stone[cust", 17, "minecraft:custom_name"},
		{console, "/setblock ~ ~ ~ oak_stairs[fac", 27, "facing="},
		{console, "/setblock ~ ~ ~ oak_stairs[facing=", 34, "north east -up"},
		{console, "/setblock ", 10, "~|~ ~|~ ~ ~"},
		{console, "/setblock 1", 10, "1 ~|1 ~ ~"},
		{console, "/tp ^", 4, "^ ^|^ ^ ^"},
		{console, "/kill @e[ty", 9, "type="},
		{console, "/kill @e[type=zom", 14, "minecraft:zombie"},
		{console, "/kill @e[limit=1,so", 17, "sort="},
		{console, "/kill @e[sort=", 14, "nearest furthest"},
		{console, "/time set n", 10, "minecraft:noon minecraft:night -minecraft:roll_village_siege"},
		{console, "/time of the_end set ", 21, "-minecraft:noon"},
		{console, "/time add 5", 11, "d s t"},
		{console, "/weather rain 10", 16, "d s t"},
		{console, "/execute as @a at @s run tim", 25, "time"},
		{console, "/execute in ", 12, "minecraft:the_nether"},
		{console, "/execute if ", 12, "block biome entity"},
		{console, "/gamerule keep_inventory ", 25, "true false"},
		{console, "/gamerule minecraft:keep", 10, "minecraft:keep_inventory"},
		{console, "/locate structure vill", 18, "minecraft:village_plains #minecraft:village"},
		{console, "/summon pi", 8, "minecraft:pig"},
		{console, "/tell A", 6, "Alex"},
		{console, "/xp add A", 8, "Alex"},
		{console, "/tick sprint ", 13, "stop 60s 1d"},
		{console, "/no such command", 16, ""},
	} {
		start, got := s.d.Complete(c.who, c.input)
		sep := " "
		if strings.Contains(c.has, "|") {
			sep = "|"
		}
		positive := false
		for _, want := range strings.Split(c.has, sep) {
			name, absent := strings.CutPrefix(want, "-")
			if want != "" && slices.Contains(got, name) == absent {
				t.Errorf("%q: %q is there: %v, of %q", c.input, name, !absent, got[:min(len(got), 20)])
			}
			positive = positive || want != "" && !absent
		}
		if positive && start != c.start {
			t.Errorf("%q: from %d, want %d", c.input, start, c.start)
		}
		if !slices.IsSortedFunc(got, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }) {
			t.Errorf("%q: not sorted: %q", c.input, got)
		}
	}
}

func TestSuggestAnswersInUTF16Units(t *testing.T) {
	s := newScript()
	src := ConsoleSource(nil, Place{Dimension: "minecraft:overworld"})
	a := s.d.Suggest(src, &protocol.CommandSuggestion{TransactionID: 7, Text: "/kill @e[name=\"\U0001F600é\",ty"})
	// The smiley is two units, é one.
	if a.TransactionID != 7 || a.Start != 20 || a.Length != 2 || a.Matches[0].Match != "type=" || !a.Matches[0].Tooltip.Present {
		t.Errorf("%+v", a)
	}
}

func TestSuggestIgnoresLongTexts(t *testing.T) {
	s := newScript()
	src := ConsoleSource(nil, Place{Dimension: "minecraft:overworld"})
	if a := s.d.Suggest(src, &protocol.CommandSuggestion{Text: "/" + strings.Repeat(" ", MaxSuggest)}); len(a.Matches) > 0 {
		t.Errorf("%+v", a)
	}
}
