package main

import (
	"strings"
	"unicode"
)

// primitives are the types of the schema that server/protocol writes by hand,
// with the functions that walk them. Those that begin with a dot are methods.
var primitives = map[string]goType{
	"varint":            {"int32", "varint"},
	"varlong":           {"int64", "varlong"},
	"u8":                {"uint8", "u8"},
	"u16":               {"uint16", "u16"},
	"u32":               {"uint32", "i32"},
	"i8":                {"int8", "i8"},
	"i16":               {"int16", "i16"},
	"i32":               {"int32", "i32"},
	"i64":               {"int64", "i64"},
	"f32":               {"float32", "f32"},
	"f64":               {"float64", "f64"},
	"bool":              {"bool", "boolean"},
	"string":            {"string", "text"},
	"ByteArray":         {"[]byte", "blob"},
	"restBuffer":        {"[]byte", "rest"},
	"anonymousNbt":      {"NBT", "document"},
	"anonOptionalNbt":   {"NBT", "optionalDocument"},
	"optvarint":         {"Optional[int32]", "optionalInt"},
	"teamColor":         {"Optional[int32]", "teamColor"},
	"spectated":         {"Optional[int32]", "spectated"},
	"ContainerID":       {"int32", "varint"},
	"UUID":              {"UUID", "(*UUID).wire"},
	"position":          {"BlockPos", "(*BlockPos).wire"},
	"packedChunkPos":    {"ChunkPos", "(*ChunkPos).wire"},
	"lpVec3":            {"Velocity", "(*Velocity).wire"},
	"IDSet":             {"HolderSet", "(*HolderSet).wire"},
	"Slot":              {"ItemStack", "(*ItemStack).wire"},
	"ItemStackTemplate": {"ItemTemplate", "(*ItemTemplate).wire"},
	"UntrustedSlot":     {"UntrustedItem", "(*UntrustedItem).wire"},
	"SlotComponentType": {"ComponentType", "(*ComponentType).wire"},
	"entityMetadata":    {"Metadata", "(*Metadata).wire"},
	"command_node":      {"CommandNode", "(*CommandNode).wire"},
}

// byHand are packets whose types are written by hand.
var byHand = map[string]string{"player_info_update": "PlayerInfoUpdate"}

// goType is a type and the function that walks it; "" if it is made of others.
type goType struct{ name, walk string }

// registryEnums are enumerations that are registries: their constants are
// those of the newest version, and wire is written by hand.
var registryEnums = map[string]struct{ key, prefix string }{
	"ComponentType": {"minecraft:data_component_type", "Component"},
	"ParticleType":  {"minecraft:particle_type", "Particle"},
	"CommandParser": {"minecraft:command_argument_type", "Parser"},
}

// typeNames are Go names of the schema's types.
var typeNames = map[string]string{
	"SlotComponent":                 "Component",
	"ItemSoundEvent":                "SoundEvent",
	"ItemFireworkExplosion":         "FireworkExplosion",
	"ItemEffectDetail":              "EffectDetails",
	"ItemPotionEffect":              "PotionEffect",
	"ItemBlockProperty":             "BlockProperty",
	"ItemBlockPredicate":            "BlockPredicate",
	"ItemBookPage":                  "BookPage",
	"ItemWrittenBookPage":           "WrittenBookPage",
	"ItemConsumeEffect":             "ConsumeEffect",
	"ArmorTrimMaterial":             "TrimMaterial",
	"ArmorTrimPattern":              "TrimPattern",
	"InstrumentData":                "Instrument",
	"JukeboxSongData":               "JukeboxSong",
	"DamageTypeData":                "DamageType",
	"HashedSlot":                    "HashedItem",
	"DebugStructureInfo":            "DebugStructure",
	"Node":                          "PathNode",
	"PathDebugData":                 "PathDebug",
	"DebugSubscriptionDataType":     "DebugSubscription",
	"DebugSubscriptionUpdate":       "DebugUpdate",
	"DebugSubscriptionEvent":        "DebugOccurrence",
	"soundSource":                   "SoundSource",
	"entityMetadataEntry":           "MetadataEntry",
	"EntityMetadataPaintingVariant": "PaintingVariant",
	"chunkBlockEntity":              "ChunkBlockEntity",
	"GameProfileProperty":           "ProfileProperty",
	"PartialResolvableProfile":      "PartialProfile",
	"vec2f":                         "Vec2F",
	"vec3f":                         "Vec3F",
	"vec4f":                         "Vec4F",
	"vec3f64":                       "Vec3D",
	"vec3i":                         "Vec3I",
	"vec3i32":                       "Vec3Int",
	"ChatTypes":                     "ChatType",
	"ChatType":                      "ChatDecoration",
	"ChatTypeParameterType":         "ChatParameter",
	"ExplosionParticleInfo":         "ExplosionParticle",
	"ExplosionParticleEntry":        "WeightedExplosionParticle",
	"PositionUpdateRelatives":       "Relatives",
	"RecipeBookSetting":             "RecipeBookState",
	"MovementFlags":                 "MoveFlags",
	"Tag":                           "TagEntries",
	"BossFlags":                     "BossBarFlags",
}

