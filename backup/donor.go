package backup

import (
	"context"
	"errors"
	"fmt"

	"strata/anvil/fsck"
	"strata/anvil/store"
	"strata/region"
)

// snapshotDonor gives chunks of a snapshot to a repair.
type snapshotDonor struct {
	*fsck.WorldDonor
	name string
}

// Name implements fsck.Donor.
func (d *snapshotDonor) Name() string { return d.name }

// Record implements fsck.Donor. What the repository has lost counts as not there:
// another snapshot may have it.
func (d *snapshotDonor) Record(ctx context.Context, dimension string, kind store.Kind, pos region.ChunkPos, buf []byte) (region.Record, error) {
	rec, err := d.WorldDonor.Record(ctx, dimension, kind, pos, buf)
	if errors.Is(err, ErrDamaged) {
		err = fmt.Errorf("%w: %w", fsck.ErrNoDonation, err)
	}
	return rec, err
}

// donors is Donors.
func donors(ctx context.Context, r Repository, ids []string) (all []fsck.Donor, done func() error, err error) {
	var closers []func() error
	done = func() error {
		var errs []error
		for _, f := range closers {
			errs = append(errs, f())
		}
		return errors.Join(errs...)
	}
	for i := len(ids) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return nil, nil, errors.Join(err, done())
		}
		v, err := r.View(ctx, ids[i])
		if errors.Is(err, ErrNoSnapshot) || errors.Is(err, ErrDamaged) {
			continue
		}
		if err != nil {
			return nil, nil, errors.Join(err, done())
		}
		closers = append(closers, v.Close)
		w, err := v.World()
		if err != nil {
			continue // its level.dat cannot be read
		}
		d, err := fsck.NewWorldDonor(w)
		if err != nil {
			return nil, nil, errors.Join(err, done())
		}
		closers = append([]func() error{d.Close}, closers...)
		all = append(all, &snapshotDonor{d, "snapshot " + v.Snapshot.ID})
	}
	return all, done, nil
}
