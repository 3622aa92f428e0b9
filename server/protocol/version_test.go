package protocol

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"strata/anvil/registry"
)

// unhex reads hex digits with spaces. Words in quotes are texts with a length
// byte before them.
func unhex(t *testing.T, text string) []byte {
	t.Helper()
	var out []byte
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 1 {
			out = append(append(out, byte(len(part))), part...)
			continue
		}
		data, err := hex.DecodeString(strings.ReplaceAll(part, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data...)
	}
	return out
}

// The bodies were worked out by hand from the layouts.
var byVersion = []struct {
	name         string
	packet       Packet
	at775, at776 string // "" if the version does not have it
}{
	{
		"login_finished has the id of the session",
		&LoginFinished{UUID: UUID{1}, Username: "Ab", SessionID: UUID{15: 2}},
		`01000000000000000000000000000000 "Ab" 00`,
		`01000000000000000000000000000000 "Ab" 00 00000000000000000000000000000002`,
	},
	{
		"login has whether players are authenticated",
		&Login{
			EntityID: 1, Dimensions: []string{"minecraft:overworld"}, MaxPlayers: 20, ViewDistance: 10,
			SimulationDistance: 8, ShowDeathScreen: true, OnlineMode: true,
			Spawn: SpawnInfo{Name: "minecraft:overworld", HashedSeed: 3, PreviousGameMode: -1, SeaLevel: 63},
		},
		`00000001 00 01 "minecraft:overworld" 14 0a 08 00 01 00
			00 "minecraft:overworld" 0000000000000003 00 ff 00 00 00 00 3f 00`,
		`00000001 00 01 "minecraft:overworld" 14 0a 08 00 01 00
			00 "minecraft:overworld" 0000000000000003 00 ff 00 00 00 00 3f 01 00`,
	},
	{
		"team parameters have another order",
		&SetPlayerTeam{
			Team: "red", Mode: TeamModeAdd, DisplayName: nbtText("N"), Flags: SetPlayerTeamFlagsSeeFriendlyInvisible,
			NameTagVisibility: NameTagVisibilityNever, CollisionRule: CollisionRulePushOwnTeam, Color: Some(int32(12)),
			Prefix: nbtText("P"), Suffix: nbtText("S"), Players: []string{"Ab"},
		},
		`"red" 00 08 0001 4e 02 01 03 0c 08 0001 50 08 0001 53 01 "Ab"`,
		`"red" 00 08 0001 4e 08 0001 50 08 0001 53 01 03 01 0c 02 01 "Ab"`,
	},
	{
		"a team without color",
		&SetPlayerTeam{Team: "red", Mode: TeamModeChange, DisplayName: nbtText("N"), Prefix: nbtText("P"), Suffix: nbtText("S")},
		`"red" 02 08 0001 4e 00 00 00 15 08 0001 50 08 0001 53`,
		`"red" 02 08 0001 4e 08 0001 50 08 0001 53 00 00 00 00`,
	},
	{"spectating an entity", &SpectateEntity{Entity: Some(int32(5))}, "05", "06"},
	{"spectating nothing", &SpectateEntity{}, "", "00"},
	{
		"component 78 is new",
		&SetCursorItem{Contents: ItemStack{Count: 1, ID: 3, Patch: ComponentPatch{
			Added: []Component{{ComponentSulfurCubeContent, &ItemTemplate{ID: 2, Count: 1}}},
		}}},
		"",
		"01 03 01 00 4e 02 01 00 00",
	},
	{
		"later components move up",
		&SetCursorItem{Contents: ItemStack{Count: 1, ID: 3, Patch: ComponentPatch{
			Added:   []Component{{ComponentSheepColor, new(DyeColorRed)}},
			Removed: []ComponentType{ComponentLock, ComponentBees},
		}}},
		"01 03 01 02 6c 0e 4e 4d",
		"01 03 01 02 6d 0e 4f 4d",
	},
	{
		"later particles move up",
		&LevelParticles{Particle: Particle{Type: ParticleCloud}},
		"00 00" + zeros(8*3+4*4) + "00000000 04",
		"00 00" + zeros(8*3+4*4) + "00000000 0b",
	},
	{
		"geysers are new",
		&LevelParticles{Particle: Particle{Type: ParticleGeyserBase, Value: &GeyserBaseParticle{WaterBlocks: 2, BurstImpulse: 1}}},
		"",
		"00 00" + zeros(8*3+4*4) + "00000000 08 00000002 3f800000",
	},
}

func zeros(n int) string { return strings.Repeat("00", n) }

// nbtText is a text of ASCII as NBT.
func nbtText(text string) NBT {
	return append(NBT{8, byte(len(text) >> 8), byte(len(text))}, text...)
}

