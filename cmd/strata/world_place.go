package main

import (
	"crypto/md5"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/chunk"
	"strata/anvil/level"
	"strata/anvil/player"
	"strata/anvil/store"
	"strata/cmd/internal/ui"
	"strata/region"
)

// placeFlags say what strata world get and set are about: exactly one of chunk,
// block, column, player, data and level.
type placeFlags struct {
	chunk, block, column string
	player, data         string
	level                bool
	kind, dimension      string
}

func (f *placeFlags) register(cmd *cobra.Command, column bool) {
	flags := cmd.Flags()
	flags.StringVar(&f.chunk, "chunk", "", "the chunk at `X,Z`, in chunks")
	flags.StringVar(&f.kind, "kind", "region", "with --chunk: region, entities or poi")
	flags.StringVar(&f.block, "block", "", "the block at `X,Y,Z`")
	if column {
		flags.StringVar(&f.column, "column", "", "the blocks on top of each other at `X,Z`, in blocks")
	}
	flags.StringVar(&f.dimension, "dimension", anvil.Overworld, "dimension of the chunk, block or data file (`ID`)")
	flags.StringVar(&f.player, "player", "", "the data of a player (`UUID or NAME`)")
	flags.StringVar(&f.data, "data", "", "a data file by its `NAME`, such as weather, raids or maps/0")
	flags.BoolVar(&f.level, "level", false, "level.dat")
}

// check refuses none and several places.
func (f *placeFlags) check() error {
	n := 0
	for _, given := range []bool{f.chunk != "", f.block != "", f.column != "", f.player != "", f.data != "", f.level} {
		if given {
			n++
		}
	}
	if n != 1 {
		return ui.WithHint(ui.Errorf(ui.Usage, "want one place, not %d", n), "Give one of --chunk, --block, --column, --player, --data, --level.")
	}
	return nil
}

// numbers reads numbers with commas between them.
func numbers(flag, text string, n int) ([]int32, error) {
	parts := strings.Split(text, ",")
	all := make([]int32, 0, n)
	for _, p := range parts {
		v, err := strconv.ParseInt(strings.TrimSpace(p), 10, 32)
		if err != nil || len(parts) != n {
			return nil, ui.Errorf(ui.Usage, "--%s %q: want %d whole numbers with commas between them", flag, text, n)
		}
		all = append(all, int32(v))
	}
	return all, nil
}

// farthestBlock is far beyond where blocks can be.
const farthestBlock = 1 << 29

// blockPos reads X,Y,Z, or with column X,Z.
func (f *placeFlags) blockPos() (pos chunk.BlockPos, err error) {
	if f.column != "" {
		n, err := numbers("column", f.column, 2)
		if err != nil {
			return pos, err
		}
		pos = chunk.BlockPos{X: n[0], Z: n[1]}
	} else {
		n, err := numbers("block", f.block, 3)
		if err != nil {
			return pos, err
		}
		pos = chunk.BlockPos{X: n[0], Y: n[1], Z: n[2]}
	}
	if max(pos.X, pos.Z) > farthestBlock || min(pos.X, pos.Z) < -farthestBlock {
		return pos, ui.Errorf(ui.Usage, "%d,%d is beyond every world", pos.X, pos.Z)
	}
	return pos, nil
}

