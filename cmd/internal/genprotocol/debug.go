package main

import "fmt"

// debugUpdate makes three fields of a debug update: its type, whether there is
// a value, and that. The schema has the latter two in an option of a choice.
func (s *schema) debugUpdate() error {
	fields := list(list(s.types["DebugSubscriptionUpdate"])[1])
	if len(fields) != 2 {
		return fmt.Errorf("%d fields of a debug update", len(fields))
	}
	_, outer := constructor(object(fields[1])["type"])
	inner := list(list(object(outer)["default"])[1])
	_, choice := constructor(object(inner[0])["type"])
	s.types["DebugSubscriptionUpdate"] = []any{"container", []any{
		fields[0],
		map[string]any{"name": "present", "type": []any{"switch", map[string]any{
			"compareTo": "type", "fields": map[string]any{"DedicatedServerTickTime": "void"}, "default": "bool",
		}}},
		map[string]any{"name": "value", "type": []any{"switch", map[string]any{
			"compareTo": "present", "fields": map[string]any{"true": choice}, "default": "void",
		}}},
	}}
	return nil
}
