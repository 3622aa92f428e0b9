package inventory

import (
	"errors"
	"testing"

	"strata/anvil/registry"
	"strata/server/item"
)

func TestCloseGivesBackGridAndCursor(t *testing.T) {
	p := &Player{}
	w, err := Open(1, Crafting, nil, p, registry.V26_2)
	if err != nil {
		t.Fatal(err)
	}
	w.put(&w.slots[1], item.Named("oak_log", 3))
	w.SetCursor(item.Named("dirt", 2))
	if homeless := w.Close(); len(homeless) != 0 {
		t.Errorf("%v found no place", homeless)
	}
	is(t, p.Get(0), "dirt", 2)
	is(t, p.Get(1), "oak_log", 3)
	is(t, w.Get(0), "", 0)
	for i := range StorageSize {
		p.Set(i, item.Named("saddle", 1))
	}
	w.SetCursor(item.Named("dirt", 2))
	if homeless := w.Close(); len(homeless) != 1 || homeless[0].Count != 2 {
		t.Errorf("a full player leaves %v", homeless)
	}
}

// What changed in a chest's window is known to the client when it is closed;
// what changed beside it is not.
func TestOwnWindowInheritsWhatTheClientBelieves(t *testing.T) {
	p := &Player{}
	own := OwnWindow(p, registry.V26_2)
	own.Sync()
	w, err := Open(1, Generic9x1, make(Items, 9), p, registry.V26_2)
	if err != nil {
		t.Fatal(err)
	}
	p.Set(4, item.Named("dirt", 1))
	w.Sync()
	p.Set(Head, item.Named("carved_pumpkin", 1))
	own.Inherit(w)
	if packets := own.Sync(); len(packets) != 1 {
		t.Errorf("sent %v", packets)
	}
}

func TestTwoPlayersSeeOneChest(t *testing.T) {
	chest := make(Items, 27)
	var windows []*Window
	for range 2 {
		w, err := Open(1, Generic9x3, chest, &Player{}, registry.V26_2)
		if err != nil {
			t.Fatal(err)
		}
		w.Sync()
		windows = append(windows, w)
	}
	chest[5] = item.Named("dirt", 9)
	do(windows[0], modePickup, 5, 0)
	do(windows[1], modePickup, 5, 0)
	is(t, windows[0].Cursor(), "dirt", 9)
	is(t, windows[1].Cursor(), "", 0)
}

func TestContainersOfAnotherSizeAreNotOpened(t *testing.T) {
	for kind := Own; kind <= Crafting+1; kind++ {
		if _, err := Open(1, kind, make(Items, 7), &Player{}, registry.V26_2); (err == nil) != (kind == Crafting) {
			t.Errorf("kind %d: %v", kind, err)
		} else if err != nil && !errors.Is(err, ErrSize) {
			t.Error(err)
		}
	}
	if _, err := Open(1, Hopper, nil, &Player{}, registry.V26_2); !errors.Is(err, ErrSize) {
		t.Errorf("nil container: %v", err)
	}
}

func TestKindsHaveNumbersInBothVersions(t *testing.T) {
	for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
		for kind := Generic9x1; kind <= Crafting; kind++ {
			if _, ok := kind.Menu(v); !ok {
				t.Errorf("%v: kind %d has no menu", v, kind)
			}
		}
	}
}
