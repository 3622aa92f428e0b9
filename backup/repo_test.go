package backup

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"strata/anvil"
	"strata/anvil/diff"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

func TestSnapshotsAreFoundByTheirBeginning(t *testing.T) {
	r := newRig(t, Repo)
	a, b := r.create(CreateOptions{Tags: []string{"x"}}), r.create(CreateOptions{})
	_, random, _ := strings.Cut(a.ID, "-")
	for _, name := range []string{a.ID, a.ID[:8], "1-" + random[:3], random} {
		got, err := r.repo.Find(ctx, name)
		if err != nil || got.ID != a.ID || got.Tags[0] != "x" {
			t.Errorf("%q: %v, %v", name, got.ID, err)
		}
	}
	if _, err := r.repo.Find(ctx, "0000"); !errors.Is(err, ErrAmbiguous) {
		t.Error(err)
	}
	for _, name := range []string{"", "zzz", "../x", "9"} {
		if _, err := r.repo.Find(ctx, name); !errors.Is(err, ErrNoSnapshot) {
			t.Errorf("%q: %v", name, err)
		}
	}
	latest, err := r.repo.Find(ctx, Latest)
	if err != nil || latest.ID != b.ID {
		t.Error(latest.ID, err)
	}
}

func TestMarksChangeWhatIsSaidOfASnapshot(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		id := r.create(CreateOptions{}).ID
		yes, tags := true, []string{"a", "b"}
		_, err := r.repo.Mark(ctx, id, MarkOptions{Protected: &yes, Tags: &tags})
		must(t, err)
		if err := r.repo.Forget(ctx, id); !errors.Is(err, ErrProtected) {
			t.Error(err)
		}
		no := false
		when := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		until := &when
		s, err := r.repo.Mark(ctx, id, MarkOptions{Protected: &no, Expires: &until})
		must(t, err)
		if s.Protected || len(s.Tags) != 2 || !s.Expires.Equal(when) {
			t.Errorf("%+v", s)
		}
		must(t, r.repo.Forget(ctx, id))
		list, err := r.repo.Snapshots(ctx)
		must(t, err)
		if len(list) != 0 {
			t.Error(list)
		}
	})
}

// TestBlameSaysWhenAChunkChanged.
func TestBlameSaysWhenAChunkChanged(t *testing.T) {
	const dir = "dimensions/minecraft/overworld/region"
	c := region.ChunkPos{X: 20, Z: 20}
	write := func(r *rig, version int64, data string, stamp uint32) {
		f := r.region(dir, c.Region())
		w := region.Write{Slot: c.Slot(), Scheme: codec.Zlib, Data: zlibbed(r.t, document(c, 4903, version, []byte(data)))}
		w.Timestamp, w.SetTimestamp = stamp, true
		must(r.t, f.Write(ctx, w))
		must(r.t, f.Close())
	}
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		// The world is made at random, and may have something in that place.
		for _, of := range r.regionDirs()[:3] {
			f := r.region(of, c.Region())
			must(t, f.Write(ctx, region.Write{Slot: c.Slot(), Delete: true}))
			must(t, f.Close())
		}
		var ids []string
		steps := []func(){
			func() {},
			func() { write(r, 1, "one", 1000) },
			func() { write(r, 2, "one", 1001) }, // only LastUpdate
			func() {},
			func() { write(r, 3, "two", 1002) },
			func() {
				f := r.region(dir, c.Region())
				must(t, f.Write(ctx, region.Write{Slot: c.Slot(), Delete: true}))
				must(t, f.Close())
			},
		}
		for _, step := range steps {
			step()
			ids = append(ids, r.create(CreateOptions{}).ID)
		}
		got, err := r.repo.Blame(ctx, BlameOptions{Chunk: c})
		must(t, err)
		want := []struct {
			id    string
			class diff.Class
		}{{ids[5], diff.Deleted}, {ids[4], diff.Modified}, {ids[2], diff.Touched}, {ids[1], diff.Created}}
		if len(got) != len(want) {
			t.Fatalf("%+v", got)
		}
		for i, w := range want {
			if got[i].Snapshot != w.id || got[i].Class != w.class {
				t.Errorf("%d: %+v, not %+v", i, got[i], w)
			}
		}
		if got[1].Stamp.Unix() != 1002 {
			t.Errorf("saved at %v", got[1].Stamp)
		}
	})
}

