package backup

import "testing"

// onWindows makes file systems in memory behave like those of Windows.
var onWindows bool

// TestWithTheRulesOfWindows runs tests again on a file system where open files are
// neither renamed nor removed, locks keep others from reading, and nothing is
// cloned.
func TestWithTheRulesOfWindows(t *testing.T) {
	onWindows = true
	defer func() { onWindows = false }()
	for name, f := range map[string]func(*testing.T){
		"repeats":       TestRepeatsStoreNothing,
		"paranoid":      TestParanoidReadsEverything,
		"in place":      TestRestoreInPlaceMakesTheWorldWhatItWas,
		"part":          TestRestoreOfAPartTouchesNothingElse,
		"external":      TestExternalChunksComeBack,
		"prune":         TestPruneKeepsWhatIsNeededAndFreesTheRest,
		"links":         TestAFileWithTooManyLinksGetsANewCopy,
		"create faults": TestFaultsOfCreateHarmNothing,
		"swap faults":   TestFaultsOfRestoreInPlaceLeaveOneOrTheOther,
		"prune faults":  TestFaultsOfPruneLoseNothing,
	} {
		t.Run(name, f)
	}
}
