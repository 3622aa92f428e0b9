package item

import (
	"encoding/binary"

	"strata/nbt"
	"strata/server/protocol"
)

// Components that say what an item holds and how it looks.

var lore = within(func(v *protocol.LoreComponent) *[]protocol.NBT { return &v.Value }, listOf(text))

var customModelData = object(
	some("floats", func(v *protocol.CustomModelDataComponent) *[]float32 { return &v.Floats }, listOf(float)),
	some("flags", func(v *protocol.CustomModelDataComponent) *[]bool { return &v.Flags }, listOf(truth)),
	some("strings", func(v *protocol.CustomModelDataComponent) *[]string { return &v.Strings }, listOf(str)),
	some("colors", func(v *protocol.CustomModelDataComponent) *[]int32 { return &v.Colors }, listOf(anyInt)),
)

var tooltipDisplay = object(
	may("hide_tooltip", func(v *protocol.TooltipDisplayComponent) *bool { return &v.HideTooltip }, truth, false),
	some("hidden_components", func(v *protocol.TooltipDisplayComponent) *[]int32 { return &v.HiddenComponents },
		listOf(entry("data_component_type"))),
)

// potionEffect is an effect and its details in one compound. A hidden effect
// nests.
var (
	potionEffect  codec[protocol.PotionEffect]
	effectDetails codec[protocol.EffectDetails]
)

var effectFields = []field[protocol.EffectDetails]{
	may("amplifier", func(v *protocol.EffectDetails) *int32 { return &v.Amplifier }, unsignedByte, 0),
	may("duration", func(v *protocol.EffectDetails) *int32 { return &v.Duration }, anyInt, 0),
	may("ambient", func(v *protocol.EffectDetails) *bool { return &v.Ambient }, truth, false),
	may("show_particles", func(v *protocol.EffectDetails) *bool { return &v.ShowParticles }, truth, true),
	{
		decode: func(c *conv, members nbt.Compound, v *protocol.EffectDetails) {
			v.ShowIcon = v.ShowParticles
			if member, ok := members.Get("show_icon"); ok {
				v.ShowIcon = truth.decode(c, member)
			}
		},
		encode: func(c *conv, members *nbt.Compound, v *protocol.EffectDetails) {
			members.Set("show_icon", truth.encode(c, v.ShowIcon))
		},
	},
}

func init() {
	hidden := field[protocol.EffectDetails]{
		decode: func(c *conv, members nbt.Compound, v *protocol.EffectDetails) {
			member, ok := members.Get("hidden_effect")
			if !ok {
				return
			}
			if c.depth++; c.depth > maxNesting {
				c.fail()
				return
			}
			inner := effectDetails.decode(c, member)
			v.HiddenEffect = &inner
			c.depth--
		},
		encode: func(c *conv, members *nbt.Compound, v *protocol.EffectDetails) {
			if v.HiddenEffect != nil {
				members.Set("hidden_effect", effectDetails.encode(c, *v.HiddenEffect))
			}
		},
	}
	effectDetails = object(append(append([]field[protocol.EffectDetails]{}, effectFields...), hidden)...)
}

func init() {
	id := need("id", func(v *protocol.PotionEffect) *int32 { return &v.ID }, entry("mob_effect"))
	potionEffect = object(id, field[protocol.PotionEffect]{
		decode: func(c *conv, members nbt.Compound, v *protocol.PotionEffect) {
			v.Details = effectDetails.decode(c, members)
		},
		encode: func(c *conv, members *nbt.Compound, v *protocol.PotionEffect) {
			details, _ := effectDetails.encode(c, v.Details).(nbt.Compound)
			*members = append(*members, details...)
		},
	})
}

// lateEffect refers to potionEffect, which init makes.
var lateEffect = codec[protocol.PotionEffect]{
	decode: func(c *conv, v any) protocol.PotionEffect { return potionEffect.decode(c, v) },
	encode: func(c *conv, v protocol.PotionEffect) any { return potionEffect.encode(c, v) },
}

var potionFull = object(
	opt("potion", func(v *protocol.PotionContentsComponent) *protocol.Optional[int32] { return &v.PotionID }, entry("potion")),
	opt("custom_color", func(v *protocol.PotionContentsComponent) *protocol.Optional[int32] { return &v.CustomColor }, anyInt),
	some("custom_effects", func(v *protocol.PotionContentsComponent) *[]protocol.PotionEffect { return &v.CustomEffects }, listOf(lateEffect)),
	opt("custom_name", func(v *protocol.PotionContentsComponent) *protocol.Optional[string] { return &v.CustomName }, str),
)

// potionContents may be the name of a potion alone.
var potionContents = codec[protocol.PotionContentsComponent]{
	decode: func(c *conv, v any) protocol.PotionContentsComponent {
		if name, ok := v.(string); ok {
			return protocol.PotionContentsComponent{PotionID: protocol.Some(entry("potion").decode(c, name))}
		}
		return potionFull.decode(c, v)
	},
	encode: potionFull.encode,
}

