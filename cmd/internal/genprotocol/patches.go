package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// patch replaces one place of the schema.
type patch struct {
	name   string // what it corrects
	place  string // see at
	layout string // the right type, as JSON; a single quote stands for a double one
}

// Shorthands for patches.
const (
	holderOfSound = `['registryEntryHolder',{'baseName':'id','otherwise':{'name':'data','type':'ItemSoundEvent'}}]`
	numberFormat  = `['option','NumberFormat']`
)

// added are types that the schema does not have.
var added = map[string]string{
	// How a score is shown; the schema has the option's number and its style
	// as two fields.
	"NumberFormat": `['container',[
		{'name':'kind','type':['mapper',{'type':'varint','mappings':{'0':'blank','1':'styled','2':'fixed'}}]},
		{'name':'style','type':['switch',{'compareTo':'kind','fields':{'styled':'anonymousNbt','fixed':'anonymousNbt'},'default':'void'}]}]]`,
	"Bee": `['container',[{'name':'entityType','type':'varint'},{'name':'data','type':'anonymousNbt'},
		{'name':'ticksInHive','type':'varint'},{'name':'minTicksInHive','type':'varint'}]]`,
	// A part of the components of a block entity: a predicate of the registry
	// data_component_predicate_type with its value, or that a component is there.
	"PartialMatcher": `['container',[{'name':'isPredicate','type':'bool'},
		{'name':'predicate','type':['switch',{'compareTo':'isPredicate','fields':{'true':'varint'},'default':'void'}]},
		{'name':'component','type':['switch',{'compareTo':'isPredicate','fields':{'false':'SlotComponentType'},'default':'void'}]},
		{'name':'value','type':'anonymousNbt'}]]`,
	"ColorRGB": `['container',[{'name':'red','type':'u8'},{'name':'green','type':'u8'},{'name':'blue','type':'u8'}]]`,
}

// corrections are what the schema has wrong, checked against the sources of
// ViaVersion, Minestom and azalea and a layout extracted from 26.2; those of
// block predicates and equipment slots against descriptions of the game's
// codecs from 1.21.5 on.
var corrections = []patch{
	// Components.
	{"damage_type is an id", "SlotComponent/data/damage_type", `'varint'`},
	{"chicken/variant is an id", "SlotComponent/data/chicken/variant", `'varint'`},
	{"chicken/sound_variant is an id", "SlotComponent/data/chicken/sound_variant", `'varint'`},
	{"zombie_nautilus/variant is an id", "SlotComponent/data/zombie_nautilus/variant", `'varint'`},
	{"damage_resistant is a holder set", "SlotComponent/data/damage_resistant", `'IDSet'`},
	{"provides_banner_patterns is a holder set", "SlotComponent/data/provides_banner_patterns", `'IDSet'`},
	{"what bypasses a block is a holder set", "SlotComponent/data/blocks_attacks/bypassedBy", `['option','IDSet']`},
	{"instrument is a holder", "SlotComponent/data/instrument", `['registryEntryHolder',{'baseName':'id','otherwise':{'name':'data','type':'InstrumentData'}}]`},
	{"provides_trim_material is a holder", "SlotComponent/data/provides_trim_material", `['registryEntryHolder',{'baseName':'id','otherwise':{'name':'data','type':'ArmorTrimMaterial'}}]`},
	{"jukebox_playable is a holder", "SlotComponent/data/jukebox_playable", `['registryEntryHolder',{'baseName':'id','otherwise':{'name':'data','type':'JukeboxSongData'}}]`},
	{"bees have an entity type", "SlotComponent/data/bees", `['array',{'countType':'varint','type':'Bee'}]`},
	{"painting width is a VarInt", "EntityMetadataPaintingVariant/width", `'varint'`},
	{"painting height is a VarInt", "EntityMetadataPaintingVariant/height", `'varint'`},
	{"a range of a block property may be open below", "ItemBlockProperty/value/false/minValue", `['option','string']`},
	{"a range of a block property may be open above", "ItemBlockProperty/value/false/maxValue", `['option','string']`},
	{"partial matchers have a value", "DataComponentMatchers/partialMatchers", `['array',{'countType':'varint','type':'PartialMatcher'}]`},
	// Names of values rather than layouts.
	{"equipment slots have the order of their numbers", "SlotComponent/data/equippable/slot", `['mapper',{'type':'varint','mappings':{
		'0':'main_hand','1':'feet','2':'legs','3':'chest','4':'head','5':'off_hand','6':'body','7':'saddle'}}]`},
	{"attributes are ids of a registry", "play/clientbound/update_attributes/properties/[]/key", `'varint'`},
	{"flags of structure blocks are bits", "play/serverbound/set_structure_block/flags", `'u8'`},
	{"the previous game mode may be -1", "SpawnInfo/previousGamemode", `'i8'`},
	// Layouts that are the same but hard to read as the schema has them.
	{"score format of an objective", "play/clientbound/set_objective/number_format",
		`['switch',{'compareTo':'action','fields':{'0':` + numberFormat + `,'2':` + numberFormat + `},'default':'void'}]`},
	{"style of an objective is in its format", "play/clientbound/set_objective/styling", ``},
	{"score format of a score", "play/clientbound/set_score/number_format", numberFormat},
	{"style of a score is in its format", "play/clientbound/set_score/styling", ``},
	{"advancement flags are bits", "play/clientbound/update_advancements/advancementMapping/[]/value/displayData/!/flags",
		`['bitflags',{'type':'u32','flags':['has_background_texture','show_toast','hidden']}]`},
	{"waypoint color", "play/clientbound/waypoint/waypoint/icon/color", `['option','ColorRGB']`},
	{"tags of a registry", "configuration/clientbound/update_tags/tags/[]/tags", `['array',{'countType':'varint','type':'Tag'}]`},
	{"tags of a registry in play", "play/clientbound/update_tags/tags/[]/tags", `['array',{'countType':'varint','type':'Tag'}]`},
	{"bits of the boss bar", "play/clientbound/boss_event/flags",
		`['switch',{'compareTo':'action','fields':{'0':'BossFlags','5':'BossFlags'},'default':'void'}]`},
}

