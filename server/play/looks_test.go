package play

import (
	"testing"

	"strata/anvil/registry"
)

func TestLooksHaveTheNumbersOfTheRegistries(t *testing.T) {
	for _, v := range []registry.Version{registry.V26_1, registry.V26_2} {
		player := registry.EntityByName("minecraft:player", v)
		for name, want := range map[string]int{
			"shared_flags": metadataFlags, "pose": metadataPose, "player_main_hand": metadataArm, "player_mode_customisation": metadataSkin,
		} {
			if got, ok := player.MetadataIndex(name); !ok || got != want {
				t.Errorf("%v: %s is %d, %v", v, name, got, ok)
			}
		}
		for name, want := range map[string]int32{
			"standing": poseStanding, "fall_flying": poseGliding, "swimming": poseSwimming, "crouching": poseSneaking, "dying": poseDying,
		} {
			if got, ok := registry.EnumOf("entity_pose", v).ID(name); !ok || got != want {
				t.Errorf("%v: %s is %d, %v", v, name, got, ok)
			}
		}
	}
}
