package main

import (
	"context"
	"errors"
	"fmt"

	"strata/backup"
	"strata/server"
)

// serverBackups are the backups of a server's own world in a repository.
type serverBackups struct {
	repository backup.Repository
	world      string
}

var _ server.Snapshotter = (*serverBackups)(nil)

// serverBackups opens a repository, or makes it where there is none.
func (a *app) serverBackups(ctx context.Context, dir, world string) (*serverBackups, error) {
	r, err := a.openRepository(dir, &repoFlags{}, false)
	if errors.Is(err, backup.ErrNoRepository) {
		r, err = backup.Init(ctx, dir, backup.InitOptions{})
		err = backupError(err)
	}
	if err != nil {
		return nil, fmt.Errorf("backups: %w", err)
	}
	return &serverBackups{r, world}, nil
}

func (b *serverBackups) Close() error { return b.repository.Close() }

// Create implements server.Snapshotter.
func (b *serverBackups) Create(ctx context.Context) (string, error) {
	report, err := b.repository.Create(ctx, b.world, backup.CreateOptions{RefuseForeign: true})
	if err != nil {
		return "", err
	}
	if err := snapshotProblems(report); err != nil {
		return "", err
	}
	return report.ID, nil
}

// List implements server.Snapshotter.
func (b *serverBackups) List(ctx context.Context) ([]string, error) {
	all, err := b.repository.Snapshots(ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.ID + " of " + s.Time.Format("2006-01-02 15:04:05")
	}
	return names, nil
}
