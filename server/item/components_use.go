package item

import (
	"strings"

	"strata/nbt"
	"strata/server/protocol"
)

// Components that say how an item is used, worn and eaten.

var soundEvent = object(
	need("sound_id", func(v *protocol.SoundEvent) *string { return &v.SoundName }, key),
	opt("range", func(v *protocol.SoundEvent) *protocol.Optional[float32] { return &v.FixedRange }, float),
)

var sound = holder("sound_event", &soundEvent)

// maySound is a sound with a default.
func maySound[T any](name string, at func(*T) *protocol.Holder[protocol.SoundEvent], otherwise string) field[T] {
	return field[T]{
		decode: func(c *conv, members nbt.Compound, v *T) {
			member, ok := members.Get(name)
			if !ok {
				member = otherwise
			}
			*at(v) = sound.decode(c, member)
		},
		encode: func(c *conv, members *nbt.Compound, v *T) {
			if value := sound.encode(c, *at(v)); value != otherwise {
				members.Set(name, value)
			}
		},
	}
}

var useEffects = object(
	may("can_sprint", func(v *protocol.UseEffectsComponent) *bool { return &v.CanSprint }, truth, false),
	may("interact_vibrations", func(v *protocol.UseEffectsComponent) *bool { return &v.InteractVibrations }, truth, true),
	may("speed_multiplier", func(v *protocol.UseEffectsComponent) *float32 { return &v.SpeedMultiplier }, float, 0.2),
)

var food = object(
	need("nutrition", func(v *protocol.FoodComponent) *int32 { return &v.Nutrition }, natural),
	need("saturation", func(v *protocol.FoodComponent) *float32 { return &v.SaturationModifier }, float),
	may("can_always_eat", func(v *protocol.FoodComponent) *bool { return &v.CanAlwaysEat }, truth, false),
)

var consumable = object(
	may("consume_seconds", func(v *protocol.ConsumableComponent) *float32 { return &v.ConsumeSeconds }, float, 1.6),
	may("animation", func(v *protocol.ConsumableComponent) *protocol.UseAnimation { return &v.Animation },
		named[protocol.UseAnimation]("none", "eat", "drink", "block", "bow", "trident", "crossbow", "spyglass", "toot_horn", "brush", "bundle"),
		protocol.UseAnimationEat),
	maySound("sound", func(v *protocol.ConsumableComponent) *protocol.Holder[protocol.SoundEvent] { return &v.Sound },
		"minecraft:entity.generic.eat"),
	may("has_consume_particles", func(v *protocol.ConsumableComponent) *bool { return &v.MakesParticles }, truth, true),
	some("on_consume_effects", func(v *protocol.ConsumableComponent) *[]protocol.ConsumeEffect { return &v.Effects }, listOf(consumeEffect)),
)

var deathProtection = object(
	some("death_effects", func(v *protocol.DeathProtectionComponent) *[]protocol.ConsumeEffect { return &v.Effects }, listOf(consumeEffect)),
)

// consumeEffect has other members for each type.
var consumeEffect = func() codec[protocol.ConsumeEffect] {
	names := []string{"apply_effects", "remove_effects", "clear_all_effects", "teleport_randomly", "play_sound"}
	type effect = protocol.ConsumeEffect
	kinds := []codec[effect]{
		object(
			need("effects", func(v *effect) *[]protocol.PotionEffect { return &v.Effects }, listOf(lateEffect)),
			may("probability", func(v *effect) *float32 { return &v.Probability }, float, 1),
		),
		object(need("effects", func(v *effect) *protocol.HolderSet { return &v.RemoveEffectsEffects }, set("mob_effect"))),
		object[effect](),
		object(may("diameter", func(v *effect) *float32 { return &v.Diameter }, float, 16)),
		object(need("sound", func(v *effect) *protocol.Holder[protocol.SoundEvent] { return &v.Sound }, sound)),
	}
	return codec[effect]{
		decode: func(c *conv, v any) (e effect) {
			members, _ := v.(nbt.Compound)
			kind, _ := members.Get("type")
			name, _ := kind.(string)
			for i := range names {
				if names[i] == strings.TrimPrefix(name, namespace) {
					e = kinds[i].decode(c, v)
					e.Type = protocol.ConsumeEffectType(i)
					return e
				}
			}
			c.fail()
			return e
		},
		encode: func(c *conv, v effect) any {
			if v.Type < 0 || int(v.Type) >= len(kinds) {
				c.fail()
				return nil
			}
			members, _ := kinds[v.Type].encode(c, v).(nbt.Compound)
			members.Set("type", namespace+names[v.Type])
			return members
		},
	}
}()

var useCooldown = object(
	need("seconds", func(v *protocol.UseCooldownComponent) *float32 { return &v.Seconds }, float),
	opt("cooldown_group", func(v *protocol.UseCooldownComponent) *protocol.Optional[string] { return &v.CooldownGroup }, key),
)

var tool = object(
	need("rules", func(v *protocol.ToolComponent) *[]protocol.ToolRule { return &v.Rules }, listOf(object(
		need("blocks", func(v *protocol.ToolRule) *protocol.HolderSet { return &v.Blocks }, set("block")),
		opt("speed", func(v *protocol.ToolRule) *protocol.Optional[float32] { return &v.Speed }, float),
		opt("correct_for_drops", func(v *protocol.ToolRule) *protocol.Optional[bool] { return &v.CorrectDropForBlocks }, truth),
	))),
	may("default_mining_speed", func(v *protocol.ToolComponent) *float32 { return &v.DefaultMiningSpeed }, float, 1),
	may("damage_per_block", func(v *protocol.ToolComponent) *int32 { return &v.DamagePerBlock }, natural, 1),
	may("can_destroy_blocks_in_creative", func(v *protocol.ToolComponent) *bool { return &v.CanDestroyBlocksInCreative }, truth, true),
)