func TestBodiesThatDifferBetweenVersions(t *testing.T) {
	for _, c := range byVersion {
		t.Run(c.name, func(t *testing.T) {
			for v, want := range map[registry.Version]string{registry.V26_1: c.at775, registry.V26_2: c.at776} {
				var w Writer
				err := Encode(&w, v, c.packet)
				if want == "" {
					if !errors.Is(err, ErrUnsupported) {
						t.Errorf("%v: got error %v, want ErrUnsupported", v, err)
					}
					continue
				}
				body := unhex(t, strings.NewReplacer("\n", "", "\t", "").Replace(want))
				if err != nil || !bytes.Equal(w.Bytes(), body) {
					t.Errorf("%v: got % x, error %v, want % x", v, w.Bytes(), err, body)
				}
			}
		})
	}
}

// Components whose layout the schema has wrong, with the bytes that the game
// has, worked out by hand.
func TestCorrectedComponents(t *testing.T) {
	tag := HolderSet{Tag: "minecraft:is_fire"}
	sound := Holder[SoundEvent]{ID: 4}
	for _, c := range []struct {
		component Component
		want      string
	}{
		{Component{ComponentDamageType, &VarIntValue{5}}, "08 05"},
		{Component{ComponentChickenVariant, &VarIntValue{2}}, "61 02"},
		{Component{ComponentChickenSoundVariant, &VarIntValue{2}}, "62 02"},
		{Component{ComponentZombieNautilusVariant, &VarIntValue{1}}, "63 01"},
		{Component{ComponentDamageResistant, &tag}, `1b 00 "minecraft:is_fire"`},
		{Component{ComponentProvidesBannerPatterns, &HolderSet{IDs: []int32{7, 9}}}, "41 03 07 09"},
		{Component{ComponentInstrument, &InstrumentComponent{Holder[Instrument]{ID: 6}}}, "3d 07"},
		{Component{ComponentInstrument, &InstrumentComponent{Holder[Instrument]{Inline: &Instrument{
			SoundEvent: sound, UseDuration: 1, Range: 2, Description: nbtText("x"),
		}}}}, "3d 00 05 3f800000 40000000 08 0001 78"},
		{Component{ComponentProvidesTrimMaterial, &ProvidesTrimMaterialComponent{Holder[TrimMaterial]{ID: 0}}}, "3e 01"},
		{Component{ComponentJukeboxPlayable, &JukeboxPlayableComponent{Holder[JukeboxSong]{ID: 3}}}, "40 04"},
		{Component{ComponentBees, &BeesComponent{[]Bee{{EntityType: 9, Data: NBT{10, 0}, TicksInHive: 1, MinTicksInHive: 2}}}}, "4d 01 09 0a00 01 02"},
		{Component{ComponentPaintingVariant, &PaintingVariantComponent{Holder[PaintingVariant]{Inline: &PaintingVariant{
			Width: 2, Height: 1, AssetID: "a:b",
		}}}}, `66 00 02 01 "a:b" 00 00`},
		{Component{ComponentEquippable, &EquippableComponent{Slot: EquipmentSlotOffHand, Sound: sound, ShearingSound: sound}},
			"20 05 05 00 00 00" + zeros(5) + "05"},
		{Component{ComponentCanBreak, &CanPlaceOnComponent{Predicates: []BlockPredicate{{
			Properties: Some([]BlockProperty{{Name: "age", MinValue: Some("3")}}),
			Components: DataComponentMatchers{PartialMatchers: []PartialMatcher{
				{IsPredicate: true, Predicate: 2, Value: NBT{10, 0}},
				{Component: ComponentLore, Value: NBT{10, 0}},
			}},
		}}}}, `0f 01 00 01 01 "age" 00 01 "3" 00 00 00 02 01 02 0a00 00 0b 0a00`},
		{Component{ComponentBlocksAttacks, &BlocksAttacksComponent{BypassedBy: Some(tag)}},
			"25" + zeros(4+4+1+12) + `01 00 "minecraft:is_fire" 00 00`},
	} {
		var w Writer
		w.c.begin(&w, nil, registry.V26_1)
		c.component.wire(&w.c, "component")
		if want := unhex(t, c.want); w.Err() != nil || !bytes.Equal(w.Bytes(), want) {
			t.Errorf("%+v: got % x, error %v, want % x", c.component, w.Bytes(), w.Err(), want)
		}
	}
}

func TestPlayerListFieldsFollowTheirBits(t *testing.T) {
	var w Writer
	err := Encode(&w, registry.V26_1, &PlayerInfoUpdate{
		Actions: UpdateListOrder | UpdateHat, Players: []PlayerInfo{{ListOrder: 300, Hat: true}},
	})
	if want := unhex(t, "c0 01"+zeros(16)+"ac02 01"); err != nil || !bytes.Equal(w.Bytes(), want) {
		t.Errorf("got % x, error %v, want % x", w.Bytes(), err, want)
	}
	w.Reset()
	err = Encode(&w, registry.V26_1, &PlayerInfoUpdate{Actions: UpdateListOrder, Players: []PlayerInfo{{ListOrder: 300}}})
	if want := unhex(t, "40 01"+zeros(16)+"ac02"); err != nil || !bytes.Equal(w.Bytes(), want) {
		t.Errorf("got % x, error %v, want % x", w.Bytes(), err, want)
	}
}