// placeNames are Go names of types without a name in the schema, by the place
// where they stand: the type around them and the field.
var placeNames = map[string]string{
	"ChangeDifficultyClientbound.Difficulty":  "Difficulty",
	"OpenBook.Hand":                           "Hand",
	"LoginFinished.Properties":                "ProfileProperty",
	"ChatCommandSigned.ArgumentSignatures":    "ArgumentSignature",
	"EnchantmentsComponent.Enchantments":      "EnchantmentLevel",
	"AttributeModifiersComponent.Value":       "ItemAttributeModifier",
	"ItemAttributeModifier.Operation":         "AttributeOperation",
	"ItemAttributeModifier.Slot":              "EquipmentGroup",
	"ItemAttributeModifier.Display":           "AttributeDisplay",
	"EquippableComponent.Slot":                "EquipmentSlot",
	"ConsumableComponent.Animation":           "UseAnimation",
	"HashedItem.Components":                   "HashedComponent",
	"HashedItem.RemoveComponents":             "RemovedComponent",
	"CustomReportDetails.Details":             "ReportDetail",
	"AdvancementProgress.Value":               "CriterionProgress",
	"TrackedWaypoint.Icon":                    "WaypointIcon",
	"TrackedWaypoint.Type":                    "WaypointType",
	"MoveMinecartAlongTrack.Steps":            "MinecartStep",
	"GameEvent.Event":                         "GameEventKind",
	"BlocksAttacksComponent.DamageReductions": "DamageReduction",
	"BlocksAttacksComponent.ItemDamage":       "BlockingItemDamage",
	"ToolComponent.Rules":                     "ToolRule",
	"SuspiciousStewEffectsComponent.Effects":  "StewEffect",
	"DebugGoalSelectors.Goals":                "DebugGoal",
	"SpawnInfo.GameMode":                      "GameMode",
	"MetadataHumanoidArm.Value":               "Arm",
	"Particle.Type":                           "ParticleType",
	"MetadataEntry.Type":                      "MetadataType",
	"SlotDisplay.Type":                        "SlotDisplayType",
	"RecipeDisplay.Type":                      "RecipeDisplayType",
	"LevelChunkWithLight.Heightmaps":          "Heightmap",
	"LevelChunkWithLight.HeightmapsType":      "HeightmapType",
	"MerchantOffers.Offers":                   "MerchantOffer",
	"MerchantOffer.FirstInput":                "MerchantInput",
	"SetPlayerTeam.NameTagVisibility":         "NameTagVisibility",
	"SetPlayerTeam.CollisionRule":             "CollisionRule",
	"SetPlayerTeam.Mode":                      "TeamMode",
	"UpdateAdvancements.Added":                "IdentifiedAdvancement",
	"UpdateAdvancements.Progress":             "AdvancementProgress",
	"IdentifiedAdvancement.Value":             "Advancement",
	"Advancement.Display":                     "AdvancementDisplay",
	"RecipeBookAdd.Entries":                   "RecipeBookEntry",
	"RecipeBookEntry.Recipe":                  "RecipeBookRecipe",
	"RecipeBookRecipe.Category":               "RecipeBookCategory",
	"SetTime.Clocks":                          "WorldClock",
	"AwardStats.Stats":                        "Statistic",
	"MapItemData.Icons":                       "MapIcon",
	"UpdateAttributes.Attributes":             "Attribute",
	"Attribute.Modifiers":                     "AttributeModifier",
	"ChunksBiomes.Chunks":                     "ChunkBiomes",
	"RegistryData.Entries":                    "RegistryEntry",
	"UpdateTags.Registries":                   "RegistryTags",
	"SelectKnownPacksClientbound.Packs":       "KnownPack",
	"SelectKnownPacks.Packs":                  "KnownPack",
	"ServerLinks.Links":                       "ServerLink",
	"ContainerClick.Changed":                  "ChangedSlot",
	"UpdateRecipes.PropertySets":              "RecipePropertySet",
	"UpdateRecipes.Stonecutter":               "StonecutterRecipe",
	"Waypoint.Waypoint":                       "TrackedWaypoint",
	"ClientInformation.ParticleStatus":        "ParticleStatus",
	"CommandSuggestions.Matches":              "CommandSuggestionMatch",
}

