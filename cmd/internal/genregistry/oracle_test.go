package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/anvil/block"
	"strata/anvil/registry"
	"strata/bench/testbed"
	"strata/cmd/internal/gamedata"
	"strata/nbt"
)

// These tests read the sources again, by means of encoding/json alone, and
// compare them with what the package says.

func decode[T any](t *testing.T, data []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// versions calls fn for each version with its files.
func versions(t *testing.T, fn func(t *testing.T, v registry.Version, rel *release)) {
	in := readSources(t)
	for i, v := range registry.Versions() {
		t.Run(v.String(), func(t *testing.T) { fn(t, v, in.releases[i]) })
	}
}

func TestEveryNumberIsThatOfTheReport(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		type entry struct {
			ID int32 `json:"protocol_id"`
		}
		report := decode[map[string]struct {
			Default string
			Entries map[string]entry
		}](t, rel.reports["registries.json"])
		if len(report) != 95 {
			t.Errorf("%d registries", len(report))
		}
		for key, want := range report {
			r := registry.Of(key, v)
			if r.Len() != len(want.Entries) || r.Kind() != registry.Fixed {
				t.Errorf("%s has %d entries, want %d", key, r.Len(), len(want.Entries))
			}
			for name, e := range want.Entries {
				if id, ok := r.ID(name); !ok || id != e.ID {
					t.Errorf("%s of %s is %d, %v; want %d", name, key, id, ok, e.ID)
				}
				if got, _ := r.Name(e.ID); got != name {
					t.Errorf("%d of %s is %s, want %s", e.ID, key, got, name)
				}
			}
			id, _ := r.Default()
			if name, _ := r.Name(id); want.Default != "" && name != want.Default {
				t.Errorf("default of %s is %s, want %s", key, name, want.Default)
			}
		}
	})
}

func TestPacketsAreThoseOfTheLists(t *testing.T) {
	src, err := gamedata.Open(".")
	if err != nil {
		testbed.SkipOrFail(t, "game data: %v", err)
	}
	data, err := src.File(filePackets)
	if err != nil {
		testbed.SkipOrFail(t, "game data: %v", err)
	}
	list := decode[map[string]map[string]map[string]map[string]int32](t, data)
	total := 0
	for protocol, states := range list {
		var number int
		fmt.Sscan(protocol, &number)
		p := registry.PacketsOf(number)
		for s := registry.Handshake; s <= registry.Play; s++ {
			for d := registry.Clientbound; d <= registry.Serverbound; d++ {
				want := states[s.String()][d.String()]
				if p.Len(s, d) != len(want) {
					t.Errorf("%s has %d packets of %v %v, want %d", protocol, p.Len(s, d), s, d, len(want))
				}
				for name, id := range want {
					total++
					if got, ok := p.ID(s, d, name); !ok || got != id {
						t.Errorf("%s %v %v %s is %d, want %d", protocol, s, d, name, got, id)
					}
				}
			}
		}
	}
	if len(list) != 3 || total < 3*250 {
		t.Errorf("%d packets of %d protocols", total, len(list))
	}
}

// TestSyncedEntriesAreThoseOfTheServer compares the values of 26.1 with the
// login packet of minecraft-data, tag by tag and in order.
func TestSyncedEntriesAreThoseOfTheServer(t *testing.T) {
	login := readSources(t).login.get("dimensionCodec")
	list := registry.SyncedRegistries(registry.V26_1)
	if len(list) != 28 || len(login.members) != 28 {
		t.Fatalf("%d registries, the server sends %d", len(list), len(login.members))
	}
	entries := 0
	for i, want := range login.members {
		if list[i].ID != want.name {
			t.Errorf("registry %d is %s, want %s", i, list[i].ID, want.name)
		}
		for k, e := range want.value.get("entries").items {
			entries++
			got := list[i].Entries[k]
			if got.ID != e.get("key").str() {
				t.Errorf("entry %d of %s is %s, want %s", k, want.name, got.ID, e.get("key").str())
			}
			var tape nbt.Tape
			if err := tape.ParseNetwork(got.NBT); err != nil {
				t.Fatalf("%s: %v", got.ID, err)
			}
			if diff := cmp.Diff(printNode(e.get("value").get("type").str(), e.get("value").get("value")), printTag(tape.Root())); diff != "" {
				t.Errorf("%s of %s: %s", got.ID, want.name, diff)
			}
		}
	}
	if entries != 382 {
		t.Errorf("%d entries, want 382", entries)
	}
}

