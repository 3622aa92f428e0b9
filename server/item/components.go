package item

import (
	"strata/nbt"
	"strata/server/protocol"
)

// component converts the value of one kind of component.
type component struct {
	decode func(c *conv, v any) protocol.Value
	encode func(c *conv, v protocol.Value) any
}

// as makes a component of a packet's type and its codec.
func as[T any, P interface {
	*T
	protocol.Value
}](k codec[T]) component {
	return component{
		decode: func(c *conv, v any) protocol.Value {
			t := k.decode(c, v)
			return P(&t)
		},
		encode: func(c *conv, v protocol.Value) any {
			t, ok := v.(P)
			if !ok {
				c.fail()
				return nil
			}
			return k.encode(c, *t)
		},
	}
}

// marker is a component that is there or not.
var marker = component{
	decode: func(*conv, any) protocol.Value { return nil },
	encode: func(*conv, protocol.Value) any { return unit },
}

func number(k codec[int32]) component {
	return as(within(func(v *protocol.VarIntValue) *int32 { return &v.Value }, k))
}

func decimal() component {
	return as(within(func(v *protocol.FloatValue) *float32 { return &v.Value }, float))
}

func resource() component {
	return as(within(func(v *protocol.StringValue) *string { return &v.Value }, key))
}

func document(k codec[protocol.NBT]) component {
	return as(within(func(v *protocol.NBTValue) *protocol.NBT { return &v.Value }, k))
}

func color() component {
	return as(within(func(v *protocol.IntValue) *int32 { return &v.Value }, anyInt))
}

func listed(names ...string) component { return number(named[int32](names...)) }

var (
	dyes = named[protocol.DyeColor]("white", "orange", "magenta", "light_blue", "yellow", "lime", "pink", "gray",
		"light_gray", "cyan", "purple", "blue", "brown", "green", "red", "black")
	armorSlots = named[protocol.EquipmentSlot]("mainhand", "feet", "legs", "chest", "head", "offhand", "body", "saddle")
	slotGroups = named[protocol.EquipmentGroup]("any", "mainhand", "offhand", "hand", "feet", "legs", "chest", "head",
		"armor", "body", "saddle")
)

// components are the kinds that are converted. It is filled by init, as stacks
// in components lead back to it.
var components map[protocol.ComponentType]component