// fieldNames are Go names of fields: of one type, or of all.
var fieldNames = map[string]string{
	"nbtData": "NBT", "nbt": "NBT", "objectUUID": "UUID", "windowId": "ContainerID", "window_id": "ContainerID",
	"enforcesSecureChat": "SecureChat", "worldState": "Spawn", "worldNames": "Dimensions",
	"isHardcore": "Hardcore", "doLimitedCrafting": "LimitedCrafting", "enableRespawnScreen": "ShowDeathScreen",
	"isDebug": "Debug", "isFlat": "Flat", "previousGamemode": "PreviousGameMode", "gamemode": "GameMode",
	"sendsTelemtryData": "SendsTelemetry", "xCord": "X", "yCord": "Y", "advancementMapping": "Added",
	"identifiers": "Removed", "progressMapping": "Progress", "displayData": "Display", "parentId": "Parent",
	"dX": "DX", "dY": "DY", "dZ": "DZ", "dx": "DX", "dy": "DY", "dz": "DZ", "isFrontText": "Front", "clockUpdates": "Clocks",
	"headPitch": "HeadYaw", "objectData": "Data", "isActionBar": "Overlay", "soundCategory": "Source",
	"location": "Pos", "blockPos": "Pos", "keepAliveId": "ID", "nextState": "Intent", "serverHost": "Host", "serverPort": "Port", "protocolVersion": "Protocol",
	"trades": "Offers", "inputItem1": "FirstInput", "inputItem2": "SecondInput", "outputItem": "Output",
	"tradeDisabled": "Disabled", "nbTradeUses": "Uses", "maximumNbTradeUses": "MaxUses",
	"itemId": "Item", "itemCount": "Count", "isFrozen": "Frozen", "globalPos": "Pos", "stoneCutterRecipes": "Stonecutter",
	"recipes": "PropertySets", "stateId": "StateID", "xp": "XP", "iconBytes": "Icon", "age": "GameTime",
	"nbSlots": "Columns", "byte1": "Action", "byte2": "Parameter",
}

// typeFieldNames are as fieldNames, for one type.
var typeFieldNames = map[string]string{
	"AwardStats.entries":                   "Stats",
	"UpdateAttributes.properties":          "Attributes",
	"Attribute.key":                        "ID",
	"AttributeModifier.uuid":               "ID",
	"ChunksBiomes.biomes":                  "Chunks",
	"UpdateTags.tags":                      "Registries",
	"RegistryTags.tagType":                 "Registry",
	"TagEntries.tagName":                   "Name",
	"ContainerClick.changedSlots":          "Changed",
	"ContainerClick.mouseButton":           "Button",
	"ContainerClick.cursorItem":            "Carried",
	"ChangedSlot.location":                 "Slot",
	"IdentifiedAdvancement.key":            "ID",
	"BlockUpdate.type":                     "State",
	"SetEquipment.equipments":              "Slots",
	"ContainerButtonClick.enchantment":     "Button",
	"RecipeBookEntry.recipe":               "Recipe",
	"AddEntity.type":                       "Type",
	"EntityEvent.entityStatus":             "Event",
	"GameEvent.reason":                     "Event",
	"GameEvent.gameMode":                   "Value",
	"PlayerAction.status":                  "Action",
	"LevelEvent.effectId":                  "Event",
	"SectionBlocksUpdate.chunkCoordinates": "Section",
	"SectionBlocksUpdate.records":          "Blocks",
	"PlayerCommand.jumpBoost":              "Data",
	"PlayerCommand.actionId":               "Action",
	"ClientCommand.actionId":               "Action",
	"MapItemData.itemDamage":               "Map",
	"SetHealth.foodSaturation":             "Saturation",
	"SetExperience.experienceBar":          "Bar",
	"SetExperience.totalExperience":        "Total",
	"BlockEntityData.action":               "Type",
	"SpectateEntity.entityId":              "Entity",
	"Respawn.copyMetadata":                 "Kept",
	"Interact.location":                    "Location",
	"Interact.target":                      "EntityID",
	"LevelChunkWithLight.skyLightMask":     "Light",
	"LightUpdate.skyLightMask":             "Light",
	"SetTestBlock.position":                "Pos",
	"MetadataEntry.key":                    "Index",
}