func init() {
	added["BossFlags"] = `['bitflags',{'type':'u8','flags':['darken_screen','play_boss_music','create_world_fog']}]`
	added["Light"] = `['container',[` + lightField("skyMask", longs) + lightField("blockMask", longs) + lightField("emptySkyMask", longs) +
		lightField("emptyBlockMask", longs) + lightField("sky", arrays) + strings.TrimSuffix(lightField("block", arrays), ",") + `]]`
	for _, packet := range []string{"level_chunk_with_light", "light_update"} {
		place := "play/clientbound/" + packet + "/"
		corrections = append(corrections, patch{"light is one value", place + "skyLightMask", `'Light'`})
		for _, field := range []string{"blockLightMask", "emptySkyLightMask", "emptyBlockLightMask", "skyLight", "blockLight"} {
			corrections = append(corrections, patch{"light is one value", place + field, ``})
		}
	}
	added["Tag"] = `['container',[{'name':'tagName','type':'string'},{'name':'entries','type':['array',{'countType':'varint','type':'varint'}]}]]`
}

// differences are what 776 has otherwise. A field with 'since' is not in
// versions before it, one with 'until' not in those after it; a field of one
// name may be there once with each.
var differences = []patch{
	{"login_finished ends with the id of the session", "login/clientbound/login_finished/+",
		`{'name':'sessionId','type':'UUID','since':776}`},
	{"login says whether players are authenticated", "play/clientbound/login/+enforcesSecureChat",
		`{'name':'onlineMode','type':'bool','since':776}`},
	{"team parameters have another order", "play/clientbound/set_player_team/?/add", teamParameters},
	{"team parameters have another order", "play/clientbound/set_player_team/?/change", teamParameters},
	{"spectating may be of nothing", "play/serverbound/spectate_entity/entityId", `'spectated'`},
	{"component 78", "SlotComponent/data/+sulfur_cube_content", `'ItemStackTemplate'`},
	// Layouts of the particles from azalea's sources for 26.2.
	{"geyser particle", "Particle/data/+geyser", `['container',[{'name':'waterBlocks','type':'i32'}]]`},
	{"geyser_plume particle", "Particle/data/+geyser_plume", `['container',[{'name':'waterBlocks','type':'i32'}]]`},
	{"geyser_base particle", "Particle/data/+geyser_base", geyserBase},
	{"geyser_poof particle", "Particle/data/+geyser_poof", geyserBase},
}

const (
	longs  = `['array',{'countType':'varint','type':'i64'}]`
	arrays = `['array',{'countType':'varint','type':['array',{'countType':'varint','type':'u8'}]}]`
)

func lightField(name, layout string) string { return `{'name':'` + name + `','type':` + layout + `},` }

