package protocol

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"strata/anvil/registry"
)

func TestDamagedPacketsAreErrorsWithTheirPlace(t *testing.T) {
	for _, c := range []struct {
		name   string
		packet Packet
		body   string
		want   error
		field  string
		offset int
	}{
		{"ends early", &KeepAlive{}, "0000", ErrTruncated, "keep_alive.id", 0},
		{"bytes left", &KeepAlive{}, zeros(9), ErrTrailing, "", 8},
		{"long number", &SelectTrade{}, "ffffffffff01", ErrVarInt, "select_trade.slot", 0},
		{"truth value", &LockDifficulty{}, "02", ErrEncoding, "lock_difficulty.locked", 1},
		{"not UTF-8", &RenameItem{}, "02c328", ErrEncoding, "rename_item.name", 3},
		{"long name", &HelloServerbound{}, `"seventeen letters"` + zeros(16), ErrTooLong, "hello.username", 18},
		{"text claims gigabytes", &RenameItem{}, "ffffffff07", ErrTooLong, "rename_item.name", 5},
		{"negative text", &RenameItem{}, "ffffffff0f", ErrTooLong, "rename_item.name", 5},
		{"list claims more than is left", &EditBook{}, "00 05 00 00", ErrTruncated, "edit_book.pages", 2},
		{"list over its limit", &EditBook{}, "00 65" + zeros(101), ErrTooLong, "edit_book.pages", 2},
		{"negative list", &EditBook{}, "00 ffffffff0f", ErrTooLong, "edit_book.pages", 6},
		{"enumeration", &OpenBook{}, "02", ErrRange, "open_book.hand", 1},
		{"no NBT", &SystemChat{}, "0f 00", ErrNBT, "system_chat.content", 0},
		{"NBT that is none", &SystemChat{}, "00 00", ErrNBT, "system_chat.content", 0},
		{"too many components", &SetCursorItem{}, "01 01 8102 00" + zeros(300), ErrTooLong, "set_cursor_item.contents.added", 4},
		{"unknown component", &SetCursorItem{}, "01 01 01 00 6f", ErrRange, "set_cursor_item.contents.added[0].type", 5},
		{"in a list", &ContainerSetContent{}, "00 00 02 00 01 01 01 00 03 ff", ErrTruncated, "container_set_content.items[1].added[0].data.value", 9},
		{"endless metadata", &SetEntityData{}, "01" + strings.Repeat("000000", 300), ErrTooLong, "set_entity_data.metadata[254]", 767},
		{"holder set without name", &SetCursorItem{}, "01 01 01 00 21 00 00", ErrRange, "set_cursor_item.contents.added[0].data.items.tag", 7},
		{"command node", &Commands{}, "01 03 00", ErrRange, "commands.nodes[0].flags", 2},
		{"deep recipe", &PlaceGhostRecipe{}, "00 03" + strings.Repeat("0a01", 200), ErrTooDeep, "", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Decode(NewReader(unhex(t, c.body)), registry.V26_1, c.packet)
			var field *FieldError
			if !errors.Is(err, c.want) || !errors.As(err, &field) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if c.offset >= 0 && (field.Field != c.field || field.Offset != c.offset) {
				t.Errorf("got %v, want it at %q, byte %d", err, c.field, c.offset)
			}
		})
	}
}