// initialisms keep their case.
var initialisms = map[string]string{
	"id": "ID", "ids": "IDs", "uuid": "UUID", "url": "URL", "nbt": "NBT", "xp": "XP", "json": "JSON", "rgb": "RGB",
}

// camel makes a Go name of a snake_case, camelCase or path/like one.
func camel(name string) string {
	var b strings.Builder
	for _, word := range words(name) {
		if s, ok := initialisms[word]; ok {
			b.WriteString(s)
			continue
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// snake makes a name for errors.
func snake(name string) string { return strings.Join(words(name), "_") }

// words splits a name at separators and before capitals.
func words(name string) []string {
	var list []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			list = append(list, strings.ToLower(string(word)))
		}
		word = nil
	}
	previous := ' '
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
		case unicode.IsUpper(r) && !unicode.IsUpper(previous):
			flush()
			word = append(word, r)
		default:
			word = append(word, r)
		}
		previous = r
	}
	flush()
	return list
}

// singular makes the name of an element of that of a list.
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies"):
		return strings.TrimSuffix(name, "ies") + "y"
	case strings.HasSuffix(name, "sses"), strings.HasSuffix(name, "xes"):
		return strings.TrimSuffix(name, "es")
	case strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss"):
		return strings.TrimSuffix(name, "s")
	}
	return name
}

// limits are the longest texts, lists and byte arrays by Go type and field,
// where the game has its own.
var limits = map[string]string{
	"Intention.Host":                       "255",
	"HelloServerbound.Username":            "maxName",
	"HelloClientbound.ServerID":            "20",
	"LoginFinished.Username":               "maxName",
	"LoginFinished.Properties":             "maxProperties",
	"GameProfile.Name":                     "maxName",
	"GameProfile.Properties":               "maxProperties",
	"PartialProfile.Properties":            "maxProperties",
	"ProfileProperty.Name":                 "64",
	"ProfileProperty.Signature":            "1024",
	"LoginDisconnect.Reason":               "maxLoginText",
	"Key.SharedSecret":                     "maxKey",
	"Key.VerifyToken":                      "maxKey",
	"StoreCookie.Value":                    "MaxCookie",
	"CookieResponse.Value":                 "MaxCookie",
	"ClientInformation.Locale":             "16",
	"Chat.Message":                         "MaxChat",
	"PlayerChat.PlainMessage":              "MaxChat",
	"PlayerChat.PreviousMessages":          "20",
	"ChatCommandSigned.ArgumentSignatures": "8",
	"ArgumentSignature.ArgumentName":       "16",
	"ChatSessionUpdate.PublicKey":          "maxKey",
	"ChatSessionUpdate.Signature":          "maxKeySignature",
	"CommandSuggestion.Text":               "32500",
	"EditBook.Pages":                       "100",
	"EditBook.Title":                       "32",
	"SignUpdate.Text1":                     "384",
	"SignUpdate.Text2":                     "384",
	"SignUpdate.Text3":                     "384",
	"SignUpdate.Text4":                     "384",
	"ContainerClick.Changed":               "128",
	"HashedItem.Components":                "MaxComponents",
	"HashedItem.RemoveComponents":          "MaxComponents",
	"SelectKnownPacks.Packs":               "64",
	"Fireworks.Explosions":                 "256",
	"ResourcePackPush.Hash":                "40",
	"SetStructureBlock.Metadata":           "128",
	"CustomPayload.Data":                   "MaxClientPayload",
}
