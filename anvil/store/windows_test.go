package store

import "testing"

// TestWithTheRulesOfWindows runs tests again on a file system where open files
// are neither renamed nor removed, locks keep others from reading, and nothing
// is cloned.
func TestWithTheRulesOfWindows(t *testing.T) {
	onWindows = true
	defer func() { onWindows = false }()
	for name, f := range map[string]func(*testing.T){
		"crashes":       TestEpochIsWholeAfterEveryCrash,
		"faults":        TestEpochSurvivesEveryFault,
		"foreign write": TestAForeignWriteVoidsTheReplay,
		"cut":           TestCutHasEverythingAsItWasThen,
		"files":         TestDataFilesAreReadAsStaged,
		"level.dat":     TestLevelDatRaisesTheWorldsVersion,
		"model":         TestStoreServesWhatWasPutLast,
		"rescue":        TestCloseRescuesWhatCannotBeSaved,
		"install":       TestInstalledRegionReplacesWhatTheCacheHas,
		"install crash": TestInstallIsOneOrTheOtherFileAfterACrash,
		"bodies":        TestInstallRemovesBodiesThatNobodyNames,
		"raw":           TestRawReplaceGoesWithTheCacheAndHolds,
		"snapshot":      TestSnapshotStaysAsItWas,
		"storm":         TestStorm,
		"read":          TestOpenReadWritesNothing,
	} {
		t.Run(name, f)
	}
}