var stew = within(func(v *protocol.SuspiciousStewEffectsComponent) *[]protocol.StewEffect { return &v.Effects }, listOf(object(
	need("id", func(v *protocol.StewEffect) *int32 { return &v.Effect }, entry("mob_effect")),
	may("duration", func(v *protocol.StewEffect) *int32 { return &v.Duration }, natural, 160),
)))

// Texts of books may have a second form, for players who filter words. One
// without may stand alone.

var bookPage = orAlone("raw", object(
	need("raw", func(v *protocol.BookPage) *string { return &v.Content }, str),
	opt("filtered", func(v *protocol.BookPage) *protocol.Optional[string] { return &v.FilteredContent }, str),
))

var writtenPage = orAlone("raw", object(
	need("raw", func(v *protocol.WrittenBookPage) *protocol.NBT { return &v.Content }, text),
	field[protocol.WrittenBookPage]{
		decode: func(c *conv, members nbt.Compound, v *protocol.WrittenBookPage) {
			if member, ok := members.Get("filtered"); ok {
				v.FilteredContent = text.decode(c, member)
			}
		},
		encode: func(c *conv, members *nbt.Compound, v *protocol.WrittenBookPage) {
			if v.FilteredContent != nil {
				members.Set("filtered", text.encode(c, v.FilteredContent))
			}
		},
	},
))

// orAlone also reads what stands in place of a compound with only that member.
func orAlone[T any](name string, k codec[T]) codec[T] {
	return codec[T]{
		decode: func(c *conv, v any) T {
			if members, ok := v.(nbt.Compound); ok {
				if _, ok := members.Get(name); ok {
					return k.decode(c, v)
				}
			}
			return k.decode(c, nbt.Compound{{Name: name, Value: v}})
		},
		encode: k.encode,
	}
}

var writableBook = object(
	some("pages", func(v *protocol.WritableBookContentComponent) *[]protocol.BookPage { return &v.Pages }, listOf(bookPage)),
)

var writtenBook = object(
	field[protocol.WrittenBookContentComponent]{
		decode: func(c *conv, members nbt.Compound, v *protocol.WrittenBookContentComponent) {
			member, _ := members.Get("title")
			page := bookPage.decode(c, member)
			v.RawTitle, v.FilteredTitle = page.Content, page.FilteredContent
		},
		encode: func(c *conv, members *nbt.Compound, v *protocol.WrittenBookContentComponent) {
			members.Set("title", bookPage.encode(c, protocol.BookPage{Content: v.RawTitle, FilteredContent: v.FilteredTitle}))
		},
	},
	need("author", func(v *protocol.WrittenBookContentComponent) *string { return &v.Author }, str),
	may("generation", func(v *protocol.WrittenBookContentComponent) *int32 { return &v.Generation }, intOf[int32](0, 3), 0),
	some("pages", func(v *protocol.WrittenBookContentComponent) *[]protocol.WrittenBookPage { return &v.Pages }, listOf(writtenPage)),
	may("resolved", func(v *protocol.WrittenBookContentComponent) *bool { return &v.Resolved }, truth, false),
)

var trim = object(
	need("material", func(v *protocol.TrimComponent) *protocol.Holder[protocol.TrimMaterial] { return &v.Material },
		holder[protocol.TrimMaterial]("trim_material", nil)),
	need("pattern", func(v *protocol.TrimComponent) *protocol.Holder[protocol.TrimPattern] { return &v.Pattern },
		holder[protocol.TrimPattern]("trim_pattern", nil)),
)

var bannerPatterns = within(func(v *protocol.BannerPatternsComponent) *[]protocol.BannerPatternLayer { return &v.Layers }, listOf(object(
	need("pattern", func(v *protocol.BannerPatternLayer) *protocol.Holder[protocol.BannerPattern] { return &v.Pattern },
		holder[protocol.BannerPattern]("banner_pattern", nil)),
	need("color", func(v *protocol.BannerPatternLayer) *int32 { return &v.ColorID }, dyeNumber),
)))

var dyeNumber = codec[int32]{
	decode: func(c *conv, v any) int32 { return int32(dyes.decode(c, v)) },
	encode: func(c *conv, v int32) any { return dyes.encode(c, protocol.DyeColor(v)) },
}

var explosion = object(
	need("shape", func(v *protocol.FireworkExplosion) *protocol.FireworkExplosionShape { return &v.Shape },
		named[protocol.FireworkExplosionShape]("small_ball", "large_ball", "star", "creeper", "burst")),
	some("colors", func(v *protocol.FireworkExplosion) *[]int32 { return &v.Colors }, listOf(anyInt)),
	some("fade_colors", func(v *protocol.FireworkExplosion) *[]int32 { return &v.FadeColors }, listOf(anyInt)),
	may("has_trail", func(v *protocol.FireworkExplosion) *bool { return &v.HasTrail }, truth, false),
	may("has_twinkle", func(v *protocol.FireworkExplosion) *bool { return &v.HasTwinkle }, truth, false),
)