func TestPacketsThatContradictThemselvesAreNotEncoded(t *testing.T) {
	long := strings.Repeat("x", MaxString+1)
	for _, c := range []struct {
		name   string
		packet Packet
		want   error
	}{
		{"long text", &RenameItem{Name: long}, ErrTooLong},
		{"not UTF-8", &RenameItem{Name: "\xff"}, ErrEncoding},
		{"long list", &EditBook{Pages: make([]string, 101)}, ErrTooLong},
		{"enumeration", &OpenBook{Hand: 2}, ErrRange},
		{"negative enumeration", &OpenBook{Hand: -1}, ErrRange},
		{"no text", &SystemChat{}, ErrNBT},
		{"far block", &BlockUpdate{Pos: BlockPos{X: 1 << 25}}, ErrRange},
		{"value of another kind", &SetCursorItem{Contents: ItemStack{Count: 1, Patch: ComponentPatch{
			Added: []Component{{ComponentLore, &VarIntValue{}}},
		}}}, ErrMismatch},
		{"missing value", &SetCursorItem{Contents: ItemStack{Count: 1, Patch: ComponentPatch{
			Added: []Component{{ComponentLore, nil}},
		}}}, ErrMismatch},
		{"value of a kind without", &SetCursorItem{Contents: ItemStack{Count: 1, Patch: ComponentPatch{
			Added: []Component{{ComponentUnbreakable, &VarIntValue{}}},
		}}}, ErrMismatch},
		{"tag and list", &UpdateRecipes{Stonecutter: []StonecutterRecipe{{Input: HolderSet{Tag: "a:b", IDs: []int32{1}}}}}, ErrMismatch},
		{"no equipment", &SetEquipment{}, ErrRange},
		{"metadata index", &SetEntityData{Metadata: Metadata{{Index: 255}}}, ErrRange},
	} {
		t.Run(c.name, func(t *testing.T) {
			var w Writer
			if err := Encode(&w, registry.V26_1, c.packet); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestPacketsOfOtherStatesAndVersionsAreRefused(t *testing.T) {
	var w Writer
	if err := EncodePacket(&w, registry.V26_1, registry.Login, registry.Clientbound, &SystemChat{}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("system_chat in the login state: %v", err)
	}
	w.Reset()
	if err := Encode(&w, 0, &KeepAlive{}); !errors.Is(err, ErrUnsupported) {
		t.Errorf("no version: %v", err)
	}
	for _, frame := range [][]byte{{6}, {0xff, 0xff, 0xff, 0xff, 0x0f}, {0xff, 0xff, 0xff, 0xff, 0x07}} {
		if _, err := DecodePacket(NewReader(frame), registry.V26_1, registry.Login, registry.Clientbound); !errors.Is(err, ErrUnsupported) {
			t.Errorf("packet % x: %v", frame, err)
		}
	}
}

func TestPayloadsHaveALimitForEachDirection(t *testing.T) {
	large := &CustomPayload{Channel: "a:b", Data: make([]byte, MaxServerPayload+1)}
	for _, c := range []struct {
		direction registry.Direction
		want      error
	}{{registry.Serverbound, ErrTooLong}, {registry.Clientbound, nil}} {
		var w Writer
		if err := EncodePacket(&w, registry.V26_1, registry.Play, c.direction, large); !errors.Is(err, c.want) {
			t.Errorf("encode, %v: %v", c.direction, err)
		}
		id, _ := ID(registry.Play, c.direction, large)
		frame := append(AppendVarInt(nil, id), append([]byte("\x03a:b"), large.Data...)...)
		if _, err := DecodePacket(NewReader(frame), registry.V26_1, registry.Play, c.direction); !errors.Is(err, c.want) {
			t.Errorf("decode, %v: %v", c.direction, err)
		}
	}
}

func TestPositionsAndVelocitiesHaveTheBytesOfTheGame(t *testing.T) {
	var w Writer
	if err := Encode(&w, registry.V26_1, &BlockUpdate{Pos: BlockPos{-1, -60, 5}}); err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%x", w.Bytes()), "ffffffc000005fc400"; got != want {
		t.Errorf("block -1 -60 5: %s, want %s", got, want)
	}
	for _, c := range []struct {
		v    Velocity
		want int // bytes
	}{{Velocity{}, 1}, {Velocity{0.1, -0.2, 0.3}, 6}, {Velocity{3.9, 0, 0}, 7}, {Velocity{-20, 5.5, 0.25}, 7}, {Velocity{1e-6, 0, 0}, 1}} {
		w.Reset()
		w.velocity(c.v)
		if w.Len() != c.want {
			t.Errorf("%v: % x, want %d bytes", c.v, w.Bytes(), c.want)
		}
		r := NewReader(w.Bytes())
		got := r.velocity("")
		scale := max(1, -c.v.X, c.v.X, c.v.Y)
		for _, d := range []float64{got.X - c.v.X, got.Y - c.v.Y, got.Z - c.v.Z} {
			if d > scale/velocitySteps*1.1 || d < -scale/velocitySteps*1.1 {
				t.Errorf("%v became %v", c.v, got)
			}
		}
		if err := r.End(); err != nil {
			t.Error(err)
		}
	}
}

func TestWritingAllocatesNothingInSteadyState(t *testing.T) {
	packets := []Packet{
		&KeepAlive{ID: 5}, &MoveEntityPosRot{EntityID: 7}, &SetEntityMotion{Velocity: Velocity{1, 2, 3}},
		&LevelChunkWithLight{ChunkData: make([]byte, 16000), Light: Light{Sky: [][]byte{make([]byte, 2048)}}},
		&ContainerSetContent{Items: []ItemStack{{Count: 1, Patch: ComponentPatch{Added: []Component{{ComponentDamage, &VarIntValue{4}}}}}}},
	}
	var w Writer
	var r Reader
	keepAlive := &KeepAlive{}
	run := func() {
		for _, p := range packets {
			w.Reset()
			if err := EncodePacket(&w, registry.V26_1, registry.Play, registry.Clientbound, p); err != nil {
				t.Fatal(err)
			}
		}
		w.Reset()
		_ = Encode(&w, registry.V26_1, packets[0])
		r.Reset(w.Bytes())
		if err := Decode(&r, registry.V26_1, keepAlive); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if n := testing.AllocsPerRun(100, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