func init() {
	components = map[protocol.ComponentType]component{
		protocol.ComponentCustomData:               document(plain),
		protocol.ComponentMaxStackSize:             number(natural),
		protocol.ComponentMaxDamage:                number(natural),
		protocol.ComponentDamage:                   number(natural),
		protocol.ComponentUnbreakable:              marker,
		protocol.ComponentUseEffects:               as(useEffects),
		protocol.ComponentCustomName:               document(text),
		protocol.ComponentMinimumAttackCharge:      decimal(),
		protocol.ComponentDamageType:               number(entry("damage_type")),
		protocol.ComponentItemName:                 document(text),
		protocol.ComponentItemModel:                resource(),
		protocol.ComponentLore:                     as(lore),
		protocol.ComponentRarity:                   as(named[protocol.RarityComponentValue]("common", "uncommon", "rare", "epic")),
		protocol.ComponentEnchantments:             as(enchantments),
		protocol.ComponentAttributeModifiers:       as(attributeModifiers),
		protocol.ComponentCustomModelData:          as(customModelData),
		protocol.ComponentTooltipDisplay:           as(tooltipDisplay),
		protocol.ComponentRepairCost:               number(natural),
		protocol.ComponentEnchantmentGlintOverride: as(within(func(v *protocol.BoolValue) *bool { return &v.Value }, truth)),
		protocol.ComponentIntangibleProjectile:     document(plain),
		protocol.ComponentFood:                     as(food),
		protocol.ComponentConsumable:               as(consumable),
		protocol.ComponentUseRemainder:             as(template),
		protocol.ComponentUseCooldown:              as(useCooldown),
		protocol.ComponentDamageResistant:          as(object(need("types", func(v *protocol.HolderSet) *protocol.HolderSet { return v }, set("damage_type")))),
		protocol.ComponentTool:                     as(tool),
		protocol.ComponentWeapon:                   as(weapon),
		protocol.ComponentAttackRange:              as(attackRange),
		protocol.ComponentEnchantable:              number(object(need("value", func(v *int32) *int32 { return v }, natural))),
		protocol.ComponentEquippable:               as(equippable),
		protocol.ComponentRepairable:               as(object(need("items", func(v *protocol.RepairableComponent) *protocol.HolderSet { return &v.Items }, set("item")))),
		protocol.ComponentGlider:                   marker,
		protocol.ComponentTooltipStyle:             resource(),
		protocol.ComponentDeathProtection:          as(deathProtection),
		protocol.ComponentSwingAnimation:           as(swingAnimation),
		protocol.ComponentAdditionalTradeCost:      number(anyInt),
		protocol.ComponentStoredEnchantments:       as(enchantments),
		protocol.ComponentDye:                      as(dyes),
		protocol.ComponentDyedColor:                color(),
		protocol.ComponentMapColor:                 color(),
		protocol.ComponentMapID:                    number(anyInt),
		protocol.ComponentMapDecorations:           document(plain),
		protocol.ComponentChargedProjectiles:       as(within(func(v *protocol.ChargedProjectilesComponent) *[]protocol.ItemTemplate { return &v.Projectiles }, listOf(template))),
		protocol.ComponentBundleContents:           as(within(func(v *protocol.BundleContentsComponent) *[]protocol.ItemTemplate { return &v.Contents }, listOf(template))),
		protocol.ComponentPotionContents:           as(potionContents),
		protocol.ComponentPotionDurationScale:      decimal(),
		protocol.ComponentSuspiciousStewEffects:    as(stew),
		protocol.ComponentWritableBookContent:      as(writableBook),
		protocol.ComponentWrittenBookContent:       as(writtenBook),
		protocol.ComponentTrim:                     as(trim),
		protocol.ComponentDebugStickState:          document(plain),
		protocol.ComponentEntityData:               as(entityData("entity_type")),
		protocol.ComponentBucketEntityData:         document(plain),
		protocol.ComponentBlockEntityData:          as(entityData("block_entity_type")),
		protocol.ComponentInstrument:               as(within(func(v *protocol.InstrumentComponent) *protocol.Holder[protocol.Instrument] { return &v.Value }, holder[protocol.Instrument]("instrument", nil))),
		protocol.ComponentProvidesTrimMaterial: as(within(func(v *protocol.ProvidesTrimMaterialComponent) *protocol.Holder[protocol.TrimMaterial] {
			return &v.Value
		}, holder[protocol.TrimMaterial]("trim_material", nil))),
		protocol.ComponentOminousBottleAmplifier:   number(natural),
		protocol.ComponentJukeboxPlayable:          as(within(func(v *protocol.JukeboxPlayableComponent) *protocol.Holder[protocol.JukeboxSong] { return &v.Value }, holder[protocol.JukeboxSong]("jukebox_song", nil))),
		protocol.ComponentProvidesBannerPatterns:   as(set("banner_pattern")),
		protocol.ComponentRecipes:                  document(plain),
		protocol.ComponentLodestoneTracker:         as(lodestone),
		protocol.ComponentFireworkExplosion:        as(explosion),
		protocol.ComponentFireworks:                as(fireworks),
		protocol.ComponentProfile:                  as(profile),
		protocol.ComponentNoteBlockSound:           resource(),
		protocol.ComponentBannerPatterns:           as(bannerPatterns),
		protocol.ComponentBaseColor:                as(dyes),
		protocol.ComponentPotDecorations:           as(within(func(v *protocol.PotDecorationsComponent) *[]int32 { return &v.Decorations }, listOf(entry("item")))),
		protocol.ComponentContainer:                as(container),
		protocol.ComponentBlockState:               as(blockState),
		protocol.ComponentSulfurCubeContent:        as(template),
		protocol.ComponentLock:                     document(plain),
		protocol.ComponentContainerLoot:            document(plain),
		protocol.ComponentBreakSound:               as(within(func(v *protocol.BreakSoundComponent) *protocol.Holder[protocol.SoundEvent] { return &v.Value }, sound)),
		protocol.ComponentVillagerVariant:          number(entry("villager_type")),
		protocol.ComponentWolfVariant:              number(entry("wolf_variant")),
		protocol.ComponentWolfSoundVariant:         number(entry("wolf_sound_variant")),
		protocol.ComponentWolfCollar:               as(dyes),
		protocol.ComponentFoxVariant:               listed("red", "snow"),
		protocol.ComponentSalmonSize:               listed("small", "medium", "large"),
		protocol.ComponentParrotVariant:            listed("red_blue", "blue", "green", "yellow_blue", "gray"),
		protocol.ComponentTropicalFishBaseColor:    as(dyes),
		protocol.ComponentTropicalFishPatternColor: as(dyes),
		protocol.ComponentMooshroomVariant:         listed("red", "brown"),
		protocol.ComponentPigVariant:               number(entry("pig_variant")),
		protocol.ComponentPigSoundVariant:          number(entry("pig_sound_variant")),
		protocol.ComponentCowVariant:               number(entry("cow_variant")),
		protocol.ComponentCowSoundVariant:          number(entry("cow_sound_variant")),
		protocol.ComponentChickenVariant:           number(entry("chicken_variant")),
		protocol.ComponentChickenSoundVariant:      number(entry("chicken_sound_variant")),
		protocol.ComponentZombieNautilusVariant:    number(entry("zombie_nautilus_variant")),
		protocol.ComponentFrogVariant:              number(entry("frog_variant")),
		protocol.ComponentHorseVariant:             listed("white", "creamy", "chestnut", "brown", "black", "gray", "dark_brown"),
		protocol.ComponentPaintingVariant:          as(within(func(v *protocol.PaintingVariantComponent) *protocol.Holder[protocol.PaintingVariant] { return &v.Value }, holder[protocol.PaintingVariant]("painting_variant", nil))),
		protocol.ComponentLlamaVariant:             listed("creamy", "white", "brown", "gray"),
		protocol.ComponentAxolotlVariant:           listed("lucy", "wild", "gold", "cyan", "blue"),
		protocol.ComponentCatVariant:               number(entry("cat_variant")),
		protocol.ComponentCatSoundVariant:          number(entry("cat_sound_variant")),
		protocol.ComponentCatCollar:                as(dyes),
		protocol.ComponentSheepColor:               as(dyes),
		protocol.ComponentShulkerColor:             as(dyes),
	}
}