// ref is the record that a place is in: of a chunk, or with a block or column the
// chunk that it lies in.
func (f *placeFlags) ref(w *anvil.World, s *store.Store) (store.Ref, error) {
	ref := store.Ref{}
	d, err := w.Dimension(completeID(f.dimension))
	if err != nil {
		return ref, ui.Errorf(ui.Usage, "--dimension %s: %w", f.dimension, err)
	}
	found := false
	for i, known := range s.World().Dimensions {
		if known.Name == d.ID {
			ref.Dim, found = store.Dim(i), true
		}
	}
	if !found {
		return ref, ui.Errorf(ui.Missing, "the world has no %s", d.ID)
	}
	if f.chunk == "" {
		pos, err := f.blockPos()
		ref.Pos = pos.Chunk()
		return ref, err
	}
	n, err := numbers("chunk", f.chunk, 2)
	if err != nil {
		return ref, err
	}
	ref.Pos = region.ChunkPos{X: n[0], Z: n[1]}
	for k := range store.POI + 1 {
		if k.String() == f.kind || f.kind == "chunk" && k == store.Chunks {
			ref.Kind = k
			return ref, nil
		}
	}
	return ref, ui.Errorf(ui.Usage, "--kind %s is none of region, entities, poi", f.kind)
}

// file is the file of a place that is one.
func (f *placeFlags) file(w *anvil.World) (string, error) {
	switch {
	case f.level:
		return filepath.Join(w.Path(), level.FileName), nil
	case f.player != "":
		return playerFile(w, f.player)
	}
	place, err := w.DataFile(f.data, completeID(f.dimension))
	if err != nil {
		return "", ui.Errorf(ui.Usage, "--data %s: %w", f.data, err)
	}
	if place.InLevel {
		return "", ui.WithHint(ui.Errorf(ui.Usage, "--data %s: this world keeps it in level.dat", f.data), "See --level.")
	}
	return place.Path, nil
}

// playerFile finds the data of a player by UUID or name.
func playerFile(w *anvil.World, who string) (string, error) {
	list, err := player.List(w.FS(), w.Players())
	if err != nil {
		return "", err
	}
	id, err := player.ParseID(who)
	if err != nil {
		if id, err = findPlayer(w, list, who); err != nil {
			return "", err
		}
	}
	for _, files := range list {
		if files.Data != "" && (files.ID == id || files.Name != "" && strings.EqualFold(files.Name, who)) {
			return files.Data, nil
		}
	}
	return "", ui.Errorf(ui.Missing, "the world has no data of player %s", who)
}

// findPlayer finds the UUID that goes with a name: in the cache of a server whose
// folder the world lies in, by what Bukkit servers note in the data, and as the
// one that servers without authentication make of the name.
func findPlayer(w *anvil.World, list []player.Files, name string) (player.ID, error) {
	for _, dir := range []string{filepath.Dir(w.Path()), w.Path()} {
		if id, ok := cachedPlayer(filepath.Join(dir, "usercache.json"), name); ok {
			return id, nil
		}
	}
	offline := offlineID(name)
	for _, files := range list {
		if files.Data == "" {
			continue
		}
		if files.ID == offline || files.Name != "" && strings.EqualFold(files.Name, name) {
			return files.ID, nil
		}
		p, _, err := player.Read(w.FS(), files.Data)
		if err != nil {
			continue
		}
		if known, ok := p.Root().Get("bukkit").Get("lastKnownName").Text(); ok && strings.EqualFold(known, name) {
			return files.ID, nil
		}
	}
	return player.ID{}, ui.WithHint(ui.Errorf(ui.Missing, "nothing says which player is %s", name), "Give the UUID: the files of players are called by it.")
}

// cachedPlayer looks a name up in a server's usercache.json.
func cachedPlayer(path, name string) (id player.ID, ok bool) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() > 16<<20 {
		return id, false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return id, false
	}
	var users []struct{ Name, UUID string }
	if json.Unmarshal(data, &users) != nil {
		return id, false
	}
	for _, u := range users {
		if strings.EqualFold(u.Name, name) {
			id, err := player.ParseID(u.UUID)
			return id, err == nil
		}
	}
	return id, false
}

// offlineID is the UUID of version 3 that servers without authentication give a
// name.
func offlineID(name string) player.ID {
	id := player.ID(md5.Sum([]byte("OfflinePlayer:" + name)))
	id[6] = id[6]&0x0f | 0x30
	id[8] = id[8]&0x3f | 0x80
	return id
}
