package backup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strata/bench/corpus"
	"strata/bench/testbed"
	"strata/region/vfs"
)

// realWorlds are the folders of the sample worlds, unpacked.
func realWorlds(t *testing.T) (all []string) {
	t.Helper()
	dir := t.TempDir()
	must(t, corpus.Unpack(testbed.Shared(t, "worlds", "sample-worlds.tar.zst"), dir))
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "level.dat" {
			all = append(all, filepath.Dir(path))
		}
		return err
	}))
	if len(all) < 4 {
		t.Fatalf("%d worlds", len(all))
	}
	return all
}

// TestRealWorldsComeBack: worlds of vanilla, Fabric and Paper, with unpadded and
// empty files, and one of before 26.1 also as Bukkit splits it.
func TestRealWorldsComeBack(t *testing.T) {
	worlds := realWorlds(t)
	for _, world := range worlds {
		if _, err := os.Stat(filepath.Join(world, "DIM-1")); err == nil {
			split(t, world)
		}
	}
	bothTargets(t, func(t *testing.T, target Target) {
		dir := t.TempDir()
		t.Cleanup(func() { must(t, sealFolders(vfs.OS(), dir, 0o755)) })
		repo, err := Init(ctx, filepath.Join(dir, "repo"), InitOptions{Target: target})
		must(t, err)
		for i, world := range worlds {
			for _, exact := range []bool{false, true} {
				rep, err := repo.Create(ctx, world, CreateOptions{Exact: exact})
				must(t, err)
				bytes := exact || target == Tree
				to := filepath.Join(dir, "restored", string(rune('a'+i))+rep.ID)
				_, err = repo.Restore(ctx, rep.ID, RestoreOptions{To: to})
				must(t, err)
				for _, suffix := range suffixes(world) {
					if diff := sumsOf(t, vfs.OS(), world+suffix, bytes).diff(sumsOf(t, vfs.OS(), to+suffix, bytes)); len(diff) > 0 {
						t.Errorf("%s%s, exact %v: %s", filepath.Base(world), suffix, exact, strings.Join(diff, "\n"))
					}
				}
				v, err := repo.View(ctx, rep.ID)
				must(t, err)
				w, err := v.World()
				must(t, err)
				if len(w.Folders()) != len(suffixes(world)) || w.DataVersion() != rep.DataVersion {
					t.Errorf("%s: a view of %v", world, w.Folders())
				}
				must(t, v.Close())
			}
		}
		v, err := repo.Verify(ctx, VerifyOptions{})
		must(t, err)
		if !v.OK() {
			t.Errorf("%+v", v)
		}
	})
}

func suffixes(world string) []string {
	if _, err := os.Stat(world + "_nether"); err == nil {
		return []string{"", "_nether"}
	}
	return []string{""}
}

// split moves the nether beside the world, as Bukkit has it.
func split(t *testing.T, world string) {
	t.Helper()
	must(t, os.Mkdir(world+"_nether", 0o755))
	must(t, os.Rename(filepath.Join(world, "DIM-1"), filepath.Join(world+"_nether", "DIM-1")))
	data, err := os.ReadFile(filepath.Join(world, "level.dat"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(world+"_nether", "level.dat"), data, 0o644))
	if err := os.RemoveAll(filepath.Join(world, "DIM1")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}