// Types of components that are maps or hold members of no fixed name.

var enchantments = codec[protocol.EnchantmentsComponent]{
	decode: func(c *conv, v any) (e protocol.EnchantmentsComponent) {
		levels, ok := v.(nbt.Compound)
		if !ok {
			c.fail()
		}
		for _, m := range levels {
			e.Enchantments = append(e.Enchantments, protocol.EnchantmentLevel{
				ID: entry("enchantment").decode(c, m.Name), Level: natural.decode(c, m.Value),
			})
		}
		return e
	},
	encode: func(c *conv, v protocol.EnchantmentsComponent) any {
		levels := nbt.Compound{}
		for _, e := range v.Enchantments {
			name, _ := entry("enchantment").encode(c, e.ID).(string)
			levels.Set(name, e.Level)
		}
		return levels
	},
}

var blockState = codec[protocol.BlockStateComponent]{
	decode: func(c *conv, v any) (b protocol.BlockStateComponent) {
		properties, ok := v.(nbt.Compound)
		if !ok {
			c.fail()
		}
		for _, m := range properties {
			b.Properties = append(b.Properties, protocol.GameRule{Name: m.Name, Value: str.decode(c, m.Value)})
		}
		return b
	},
	encode: func(_ *conv, v protocol.BlockStateComponent) any {
		properties := nbt.Compound{}
		for _, p := range v.Properties {
			properties.Set(p.Name, p.Value)
		}
		return properties
	},
}

// entityData is NBT with the kind of the entity as "id", which packets have
// apart.
func entityData(kinds string) codec[protocol.EntityDataComponent] {
	return codec[protocol.EntityDataComponent]{
		decode: func(c *conv, v any) (e protocol.EntityDataComponent) {
			members, ok := v.(nbt.Compound)
			if !ok {
				c.fail()
				return e
			}
			id, _ := members.Get("id")
			e.Type = entry(kinds).decode(c, id)
			rest := append(nbt.Compound{}, members...)
			rest.Delete("id")
			e.Data = network(c, rest)
			return e
		},
		encode: func(c *conv, v protocol.EntityDataComponent) any {
			members, ok := fromNetwork(c, v.Data).(nbt.Compound)
			if !ok {
				c.fail()
			}
			members.Set("id", entry(kinds).encode(c, v.Type))
			return members
		},
	}
}
