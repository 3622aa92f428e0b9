package server

import (
	"strings"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/store"
	"strata/region"
)

func TestAnAreaIsGeneratedByCommand(t *testing.T) {
	s, stop := start(t)
	say := func(line string) string {
		t.Helper()
		said, err := s.Remote(t.Context(), line, false)
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
	if said := say("pregen status"); said != "No area is being generated" {
		t.Errorf("before: %q", said)
	}
	if said := say("pregen stop"); !strings.Contains(said, errNoArea.Error()) {
		t.Errorf("stopping nothing: %q", said)
	}
	say("execute in minecraft:the_nether positioned 400 64 400 run pregen start 3")
	for end := time.Now().Add(time.Minute); !strings.Contains(say("pregen status"), "done"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(say("pregen status"))
		}
	}
	if said := say("pregen status"); !strings.Contains(said, "minecraft:the_nether: 49 of 49 chunks, 49 new") {
		t.Errorf("afterwards: %q", said)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	w, err := anvil.Open(s.options.World, anvil.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	parts, err := store.WorldOf(w, dimensionIDs...)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.OpenRead(parts, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	hold, err := st.Load(t.Context(), 1, region.ChunkPos{X: 25 + 3, Z: 25 - 3}, store.Normal)
	if err != nil {
		t.Fatal(err)
	}
	hold.Release()
}
