package saved

import (
	"strata/anvil/registry"
)

// rulesContent are the rules that a file has, and those that are not as in a new
// world.
func rulesContent(f *file, rules map[string]int32) map[string]any {
	content := map[string]any{}
	for _, r := range registry.GameRules(registry.V26_2) {
		v := rules[r.Name]
		has := f.doc != nil && f.doc.Content().Get(r.Name).Exists()
		switch {
		case !has && v == r.Default:
		case r.Bool:
			content[r.Name] = v != 0
		default:
			content[r.Name] = v
		}
	}
	return content
}

// clocksContent are all clocks. What is as usual is left out where a file does not
// have it.
func clocksContent(f *file, clocks map[string]Clock) map[string]any {
	content := map[string]any{}
	for id, c := range clocks {
		members := map[string]any{"total_ticks": c.Ticks}
		has := func(name string) bool { return f.doc != nil && f.doc.Content().Get(id).Get(name).Exists() }
		if c.Rate != 1 || has("rate") {
			members["rate"] = c.Rate
		}
		if c.Paused || has("paused") {
			members["paused"] = c.Paused
		}
		content[id] = members
	}
	return content
}