// printTag writes a tag with its type, members in order.
func printTag(tag nbt.Tag) string {
	var b strings.Builder
	switch tag.Type() {
	case nbt.TypeCompound:
		b.WriteString("{")
		for name, value := range tag.Members() {
			fmt.Fprintf(&b, "%s: %s, ", name, printTag(value))
		}
		b.WriteString("}")
	case nbt.TypeList:
		b.WriteString("[")
		for _, value := range tag.Elements() {
			b.WriteString(printTag(value) + ", ")
		}
		b.WriteString("]")
	case nbt.TypeIntArray:
		ints, _ := tag.IntArray()
		b.WriteString("ints ")
		for i := range ints.Len() {
			fmt.Fprintf(&b, "%d ", ints.At(i))
		}
	case nbt.TypeString:
		text, _ := tag.Text()
		fmt.Fprintf(&b, "%q", text)
	default:
		value, _ := tag.Float()
		fmt.Fprintf(&b, "%v %v", tag.Type(), value)
	}
	return b.String()
}

// printNode writes a value of the login packet as printTag does.
func printNode(kind string, n *node) string {
	var b strings.Builder
	switch kind {
	case "compound":
		b.WriteString("{")
		for _, m := range n.members {
			fmt.Fprintf(&b, "%s: %s, ", m.name, printNode(m.value.get("type").str(), m.value.get("value")))
		}
		b.WriteString("}")
	case "list":
		b.WriteString("[")
		for _, item := range n.get("value").items {
			b.WriteString(printNode(n.get("type").str(), item) + ", ")
		}
		b.WriteString("]")
	case "intArray":
		b.WriteString("ints ")
		for _, item := range n.items {
			b.WriteString(item.text + " ")
		}
	case "string":
		fmt.Fprintf(&b, "%q", n.text)
	default:
		fmt.Fprintf(&b, "%s %v", kind, n.num())
	}
	return b.String()
}

func TestEntriesThatDidNotChangeHaveTheSameBytes(t *testing.T) {
	in := readSources(t)
	older := map[string][]byte{}
	for _, r := range registry.SyncedRegistries(registry.V26_1) {
		for _, e := range r.Entries {
			older[r.ID+" "+e.ID] = e.NBT
		}
	}
	same, changed, added := 0, 0, 0
	for _, r := range registry.SyncedRegistries(registry.V26_2) {
		for _, e := range r.Entries {
			old, ok := older[r.ID+" "+e.ID]
			file := path.Join(bare(r.ID), bare(e.ID)) + ".json"
			switch {
			case !ok:
				added++
			case cmp.Equal(decode[any](t, in.releases[0].pack[file]), decode[any](t, in.releases[1].pack[file])):
				same++
				if string(old) != string(e.NBT) {
					t.Errorf("%s of %s differs, its JSON does not", e.ID, r.ID)
				}
			default:
				changed++
			}
		}
	}
	if same != 370 || changed != 12 || added != 15 {
		t.Errorf("%d entries are the same, %d changed, %d new", same, changed, added)
	}
}

