package backup

import (
	"bytes"
	"strings"
	"testing"

	"strata/region"
	"strata/region/vfs"
)

// TestDamagedRegionFilesComeBackByteForByte: what cannot be read is kept.
func TestDamagedRegionFilesComeBackByteForByte(t *testing.T) {
	const name = "dimensions/minecraft/overworld/region/r.0.0.mca"
	cases := map[string]func(r *rig, data []byte) []byte{
		"zero-byte":                     func(*rig, []byte) []byte { return nil },
		"short header":                  func(_ *rig, d []byte) []byte { return d[:5000] },
		"garbage":                       func(r *rig, _ []byte) []byte { return r.bytes(40_000) },
		"a location in the header":      func(_ *rig, d []byte) []byte { copy(d[4*700:], []byte{0, 0, 1, 1}); return d },
		"a location beyond the end":     func(_ *rig, d []byte) []byte { copy(d[4*700:], []byte{9, 0, 1, 1}); return d },
		"a count of zero":               func(_ *rig, d []byte) []byte { copy(d[4*700:], []byte{0, 0, 5, 0}); return d },
		"a huge length":                 func(_ *rig, d []byte) []byte { return withRecord(d, 700, []byte{0x7f, 0xff, 0xff, 0xff, 2}) },
		"a length of zero":              func(_ *rig, d []byte) []byte { return withRecord(d, 700, []byte{0, 0, 0, 0, 2}) },
		"a missing external":            func(_ *rig, d []byte) []byte { return withRecord(d, 700, []byte{0, 0, 0, 1, 0x82}) },
		"an overlap":                    func(_ *rig, d []byte) []byte { copy(d[4*700:], d[:4]); copy(d[4*701:], d[4:8]); return overlap(d) },
		"an unpadded tail":              func(_ *rig, d []byte) []byte { return d[:len(d)-100] },
		"a truncated record":            func(_ *rig, d []byte) []byte { return d[:len(d)-4095] },
		"an unknown scheme":             func(_ *rig, d []byte) []byte { return withRecord(d, 700, []byte{0, 0, 0, 6, 99, 1, 2, 3, 4, 5}) },
		"a stream that does not decode": func(_ *rig, d []byte) []byte { return withRecord(d, 700, []byte{0, 0, 0, 6, 2, 1, 2, 3, 4, 5}) },
	}
	// These are whole by their chunks, and only with Exact by their bytes.
	sound := map[string]bool{"an unpadded tail": true, "an unknown scheme": true, "a stream that does not decode": true, "an overlap": false}
	for label, damage := range cases {
		bothTargets(t, func(t *testing.T, target Target) {
			t.Run(label, func(t *testing.T) {
				r := newRig(t, target)
				before, err := vfs.ReadFile(r.fs, r.worldPath(name), 1<<30)
				must(t, err)
				r.put(name, damage(r, bytes.Clone(before)))
				rep := r.create(CreateOptions{})
				if len(rep.Skipped) > 0 {
					t.Errorf("skipped: %v", rep.Skipped)
				}
				byBytes := target == Tree || !sound[label]
				want := r.live(byBytes)
				to := r.path("restored")
				_, err = r.repo.Restore(ctx, rep.ID, RestoreOptions{To: to})
				must(t, err)
				got := sumsOf(t, r.fs, to, byBytes)
				key := name
				if !byBytes {
					want, got = onlyOf(want, key), onlyOf(got, key)
				}
				if byBytes && want[key] != got[key] {
					t.Errorf("%s, not %s", got[key], want[key])
				}
				if diff := want.diff(got); !byBytes && len(diff) > 0 {
					t.Error(diff)
				}
				must(t, removeAll(r.fs, to))
				exact := r.create(CreateOptions{Exact: true})
				r.want(exact.ID, r.live(true), true)
				again := r.create(CreateOptions{Exact: true})
				r.want(again.ID, r.live(true), true)
				r.verify()
			})
		})
	}
}

func onlyOf(s sums, prefix string) sums {
	out := sums{}
	for k, v := range s {
		if strings.HasPrefix(k, prefix) {
			out[k] = v
		}
	}
	return out
}

// withRecord puts a record into a sector at the end, and its location in a slot.
func withRecord(d []byte, slot int, record []byte) []byte {
	for len(d)%region.SectorBytes != 0 {
		d = append(d, 0)
	}
	sector := len(d) / region.SectorBytes
	d = append(d, make([]byte, region.SectorBytes)...)
	copy(d[sector*region.SectorBytes:], record)
	copy(d[4*slot:], []byte{0, byte(sector >> 8), byte(sector), 1})
	return d
}

// overlap makes a second location of the first chunk that there is.
func overlap(d []byte) []byte {
	for s := range region.Slots {
		if d[4*s+2] != 0 && s != 700 {
			copy(d[4*700:4*700+4], d[4*s:4*s+4])
			break
		}
	}
	return d
}

// TestExternalChunksComeBack: a record of a megabyte has a file of its own, which
// may change, grow, and become small again.
func TestExternalChunksComeBack(t *testing.T) {
	const dir = "dimensions/minecraft/overworld/region"
	c := region.ChunkPos{X: 5, Z: 5}
	bothTargets(t, func(t *testing.T, target Target) {
		r := newRig(t, target)
		for _, size := range []int{1_200_000, 1_300_000, 500, 1_100_000} {
			r.write(dir, c, size)
			rep := r.create(CreateOptions{})
			r.want(rep.ID, r.live(false), false)
			exact := r.create(CreateOptions{Exact: true})
			r.want(exact.ID, r.live(true), true)
		}
		// The body alone changes, as a crash between two commits may leave it.
		body, err := vfs.ReadFile(r.fs, r.worldPath(dir+"/"+c.ExternalName()), 1<<30)
		must(t, err)
		body[len(body)/2] ^= 1
		r.put(dir+"/"+c.ExternalName(), body)
		r.put(dir+"/c.900.900.mcc", r.bytes(5000)) // an orphan
		rep := r.create(CreateOptions{})
		r.want(rep.ID, r.live(false), false)
		v, err := r.repo.View(ctx, rep.ID)
		must(t, err)
		got, err := vfs.ReadFile(v, v.Root+"/"+dir+"/"+c.ExternalName(), 1<<30)
		must(t, err)
		if !bytes.Equal(got, body) {
			t.Error("the body that changed is not in the snapshot")
		}
		if _, err := v.Stat(v.Root + "/" + dir + "/c.900.900.mcc"); err != nil {
			t.Errorf("the orphan: %v", err)
		}
		must(t, v.Close())
	})
}