const (
	geyserBase     = `['container',[{'name':'waterBlocks','type':'i32'},{'name':'burstImpulse','type':'f32'}]]`
	visibility     = `['mapper',{'type':'varint','mappings':{'0':'always','1':'never','2':'hide_for_other_teams','3':'hide_for_own_team'}}]`
	collision      = `['mapper',{'type':'varint','mappings':{'0':'always','1':'never','2':'push_other_teams','3':'push_own_team'}}]`
	teamFlags      = `['bitflags',{'type':'u8','flags':['friendly_fire','see_friendly_invisible']}]`
	teamParameters = `['container',[
		{'name':'displayName','type':'anonymousNbt'},
		{'name':'flags','type':` + teamFlags + `,'until':775},
		{'name':'nameTagVisibility','type':` + visibility + `,'until':775},
		{'name':'collisionRule','type':` + collision + `,'until':775},
		{'name':'color','type':'teamColor','until':775},
		{'name':'prefix','type':'anonymousNbt'},
		{'name':'suffix','type':'anonymousNbt'},
		{'name':'nameTagVisibility','type':` + visibility + `,'since':776},
		{'name':'collisionRule','type':` + collision + `,'since':776},
		{'name':'color','type':'teamColor','since':776},
		{'name':'flags','type':` + teamFlags + `,'since':776}]]`
)

// patch makes all changes. Each must find its place.
func (s *schema) patch() error {
	for name, layout := range added {
		t, err := parseLayout(layout)
		if err != nil {
			return fmt.Errorf("type %s: %w", name, err)
		}
		s.types[name] = t
	}
	if err := s.debugUpdate(); err != nil {
		return err
	}
	for _, p := range append(append([]patch(nil), corrections...), differences...) {
		layout, err := parseLayout(p.layout)
		if err == nil {
			err = s.replace(p.place, layout)
		}
		if err != nil {
			return fmt.Errorf("patch %q: %w", p.name, err)
		}
	}
	return nil
}

func parseLayout(text string) (node, error) {
	if text == "" {
		return nil, nil
	}
	var t node
	d := json.NewDecoder(bytes.NewReader([]byte(strings.ReplaceAll(text, "'", `"`))))
	d.UseNumber()
	return t, d.Decode(&t)
}

// replace puts layout at a place: a type, or state/direction/packet, then the
// names of fields and of cases; [] is the element of an array, ! the value of
// an option, ? a field without a name. At the end +name adds a case, or a
// field before the one of that name, + alone a field at the end. nil takes the
// field away.
func (s *schema) replace(place string, layout node) error {
	steps := strings.Split(place, "/")
	for i, step := range steps {
		// Names of components have slashes too.
		if i+1 < len(steps) && s.isPair(steps, i) {
			steps = append(append(append([]string(nil), steps[:i]...), step+"/"+steps[i+1]), steps[i+2:]...)
			break
		}
	}
	if s.types[steps[0]] != nil {
		return edit(s.types[steps[0]], steps[1:], layout)
	}
	if len(steps) < 4 {
		return fmt.Errorf("no place %s", place)
	}
	p, err := s.find(strings.Join(steps[:3], "/"))
	if err != nil {
		return err
	}
	// Packets of one type share the layout, which is edited once.
	return edit(p.layout, steps[3:], layout)
}

// isPair reports whether steps i and i+1 are one name.
func (s *schema) isPair(steps []string, i int) bool {
	return i > 0 && steps[0] == "SlotComponent" && (steps[i+1] == "variant" || steps[i+1] == "sound_variant")
}

// edit changes t in place.
func edit(t node, steps []string, layout node) error {
	kind, options := constructor(t)
	step, last := steps[0], len(steps) == 1
	at := func(m map[string]any, key string) error {
		switch {
		case m[key] == nil:
			return fmt.Errorf("no %s in a %s", step, kind)
		case last:
			m[key] = layout
			return nil
		}
		return edit(m[key], steps[1:], layout)
	}
	switch kind {
	case "container":
		fields := list(options)
		if name, ok := strings.CutPrefix(step, "+"); ok {
			return insert(t, name, layout)
		}
		for i, f := range fields {
			f := object(f)
			if name, _ := f["name"].(string); name != step && (f["anon"] == nil || step != "?") {
				continue
			}
			if last && layout == nil {
				list(t)[1] = append(append([]any(nil), fields[:i]...), fields[i+1:]...)
				return nil
			}
			return at(f, "type")
		}
	case "switch":
		cases := object(object(options)["fields"])
		if name, ok := strings.CutPrefix(step, "+"); ok {
			cases[name] = layout
			return nil
		}
		return at(cases, step)
	case "array":
		return at(object(options), "type")
	case "option":
		if !last {
			return edit(options, steps[1:], layout)
		}
	}
	return fmt.Errorf("no %s in a %s", step, kind)
}

// insert adds a field before the one of that name, or at the end.
func insert(t node, name string, field node) error {
	fields := list(list(t)[1])
	for i, f := range fields {
		if object(f)["name"] == name {
			list(t)[1] = append(append(append([]any(nil), fields[:i]...), field), fields[i:]...)
			return nil
		}
	}
	if name != "" {
		return fmt.Errorf("no field %s", name)
	}
	list(t)[1] = append(append([]any(nil), fields...), field)
	return nil
}