// TestSyncedAndServerFieldsAreTheDataPack: what is sent and what is kept make
// up the file, apart from the fields that are elsewhere.
func TestSyncedAndServerFieldsAreTheDataPack(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		for _, r := range registry.SyncedRegistries(v) {
			for id, e := range r.Entries {
				file := decode[map[string]any](t, rel.pack[path.Join(bare(r.ID), bare(e.ID))+".json"])
				for _, field := range elsewhere {
					if name, ok := strings.CutPrefix(field, bare(r.ID)+"/"); ok {
						delete(file, name)
					}
				}
				var tape nbt.Tape
				if err := tape.ParseNetwork(e.NBT); err != nil {
					t.Fatal(err)
				}
				got := plainTag(tape.Root())
				if kept := registry.ServerFields(r.ID, v, int32(id)); kept != nil {
					if err := tape.ParseNetwork(kept); err != nil {
						t.Fatal(err)
					}
					merge(got.(map[string]any), plainTag(tape.Root()).(map[string]any))
				}
				if diff := cmp.Diff(plain(file), got, nearFloats); diff != "" {
					t.Errorf("%s of %s: %s", e.ID, r.ID, diff)
				}
			}
		}
	})
}

// merge adds the members of b to a, at any depth.
func merge(a, b map[string]any) {
	for name, value := range b {
		inner, ok := a[name].(map[string]any)
		if more, both := value.(map[string]any); ok && both {
			merge(inner, more)
			continue
		}
		a[name] = value
	}
}

// nearFloats takes a float for the double it was made from.
var nearFloats = cmp.Comparer(func(a, b float64) bool { return a == b || float32(a) == float32(b) })

// plainTag turns a tag into what encoding/json makes of JSON, booleans as
// numbers.
func plainTag(tag nbt.Tag) any {
	switch tag.Type() {
	case nbt.TypeCompound:
		all := map[string]any{}
		for name, value := range tag.Members() {
			all[string(name)] = plainTag(value)
		}
		return all
	case nbt.TypeList:
		list := []any{}
		for _, value := range tag.Elements() {
			list = append(list, plainTag(value))
		}
		return list
	case nbt.TypeIntArray:
		list := []any{}
		ints, _ := tag.IntArray()
		for i := range ints.Len() {
			list = append(list, float64(ints.At(i)))
		}
		return list
	case nbt.TypeString:
		text, _ := tag.Text()
		return text
	}
	value, _ := tag.Float()
	return value
}

// plain turns booleans of JSON into numbers.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = plain(value)
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case bool:
		if v {
			return 1.0
		}
		return 0.0
	}
	return v
}

func TestItemComponentsAreThoseOfTheReport(t *testing.T) {
	versions(t, func(t *testing.T, v registry.Version, rel *release) {
		fuels := decode[map[string]int32](t, rel.extracted["fuels.json"])
		compost := decode[map[string]float64](t, rel.extracted["composter_increase_chance.json"])
		for _, item := range registry.Items(v) {
			report := decode[struct{ Components map[string]any }](t, rel.reports["minecraft/components/item/"+bare(item.Name)+".json"])
			got := map[string]any{}
			for c := range item.Components() {
				var tape nbt.Tape
				if err := tape.ParseNetwork(append([]byte{byte(c.Value.Type)}, c.Value.Data...)); err != nil {
					t.Fatal(err)
				}
				got[c.Name] = plainTag(tape.Root())
			}
			if diff := cmp.Diff(plain(report.Components), got, nearFloats); diff != "" {
				t.Errorf("%s: %s", item.Name, diff)
			}
			number := fmt.Sprint(item.ID)
			if item.FuelTicks != fuels[number] || math.Abs(float64(item.CompostPercent)-100*compost[number]) > 0.001 {
				t.Errorf("%s burns %d ticks, composts %d %%", item.Name, item.FuelTicks, item.CompostPercent)
			}
			delete(fuels, number)
			delete(compost, number)
		}
		if len(fuels)+len(compost) != 0 {
			t.Errorf("left over: %v %v", fuels, compost)
		}
	})
}

func TestSubstitutesOfBlocksAreThoseOfStates(t *testing.T) {
	older := block.ForProtocol(registry.V26_1.Protocol())
	translation := registry.Translate("block", registry.V26_2, registry.V26_1)
	for id, name := range registry.Of("block", registry.V26_2).All() {
		want := int32(older.BlockID(block.ID(id)))
		if got, _ := translation.Nearest(id); got != want {
			t.Errorf("%s becomes block %d, its states %d", name, got, want)
		}
	}
}
