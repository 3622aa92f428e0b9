package backup

import (
	"context"
	"errors"
	"slices"

	"strata/backup/pack"
)

// Verify implements Repository.
func (r *repo) Verify(ctx context.Context, o VerifyOptions) (_ *VerifyReport, err error) {
	j, err := r.begin(reading)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.end()) }()
	v := &VerifyReport{Damage: []Damage{}, Lost: []Lost{}}
	if _, err := readConfig(r.fs, r.dir); errors.Is(err, ErrDamaged) {
		v.damage(configName, -1, err.Error())
	} else if err != nil {
		return nil, err
	}
	v.Files++
	bad := map[pack.ID]struct{}{}
	if !o.Quick {
		c, err := j.store.Check(ctx, o.Progress)
		if err != nil {
			return nil, err
		}
		for _, d := range c.Damage {
			v.damage(packsDir+"/"+d.Pack, d.Offset, d.What)
		}
		bad = c.Bad
		v.Files += c.Packs
		v.Bytes += c.Bytes
	}
	return v, r.verifySnapshots(ctx, j, o, v, bad)
}

func (v *VerifyReport) damage(path string, offset int64, what string) {
	v.Damage = append(v.Damage, Damage{path, offset, what})
}

func (r *repo) verifySnapshots(ctx context.Context, j *job, o VerifyOptions, v *VerifyReport, bad map[pack.ID]struct{}) error {
	all, err := r.all(ctx)
	if err != nil {
		return err
	}
	w := newWalker(j.objects, bad)
	whole := true
	for _, rec := range all {
		if len(o.Snapshots) > 0 && !slices.Contains(o.Snapshots, rec.ID) {
			whole = false
			continue
		}
		v.Snapshots++
		v.Files++
		if rec.Err != nil {
			v.damage(snapshotsDir+"/"+rec.ID+snapshotSuffix, -1, rec.Err.Error())
			v.Lost = append(v.Lost, Lost{Snapshot: rec.ID})
			continue
		}
		err := w.snapshot(ctx, rec, func(l Lost) { v.Lost = append(v.Lost, l) })
		if errors.Is(err, ErrDamaged) {
			v.Lost = append(v.Lost, Lost{Snapshot: rec.ID})
			continue
		}
		if err != nil {
			return err
		}
	}
	v.Objects = int64(len(w.live))
	if whole {
		v.Garbage = j.store.Garbage(func(id pack.ID) bool { _, live := w.live[id]; return live })
	}
	return nil
}

// Prune implements Repository.
func (r *repo) Prune(ctx context.Context, o PruneOptions) (_ *PruneReport, err error) {
	if o.Threshold == 0 {
		o.Threshold = 50
	}
	u := pruning
	if o.DryRun {
		u = reading
	}
	j, err := r.begin(u)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.end()) }()
	live, err := r.needed(ctx, j)
	if err != nil {
		return nil, err
	}
	done, err := j.store.Repack(ctx, pack.RepackOptions{
		Live:      func(id pack.ID) bool { _, has := live[id]; return has },
		Threshold: o.Threshold, DryRun: o.DryRun, Progress: o.Progress,
	})
	if err != nil {
		return nil, err
	}
	return &PruneReport{
		Packs: done.Packs, Removed: done.Removed, Repacked: done.Rewritten, Bytes: done.Bytes,
		FreedBytes: done.Freed, Objects: done.Objects, Live: done.Live, DryRun: o.DryRun,
	}, nil
}

// needed are the objects that snapshots need. What a damaged snapshot needs nobody
// knows, so it is an error.
func (r *repo) needed(ctx context.Context, j *job) (map[pack.ID]struct{}, error) {
	all, err := r.all(ctx)
	if err != nil {
		return nil, err
	}
	w := newWalker(j.objects, nil)
	for _, rec := range all {
		if rec.Err != nil {
			return nil, rec.Err
		}
		var broken []string
		err := w.snapshot(ctx, rec, func(l Lost) {
			if l.Chunk == nil {
				broken = append(broken, l.Path)
			}
		})
		if err != nil {
			return nil, err
		}
		if len(broken) > 0 {
			return nil, &damagedSnapshot{rec.ID, broken[0]}
		}
	}
	return w.live, nil
}

// damagedSnapshot says that a snapshot needs what is not there.
type damagedSnapshot struct{ id, path string }

func (d *damagedSnapshot) Error() string {
	return "snapshot " + d.id + ", " + d.path + ": " + ErrDamaged.Error() + "; verify says what is lost, and nothing is pruned before damaged snapshots are forgotten"
}

func (d *damagedSnapshot) Unwrap() error { return ErrDamaged }
