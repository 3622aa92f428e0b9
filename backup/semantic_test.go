package backup

import (
	"testing"

	"strata/nbt"
	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// TestASemanticRepositoryKeepsLastUpdateApart: chunks that nothing else tells apart
// cost a few bytes, and come back with their own LastUpdate.
func TestASemanticRepositoryKeepsLastUpdateApart(t *testing.T) {
	const dir = "dimensions/minecraft/overworld/region"
	r := newRig(t, Repo)
	repo, err := Init(ctx, "semantic", InitOptions{FS: r.fs, Semantic: true})
	must(t, err)
	must(t, repo.Close())
	r.repo, err = Open("semantic", OpenOptions{FS: r.fs, Now: r.time})
	must(t, err)
	var data [][]byte
	for range 40 {
		data = append(data, r.bytes(3000+r.rnd.IntN(6000)))
	}
	write := func(last int64) {
		f := r.region(dir, region.Pos{X: 2, Z: 2})
		for i, d := range data {
			c := region.Pos{X: 2, Z: 2}.Chunk(region.Slot(i))
			must(t, f.Write(ctx, region.Write{Slot: region.Slot(i), Scheme: codec.Zlib, Data: zlibbed(t, document(c, 4903, last, d))}))
		}
		must(t, f.Close())
	}
	var ids []string
	for i := range int64(3) {
		write(1000 + i)
		rep := r.create(CreateOptions{})
		ids = append(ids, rep.ID)
		if i > 0 && rep.NewBytes > 8000 {
			t.Errorf("%d chunks of which LastUpdate changed add %d bytes", rep.NewChunks, rep.NewBytes)
		}
	}
	for i, id := range ids {
		v, err := r.repo.View(ctx, id)
		must(t, err)
		_, err = r.repo.Restore(ctx, id, RestoreOptions{To: "restored"})
		must(t, err)
		for _, at := range []struct {
			fs  vfs.FS
			dir string
		}{{v, v.Root}, {r.fs, "restored"}} {
			wantLast(t, at.fs, at.dir+"/"+dir+"/r.2.2.mca", data, int64(1000+i))
		}
		must(t, v.Close())
		must(t, removeAll(r.fs, "restored"))
	}
	got, err := r.repo.Blame(ctx, BlameOptions{Chunk: region.Pos{X: 2, Z: 2}.Chunk(3)})
	must(t, err)
	if len(got) != 3 || got[0].Class.String() != "touched" {
		t.Errorf("%+v", got)
	}
	exact := r.create(CreateOptions{Exact: true})
	r.want(exact.ID, r.live(true), true)
	r.verify()
}

// wantLast demands that chunks have their data and that LastUpdate.
func wantLast(t *testing.T, fsys vfs.FS, name string, data [][]byte, last int64) {
	t.Helper()
	f, err := region.Open(name, region.Options{FS: fsys, ReadOnly: true})
	must(t, err)
	var dec codec.Decoder
	var tape nbt.Tape
	for i, d := range data {
		doc, _, err := f.Decode(region.Slot(i), &dec, nil, nil)
		must(t, err)
		must(t, tape.Parse(doc))
		got, _ := tape.Root().Get("LastUpdate").Int()
		bytes, _ := tape.Root().Get("data").ByteArray()
		if got != last || string(bytes) != string(d) {
			t.Errorf("chunk %d has LastUpdate %d, not %d, and %d bytes", i, got, last, len(bytes))
		}
	}
	must(t, f.Close())
}