// TestSnapshotsAreComparedAsWorldsAre: a view is read by package diff.
func TestSnapshotsAreComparedAsWorldsAre(t *testing.T) {
	const dir = "dimensions/minecraft/overworld/region"
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		r.write(dir, region.ChunkPos{X: 170, Z: 170}, 100)
		a := r.create(CreateOptions{}).ID
		r.write(dir, region.ChunkPos{X: 170, Z: 170}, 200)
		r.write(dir, region.ChunkPos{X: 171, Z: 171}, 200)
		b := r.create(CreateOptions{}).ID
		sides := make([]*diff.Side, 2)
		for i, id := range []string{a, b} {
			v, err := r.repo.View(ctx, id)
			must(t, err)
			defer func() { must(t, v.Close()) }()
			w, err := v.World()
			must(t, err)
			sides[i] = diff.OpenWorld(w, anvil.Overworld)
		}
		n := map[diff.Class]int{}
		_, err := diff.Compare(ctx, sides[0], sides[1], diff.Options{}, func(x *diff.Region) error {
			for _, c := range x.Classes {
				n[c]++
			}
			return nil
		})
		must(t, err)
		if n[diff.Modified] != 1 || n[diff.Created]+n[diff.Deleted]+n[diff.Touched]+n[diff.Unreadable] != 1 || n[diff.Equal] == 0 {
			t.Errorf("%v", n)
		}
	})
}

func TestUsersOfARepositoryKeepApart(t *testing.T) {
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		id := r.create(CreateOptions{}).ID
		l, err := lock(r.fs, "repo", adding)
		must(t, err)
		if _, err := r.repo.Create(ctx, r.world, CreateOptions{}); !errors.Is(err, ErrLocked) {
			t.Errorf("a second snapshot: %v", err)
		}
		v, err := r.repo.View(ctx, id)
		must(t, err) // reading goes on
		must(t, l.release())
		if _, err := r.repo.Prune(ctx, PruneOptions{}); !errors.Is(err, ErrLocked) {
			t.Errorf("prune beside a reader: %v", err)
		}
		must(t, v.Close())
		_, err = r.repo.Prune(ctx, PruneOptions{})
		must(t, err)
	})
}

// TestAnEncryptedRepositoryShowsNothing and opens with its key alone.
func TestAnEncryptedRepositoryShowsNothing(t *testing.T) {
	who, err := age.GenerateX25519Identity()
	must(t, err)
	r := newRig(t, Repo)
	const secret = "nobody may read this text, which does not compress away"
	r.put("note.txt", []byte(secret))
	repo, err := Init(ctx, "sealed", InitOptions{FS: r.fs, Recipients: []string{who.Recipient().String()}})
	must(t, err)
	rep, err := repo.Create(ctx, r.world, CreateOptions{Tags: []string{"tagged"}})
	must(t, err)
	files, err := repo.Files(ctx)
	must(t, err)
	if len(files) != 4 {
		t.Errorf("files: %v", files)
	}
	for _, f := range files {
		data, err := vfs.ReadFile(r.fs, "sealed/"+f.Path, 1<<30)
		must(t, err)
		for _, text := range []string{secret[:16], "tagged", "level.dat"} {
			if bytes.Contains(data, []byte(text)) {
				t.Errorf("%s shows %q", f.Path, text)
			}
		}
	}
	other, err := age.GenerateX25519Identity()
	must(t, err)
	for _, o := range []OpenOptions{{}, {Identities: []string{other.String()}}, {Passphrase: "no"}} {
		o.FS = r.fs
		if _, err := Open("sealed", o); !errors.Is(err, ErrWrongKey) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	repo, err = Open("sealed", OpenOptions{FS: r.fs, Identities: []string{who.String()}, Now: r.time})
	must(t, err)
	r.repo = repo
	r.want(rep.ID, r.live(false), false)
	again := r.create(CreateOptions{})
	if again.NewChunks != 0 || again.NewBytes > 2000 {
		t.Errorf("a repeat: %+v", again)
	}
	r.verify()
	pack := ""
	for _, f := range files {
		if strings.HasPrefix(f.Path, packsDir) {
			pack = "sealed/" + f.Path
		}
	}
	flip(t, r.fs, pack, 5000, 1)
	v, err := r.repo.Verify(ctx, VerifyOptions{})
	must(t, err)
	if v.OK() || len(v.Lost) == 0 {
		t.Errorf("%+v", v)
	}
}

func TestWhatIsNoRepositoryIsRefused(t *testing.T) {
	m := vfs.NewMem(vfs.MemOptions{})
	must(t, m.Mkdir("x", 0o755))
	if _, err := Open("x", OpenOptions{FS: m}); !errors.Is(err, ErrNoRepository) {
		t.Error(err)
	}
	must(t, vfs.WriteFileSync(m, "x/file", nil, 0o644))
	if _, err := Init(ctx, "x", InitOptions{FS: m}); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
	for _, o := range []InitOptions{{Target: "tape"}, {Target: Tree, Semantic: true}, {Target: Tree, Passphrase: "x"}} {
		o.FS = m
		if _, err := Init(ctx, "y", o); !errors.Is(err, ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
