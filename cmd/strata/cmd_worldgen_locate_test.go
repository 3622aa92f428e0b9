package main

import (
	"encoding/json"
	"strings"
	"testing"

	"strata/cmd/internal/ui"
)

func TestLocateStructuresAndBiomes(t *testing.T) {
	if testing.Short() {
		t.Skip("searches a world")
	}
	locate := func(args ...string) (ui.Code, map[string]any, string) {
		code, out, errText := runPlain(t, append([]string{"worldgen", "locate", "--json", "--seed", "6854583389113976052"}, args...)...)
		var answer map[string]any
		if code == ui.OK {
			if err := json.Unmarshal([]byte(out), &answer); err != nil {
				t.Fatal(err)
			}
		}
		return code, answer, errText
	}
	code, portal, errText := locate("#ruined_portal", "--from", "-1696,64,4016")
	if code != ui.OK || portal["structure"] != "minecraft:ruined_portal_mountain" || portal["distance"] != 0.0 || portal["y"] != nil {
		t.Errorf("a portal that is known: exit %d, %v: %s", code, portal, errText)
	}
	// The dimension is the one that has them.
	for name, dimension := range map[string]string{"fortress": "the_nether", "end_city": "the_end", "crimson_forest": "the_nether", "minecraft:stronghold": "overworld"} {
		if code, answer, errText := locate(name); code != ui.OK || answer["dimension"] != "minecraft:"+dimension {
			t.Errorf("%s: exit %d, %v: %s", name, code, answer, errText)
		}
	}
	for _, args := range [][]string{{"nothing"}, {"#nothing"}, {"fortress", "--dimension", "overworld"}} {
		if code, _, errText := locate(args...); code != ui.Usage || !strings.Contains(errText, "nothing") && !strings.Contains(errText, "fortress") {
			t.Errorf("%v: exit %d: %s", args, code, errText)
		}
	}
}
