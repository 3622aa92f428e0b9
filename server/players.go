package server

import (
	"strata/anvil/player"
	"strata/anvil/store"
	"strata/server/protocol"
)

// maxPlayerFile is the longest file of a player that is read.
const maxPlayerFile = 16 << 20

// playerFiles are the players of a world, in epochs with its chunks.
type playerFiles struct {
	store   *store.Store
	folders player.Folders
}

func (f playerFiles) Read(id protocol.UUID) ([]byte, error) {
	return f.store.ReadFile(f.folders.DataPath(player.ID(id)), maxPlayerFile)
}

func (f playerFiles) Stage(id protocol.UUID, file []byte) error {
	return f.store.StageFile(f.folders.DataPath(player.ID(id)), file, store.FileOptions{KeepOld: true})
}
