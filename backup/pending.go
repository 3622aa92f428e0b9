package backup

import (
	"context"
	"errors"

	"strata/anvil/fsck"
	"strata/region/vfs"
)

// errPending is what opening returns until the targets are in.
var errPending = errors.New("this target is not built in yet")

func openRepo(string, Config, OpenOptions) (Repository, error) { return nil, errPending }
func openTree(string, Config, OpenOptions) (Repository, error) { return nil, errPending }

func probe(vfs.FS, string) (links, clones bool, err error) { return false, false, errPending }
func makeKey(vfs.FS, string, InitOptions) (any, error)     { return nil, errPending }
func donors(context.Context, Repository, []string) ([]fsck.Donor, func() error, error) {
	return nil, nil, errPending
}
