package item

import (
	"bytes"
	"testing"

	"strata/anvil/registry"
	"strata/nbt"
	"strata/nbt/snbt"
	"strata/server/protocol"
)

func fromText(t testing.TB, text string) nbt.Raw {
	t.Helper()
	raw, err := snbt.Parse(text, nbt.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func stack(t testing.TB, text string) Stack {
	t.Helper()
	s, err := Parse(fromText(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var odd = []string{
	`{id:"minecraft:diamond_sword",count:1,components:{"minecraft:damage":3,"minecraft:enchantments":{"minecraft:sharpness":5},"!minecraft:lore":{}}}`,
	`{id:"other:thing",count:7,components:{"other:part":[1b,2b],"minecraft:can_break":{blocks:"#x"}},later:{a:1L}}`,
	`{id:"minecraft:sulfur",count:64,components:{"minecraft:custom_name":"mine"}}`,
	`{id:"minecraft:chest",count:2,components:{"minecraft:container":[{slot:3,item:{id:"minecraft:sulfur",count:5}}]}}`,
	`{id:"minecraft:stone",count:1,components:{"minecraft:can_place_on":{blocks:"minecraft:dirt"},"minecraft:custom_data":{mine:1b}}}`,
	`{id:"minecraft:paper",count:3,components:{"minecraft:nobody_knows":{x:1.5d}}}`,
}

func TestUnknownThingsSurviveFiles(t *testing.T) {
	for _, text := range odd {
		raw := fromText(t, text)
		s := stack(t, text)
		if got := s.NBT(); !bytes.Equal(got.Data, raw.Data) {
			t.Errorf("%s came back as %v", text, generic(got))
		}
	}
	list := fromText(t, `[{Slot:-2b,id:"minecraft:dirt",count:3},{Slot:1b,broken:1},{id:"no slot",count:1},{Slot:5b,id:"other:thing",count:2}]`)
	slots, err := ParseSlots(list)
	if err != nil {
		t.Fatal(err)
	}
	if got := SlotsNBT(slots); !bytes.Equal(got.Data, list.Data) {
		t.Errorf("slots came back as %v", generic(got))
	}
	if slots[0].Number != 254 || slots[0].Stack.Count != 3 || !slots[1].Stack.Empty() {
		t.Errorf("slots %+v", slots)
	}
}

func TestDamagedStacksAreErrors(t *testing.T) {
	for _, text := range []string{`{count:1}`, `{id:5}`, `{id:"a",count:100}`, `{id:"a",count:-1}`, `{id:"a",components:1}`, `5`} {
		if s, err := Parse(fromText(t, text)); err == nil {
			t.Errorf("%s is %+v", text, s)
		}
	}
}

func TestSameCountsTheItemsOwnComponents(t *testing.T) {
	plain := Named("diamond_sword", 1)
	for _, c := range []struct {
		a, b Stack
		same bool
	}{
		{plain, plain.WithInt("damage", 0), true},
		{plain, stack(t, `{id:"diamond_sword",components:{"minecraft:damage":0}}`), true},
		{plain, plain.WithInt("damage", 1), false},
		{plain.WithInt("damage", 1), plain.WithInt("damage", 1), true},
		{plain, plain.Without("rarity"), false},
		{plain.Without("rarity").Reset("rarity"), plain, true},
		{stack(t, odd[1]), stack(t, odd[1]), true},
		{Named("a:b", 1), Named("a:c", 1), false},
		{stack(t, `{id:"dirt",components:{custom_data:{a:1,b:2}}}`), stack(t, `{id:"dirt",components:{custom_data:{b:2,a:1}}}`), true},
	} {
		if c.a.Same(c.b) != c.same || c.b.Same(c.a) != c.same {
			t.Errorf("%v and %v: want %v", generic(c.a.NBT()), generic(c.b.NBT()), c.same)
		}
	}
	if plain.MaxSize() != 1 || Named("dirt", 1).MaxSize() != 64 || Named("dirt", 1).WithInt("max_stack_size", 99).MaxSize() != 99 {
		t.Error("wrong sizes")
	}
}

// untrusted is what a client in creative mode makes of what it is shown. The
// members of custom data come in another order.
func untrusted(t testing.TB, w protocol.ItemStack, v registry.Version) protocol.UntrustedItem {
	t.Helper()
	u := protocol.UntrustedItem{Count: w.Count, ID: w.ID, Removed: w.Patch.Removed}
	for i := range w.Patch.Added {
		raw, err := protocol.RawComponentOf(&w.Patch.Added[i], v)
		if err != nil {
			t.Fatal(err)
		}
		u.Added = append(u.Added, raw)
	}
	return u
}

func TestCreativeClientsGiveBackWhatIsReal(t *testing.T) {
	for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
		for _, text := range odd {
			s := stack(t, text)
			w := Wire(s, v)
			if w.Count != s.Count {
				t.Fatalf("%v: %s is shown as %+v", v, text, w)
			}
			got, err := FromCreative(untrusted(t, w, v), v)
			if err != nil || !got.Equal(s) {
				t.Errorf("%v: %s came back as %v, %v", v, text, generic(got.NBT()), err)
			}
			if !Matches(Hashed(s, v), s, v) {
				t.Errorf("%v: %s has not its own hash", v, text)
			}
		}
	}
}

func TestWhatIsRealCannotBeMadeUp(t *testing.T) {
	forged := append(make([]byte, sealBytes), Named("command_block", 1).NBT().Data...)
	s := Named("dirt", 1).With("custom_data", rawOf(nbt.Compound{{Name: realKey, Value: forged}}))
	got, err := FromCreative(untrusted(t, Wire(s, registry.V26_2), registry.V26_2), registry.V26_2)
	if err != nil || !got.Equal(Named("dirt", 1)) {
		t.Errorf("%v, %v", generic(got.NBT()), err)
	}
}

// Each item of 26.2 is shown to both versions, by itself, and comes back.
func TestEveryItemIsShown(t *testing.T) {
	for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
		for i := range registry.Items(registry.Native) {
			s := New(int32(i), 1)
			if s.Empty() {
				continue
			}
			w := Wire(s, v)
			var buf protocol.Writer
			if err := protocol.Encode(&buf, v, &protocol.SetCursorItem{Contents: w}); err != nil {
				t.Fatalf("%v: %s: %v", v, s.Name(), err)
			}
			if got, err := FromCreative(untrusted(t, w, v), v); err != nil || !got.Equal(s) {
				t.Errorf("%v: %s came back as %s, %v", v, s.Name(), got.Name(), err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range odd {
		f.Add(fromText(f, text).Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(nbt.Raw{Type: nbt.TypeCompound, Data: data})
		if err != nil || s.Empty() {
			return
		}
		again, err := Parse(s.NBT())
		if err != nil || !again.Equal(s) {
			t.Fatalf("%v came back as %v, %v", generic(s.NBT()), generic(again.NBT()), err)
		}
		for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
			var buf protocol.Writer
			if err := protocol.Encode(&buf, v, &protocol.SetCursorItem{Contents: Wire(s, v)}); err != nil {
				t.Fatalf("%v is not sent: %v", generic(s.NBT()), err)
			}
			Hashed(s, v)
		}
		s.MaxSize()
	})
}

func FuzzFromCreative(f *testing.F) {
	for _, text := range odd {
		var buf protocol.Writer
		w := Wire(stack(f, text), registry.V26_2)
		if err := protocol.Encode(&buf, registry.V26_2, &protocol.SetCreativeModeSlot{Slot: 1, Item: untrusted(f, w, registry.V26_2)}); err != nil {
			f.Fatal(err)
		}
		f.Add(buf.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
			var p protocol.SetCreativeModeSlot
			if protocol.Decode(protocol.NewReader(data), v, &p) != nil {
				continue
			}
			s, err := FromCreative(p.Item, v)
			if err != nil || s.Empty() {
				continue
			}
			if s.Count > s.MaxSize() || len(s.NBT().Data) > maxCreative {
				t.Fatalf("%d of %s", s.Count, s.Name())
			}
			if again, err := Parse(s.NBT()); err != nil || !again.Equal(s) {
				t.Fatalf("%v came back as %v, %v", generic(s.NBT()), generic(again.NBT()), err)
			}
			Wire(s, v)
		}
	})
}