var weapon = object(
	may("item_damage_per_attack", func(v *protocol.WeaponComponent) *int32 { return &v.ItemDamagePerAttack }, natural, 1),
	may("disable_blocking_for_seconds", func(v *protocol.WeaponComponent) *float32 { return &v.DisableBlockingForSeconds }, float, 0),
)

var attackRange = object(
	may("min_reach", func(v *protocol.AttackRangeComponent) *float32 { return &v.MinRange }, float, 0),
	may("max_reach", func(v *protocol.AttackRangeComponent) *float32 { return &v.MaxRange }, float, 3),
	may("min_creative_reach", func(v *protocol.AttackRangeComponent) *float32 { return &v.MinCreativeRange }, float, 0),
	may("max_creative_reach", func(v *protocol.AttackRangeComponent) *float32 { return &v.MaxCreativeRange }, float, 5),
	may("hitbox_margin", func(v *protocol.AttackRangeComponent) *float32 { return &v.HitboxMargin }, float, 0.3),
	may("mob_factor", func(v *protocol.AttackRangeComponent) *float32 { return &v.MobFactor }, float, 1),
)

var equippable = object(
	need("slot", func(v *protocol.EquippableComponent) *protocol.EquipmentSlot { return &v.Slot }, armorSlots),
	maySound("equip_sound", func(v *protocol.EquippableComponent) *protocol.Holder[protocol.SoundEvent] { return &v.Sound },
		"minecraft:item.armor.equip_generic"),
	opt("asset_id", func(v *protocol.EquippableComponent) *protocol.Optional[string] { return &v.Model }, key),
	opt("camera_overlay", func(v *protocol.EquippableComponent) *protocol.Optional[string] { return &v.CameraOverlay }, key),
	opt("allowed_entities", func(v *protocol.EquippableComponent) *protocol.Optional[protocol.HolderSet] {
		return &v.AllowedEntities
	}, set("entity_type")),
	may("dispensable", func(v *protocol.EquippableComponent) *bool { return &v.Dispensable }, truth, true),
	may("swappable", func(v *protocol.EquippableComponent) *bool { return &v.Swappable }, truth, true),
	may("damage_on_hurt", func(v *protocol.EquippableComponent) *bool { return &v.Damageable }, truth, true),
	may("equip_on_interact", func(v *protocol.EquippableComponent) *bool { return &v.EquipOnInteract }, truth, false),
	may("can_be_sheared", func(v *protocol.EquippableComponent) *bool { return &v.Shearable }, truth, false),
	maySound("shearing_sound", func(v *protocol.EquippableComponent) *protocol.Holder[protocol.SoundEvent] { return &v.ShearingSound },
		"minecraft:item.shears.snip"),
)

var swingAnimation = object(
	may("type", func(v *protocol.SwingAnimationComponent) *protocol.SwingAnimationComponentType { return &v.Type },
		named[protocol.SwingAnimationComponentType]("none", "whack", "stab"), protocol.SwingAnimationComponentTypeWhack),
	may("duration", func(v *protocol.SwingAnimationComponent) *int32 { return &v.Duration }, natural, 6),
)

var attributeModifiers = within(
	func(v *protocol.AttributeModifiersComponent) *[]protocol.ItemAttributeModifier { return &v.Value },
	listOf(object(
		need("type", func(v *protocol.ItemAttributeModifier) *int32 { return &v.TypeID }, entry("attribute")),
		need("id", func(v *protocol.ItemAttributeModifier) *string { return &v.Name }, key),
		need("amount", func(v *protocol.ItemAttributeModifier) *float64 { return &v.Value }, double),
		need("operation", func(v *protocol.ItemAttributeModifier) *protocol.AttributeOperation { return &v.Operation },
			named[protocol.AttributeOperation]("add_value", "add_multiplied_base", "add_multiplied_total")),
		may("slot", func(v *protocol.ItemAttributeModifier) *protocol.EquipmentGroup { return &v.Slot }, slotGroups, protocol.EquipmentGroupAny),
		displayField,
	)),
)

var attributeDisplay = object(
	need("type", func(v *protocol.AttributeDisplay) *protocol.AttributeDisplayType { return &v.Type },
		named[protocol.AttributeDisplayType]("default", "hidden", "override")),
	field[protocol.AttributeDisplay]{
		decode: func(c *conv, members nbt.Compound, v *protocol.AttributeDisplay) {
			if v.Type == protocol.AttributeDisplayTypeOverride {
				member, _ := members.Get("value")
				v.Component = text.decode(c, member)
			}
		},
		encode: func(c *conv, members *nbt.Compound, v *protocol.AttributeDisplay) {
			if v.Type == protocol.AttributeDisplayTypeOverride {
				members.Set("value", text.encode(c, v.Component))
			}
		},
	},
)

var displayField = field[protocol.ItemAttributeModifier]{
	decode: func(c *conv, members nbt.Compound, v *protocol.ItemAttributeModifier) {
		if member, ok := members.Get("display"); ok {
			v.Display = attributeDisplay.decode(c, member)
		}
	},
	encode: func(c *conv, members *nbt.Compound, v *protocol.ItemAttributeModifier) {
		if v.Display.Type != protocol.AttributeDisplayTypeDefault {
			members.Set("display", attributeDisplay.encode(c, v.Display))
		}
	},
}
