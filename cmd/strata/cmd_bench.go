package main

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"strata/bench"
	"strata/bench/corpus"
	"strata/cmd/internal/ui"
)

func newBenchCmd(a *app) *cobra.Command {
	return newParentCmd(&cobra.Command{
		Use:   "bench",
		Short: "Measure codecs, storage, backups and generation on this machine",
		Long: `Measure codecs, storage, backups and generation on this machine.

Every run measures its reference beside it: timings of one machine do not
carry over to another, ratios do.`,
	},
		newBenchCodecCmd(a),
		newBenchCompressionCmd(a),
		newBenchNBTCmd(a),
		newBenchStorageCmd(a),
		newBenchBackupCmd(a),
		newBenchWorldgenCmd(a),
		newBenchCompareCmd(a),
	// One line a command, from the smallest part to whole programs: codec,
	// compression, nbt, storage, backup, worldgen, load, compare.
	)
}

// loadCorpus loads a corpus that a flag names.
func loadCorpus(path string) ([]corpus.Chunk, error) {
	chunks, err := corpus.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ui.Errorf(ui.Missing, "%w", err)
	}
	return chunks, err
}

// The flag --peers. Where it is not given nobody has asked for other
// libraries, and a run must not wait long for them: to build them may mean to
// download them, and a machine without a network may take its time to say so.
const (
	peersFlag          = "peers"
	defaultPeersDir    = "./bench/peers"
	defaultNodePeerDir = "./bench/clients"
	peersWait          = 20 * time.Second
	peersWaitAskedFor  = 5 * time.Minute
)

var errPeersSlow = errors.New("building them takes too long")

func addPeersFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, peersFlag, defaultPeersDir, "folder `DIR` of the program that runs other libraries, \"\" for none")
}

// startPeers builds and starts the peers in dir. If there are none, or none
// that work, it says so on standard error and returns nil: their rows are left
// out. The error is that of an interrupt.
func (a *app) startPeers(cmd *cobra.Command, dir string) (*bench.Peers, error) {
	if dir == "" {
		return nil, nil
	}
	if cmd.Flags().Changed(peersFlag) {
		return a.startPeersWithin(cmd.Context(), dir, peersWaitAskedFor, "")
	}
	return a.startPeersWithin(cmd.Context(), dir, peersWait, "; --"+peersFlag+" "+dir+" waits longer")
}

// startPeersWithin is startPeers with a time for it, and what to say if it is
// over.
func (a *app) startPeersWithin(ctx context.Context, dir string, wait time.Duration, advice string) (*bench.Peers, error) {
	building, cancel := context.WithTimeoutCause(ctx, wait, errPeersSlow)
	defer cancel()
	peers, err := bench.StartPeers(building, dir)
	switch {
	case err == nil:
		a.console.Notef("beside us: %s %s", peers.Name(), peers.Version())
		return peers, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errPeersSlow):
		a.console.Notef("rows of other libraries left out: %v%s", err, advice)
	default:
		a.console.Notef("rows of other libraries left out: %v", err)
	}
	return nil, nil
}

// startNodePeer is startPeers of the peer that runs on Node (bench/clients in
// a checkout).
func (a *app) startNodePeer(cmd *cobra.Command, dir string) (*bench.Peers, error) {
	if dir == "" {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(cmd.Context(), peersWait)
	defer cancel()
	p, err := bench.StartNodePeer(ctx, dir)
	switch {
	case err == nil:
		a.console.Notef("beside us: %v", p.Info())
		return p, nil
	case cmd.Context().Err() != nil:
		return nil, cmd.Context().Err()
	}
	a.console.Notef("row of prismarine left out: %v", err)
	return nil, nil
}

// closePeers ends the peers, if there are any. What they have measured stands,
// however they end; an interrupt ends them too.
func (a *app) closePeers(ctx context.Context, peers *bench.Peers) {
	if peers == nil {
		return
	}
	if err := peers.Close(); err != nil && ctx.Err() == nil {
		a.console.Notef("%v", err)
	}
}

// notePeer says which ops a peer has refused, and why.
func (a *app) notePeer(peer *bench.PeerInfo) {
	if peer == nil {
		return
	}
	for _, what := range peer.LeftOut {
		a.console.Notef("row of %s left out: %s", peer.Name, what)
	}
}
