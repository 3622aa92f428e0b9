package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"strata/bench/testbed"
	"strata/cmd/internal/gamedata"
)

func TestCommittedFilesAreThoseGenerated(t *testing.T) {
	files, err := generate()
	if errors.Is(err, gamedata.ErrAbsent) {
		testbed.SkipOrFail(t, "game data: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", "..", "..", "server", "protocol", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale: run go generate ./server/protocol", name)
		}
	}
}

func TestAPatchWithoutItsPlaceIsAnError(t *testing.T) {
	s := &schema{types: map[string]node{
		"T": []any{"container", []any{map[string]any{"name": "a", "type": "varint"}}},
	}}
	for _, place := range []string{"T/b", "T/a/b", "T/+b", "U/a", "play/clientbound/none/a"} {
		if err := s.replace(place, "u8"); err == nil {
			t.Errorf("a patch at %s found its place", place)
		}
	}
	if err := s.replace("T/a", "u8"); err != nil {
		t.Error(err)
	}
	if got := jsonOf(s.types["T"]); got != `["container",[{"name":"a","type":"u8"}]]` {
		t.Errorf("patched type is %s", got)
	}
}

func TestNamesAreWordsInTheGameTerms(t *testing.T) {
	for name, want := range map[string]string{
		"move_entity_pos_rot": "MoveEntityPosRot", "debug/block_value": "DebugBlockValue", "entityId": "EntityID",
		"sessionUUID": "SessionUUID", "window_id": "WindowID", "ids": "IDs",
	} {
		if got := camel(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := snake("SessionUUID"); got != "session_uuid" {
		t.Errorf("snake: %s", got)
	}
}