var fireworks = object(
	may("flight_duration", func(v *protocol.FireworksComponent) *int32 { return &v.FlightDuration }, unsignedByte, 0),
	some("explosions", func(v *protocol.FireworksComponent) *[]protocol.FireworkExplosion { return &v.Explosions }, listOf(explosion)),
)

var lodestone = object(
	opt("target", func(v *protocol.LodestoneTrackerComponent) *protocol.Optional[protocol.GlobalPos] {
		return &v.GlobalPosition
	}, object(
		need("dimension", func(v *protocol.GlobalPos) *string { return &v.DimensionName }, key),
		need("pos", func(v *protocol.GlobalPos) *protocol.BlockPos { return &v.Pos }, blockPos),
	)),
	may("tracked", func(v *protocol.LodestoneTrackerComponent) *bool { return &v.Tracked }, truth, true),
)

var blockPos = codec[protocol.BlockPos]{
	decode: func(c *conv, v any) protocol.BlockPos {
		xyz, ok := v.([]int32)
		if !ok || len(xyz) != 3 {
			c.fail()
			return protocol.BlockPos{}
		}
		return protocol.BlockPos{X: xyz[0], Y: xyz[1], Z: xyz[2]}
	},
	encode: func(_ *conv, v protocol.BlockPos) any { return []int32{v.X, v.Y, v.Z} },
}

var uuid = codec[protocol.UUID]{
	decode: func(c *conv, v any) (u protocol.UUID) {
		ints, ok := v.([]int32)
		if !ok || len(ints) != 4 {
			c.fail()
			return u
		}
		for i, n := range ints {
			binary.BigEndian.PutUint32(u[4*i:], uint32(n))
		}
		return u
	},
	encode: func(_ *conv, v protocol.UUID) any {
		ints := make([]int32, 4)
		for i := range ints {
			ints[i] = int32(binary.BigEndian.Uint32(v[4*i:]))
		}
		return ints
	},
}

var profileFull = object(
	opt("name", func(v *protocol.ResolvableProfile) *protocol.Optional[string] { return &v.Name }, str),
	opt("id", func(v *protocol.ResolvableProfile) *protocol.Optional[protocol.UUID] { return &v.UUID }, uuid),
	some("properties", func(v *protocol.ResolvableProfile) *[]protocol.ProfileProperty { return &v.Properties }, listOf(object(
		need("name", func(v *protocol.ProfileProperty) *string { return &v.Name }, str),
		need("value", func(v *protocol.ProfileProperty) *string { return &v.Value }, str),
		opt("signature", func(v *protocol.ProfileProperty) *protocol.Optional[string] { return &v.Signature }, str),
	))),
)

// profile may be a name alone; it is sent as one that is not complete.
var profile = codec[protocol.ResolvableProfile]{
	decode: func(c *conv, v any) protocol.ResolvableProfile {
		if name, ok := v.(string); ok {
			return protocol.ResolvableProfile{Name: protocol.Some(str.decode(c, name))}
		}
		members, _ := v.(nbt.Compound)
		for _, patched := range []string{"texture", "cape", "elytra", "model"} {
			if _, ok := members.Get(patched); ok {
				c.fail()
			}
		}
		return profileFull.decode(c, v)
	},
	encode: func(c *conv, v protocol.ResolvableProfile) any {
		if v.SkinPatch != (protocol.PlayerSkinPatch{}) {
			c.fail()
		}
		if v.Type == protocol.ResolvableProfileTypeComplete {
			v.Name, v.UUID = protocol.Some(v.CompleteName), protocol.Some(v.CompleteUUID)
		}
		return profileFull.encode(c, v)
	},
}

// maxContainer is how many slots a container in an item has.
const maxContainer = 256

// container is a list of the slots that are not empty, in packets of all.
var container = codec[protocol.ContainerComponent]{
	decode: func(c *conv, v any) (out protocol.ContainerComponent) {
		list, ok := elements(v)
		if !ok || len(list.Items) > maxContainer {
			c.fail()
			return out
		}
		for _, element := range list.Items {
			members, _ := element.(nbt.Compound)
			slot, _ := members.Get("slot")
			stack, _ := members.Get("item")
			at := int(intOf[int32](0, maxContainer-1).decode(c, slot))
			for len(out.Contents) <= at {
				out.Contents = append(out.Contents, protocol.Optional[protocol.ItemTemplate]{})
			}
			out.Contents[at] = protocol.Some(template.decode(c, stack))
			if c.failed {
				return out
			}
		}
		return out
	},
	encode: func(c *conv, v protocol.ContainerComponent) any {
		list := nbt.List{Elem: nbt.TypeCompound}
		for i, o := range v.Contents {
			if o.Present {
				list.Items = append(list.Items, nbt.Compound{
					{Name: "slot", Value: int32(i)}, {Name: "item", Value: template.encode(c, o.Value)},
				})
			}
		}
		return list
	},
}
