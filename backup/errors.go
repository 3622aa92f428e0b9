package backup

import "errors"

// What a caller can test for.
var (
	// ErrNoRepository: the folder is no repository.
	ErrNoRepository = errors.New("not a backup repository")
	// ErrExists: there is a repository, or something else, in the folder.
	ErrExists = errors.New("the folder is not empty")
	// ErrFormat: a newer version of Strata has made the repository.
	ErrFormat = errors.New("repository of an unknown format")
	// ErrNoSnapshot: no snapshot is called so.
	ErrNoSnapshot = errors.New("no such snapshot")
	// ErrAmbiguous: several snapshots begin so.
	ErrAmbiguous = errors.New("several snapshots begin like this")
	// ErrLocked: somebody else uses the repository in a way that is in the way.
	ErrLocked = errors.New("the repository is in use")
	// ErrWrongKey: the repository is encrypted, and this is not its key.
	ErrWrongKey = errors.New("wrong key")
	// ErrProtected: the snapshot is protected.
	ErrProtected = errors.New("the snapshot is protected")
	// ErrDamaged: something of the repository is damaged or missing.
	ErrDamaged = errors.New("the repository is damaged")
	// ErrUnstable: what held the world still did not to the end, such as a pin.
	ErrUnstable = errors.New("the world did not hold still")
	// ErrForeign: another program has the world open.
	ErrForeign = errors.New("another program has the world open")
	// ErrNotEmpty: the folder to restore to is not empty.
	ErrNotEmpty = errors.New("the folder to restore to is not empty")
	// ErrOptions: options that make no sense.
	ErrOptions = errors.New("invalid options")
	// ErrReadOnly: the repository or view was opened for reading.
	ErrReadOnly = errors.New("open for reading only")
)
