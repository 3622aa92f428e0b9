package server

import (
	"context"
	"errors"
)

// Snapshotter makes backups of the server's world while it runs: it holds the world
// through the control endpoint of the store, as other processes do. It is called by
// one goroutine at a time, never that of the ticks.
type Snapshotter interface {
	// Create makes a backup and returns its name.
	Create(ctx context.Context) (name string, err error)
	// List names the backups, the oldest first.
	List(ctx context.Context) ([]string, error)
}

// hostBackup is command.Backup.
type hostBackup struct {
	s    *Server
	busy bool // belongs to the tick goroutine
}

// errBackup is the error of a second backup at a time.
var errBackup = errors.New("a backup is being made already")

// Create implements command.Backup.
func (h *hostBackup) Create(done func(name string, err error)) error {
	if h.busy {
		return errBackup
	}
	h.busy = true
	h.s.saving.Go(func() {
		name, err := h.s.options.Backups.Create(h.s.context)
		h.s.later(func() {
			h.busy = false
			done(name, err)
		})
	})
	return nil
}

// List implements command.Backup.
func (h *hostBackup) List(done func(names []string, err error)) {
	h.s.saving.Go(func() {
		names, err := h.s.options.Backups.List(h.s.context)
		h.s.later(func() { done(names, err) })
	})
}
