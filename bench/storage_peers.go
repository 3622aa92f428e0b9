package bench

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// How many passes a peer makes of an op: as many as all rows have, but slow
// ops as many as fit into peerBudget of the wall clock, and at least
// peerPasses. What it does with a chunk allocates thousands of times, and a
// run is not to take minutes because of it.
const (
	peerBudget = 3 * time.Second
	peerPasses = 3
)

// peerTurns makes the passes of one row that the peer does.
type peerTurns struct {
	*series
	op      string   // the peer's
	first   PeerPass // does not count
	left    int      // passes to make
	refused bool
}

// loadPeers hands the sample to the peer: the very file that we read.
func (r *storageRun) loadPeers(ctx context.Context) error {
	if r.Peers == nil {
		return nil
	}
	r.report.Peer = newPeerInfo(r.Peers)
	dir := filepath.Join(r.dir, "peer")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	err := r.Peers.Load(ctx, PeerSample{Chunks: r.sample.raw, Regions: []string{r.sample.path}, Dir: dir})
	if err = r.report.Peer.leaveOut("load", err); err != nil {
		return err
	}
	r.peersReady = len(r.report.Peer.LeftOut) == 0
	return nil
}

// peer returns the row that the peer makes of its op, nil if it cannot. The
// first pass, in which the peer checks its results, is made here and does not
// count.
func (r *storageRun) peer(ctx context.Context, suffix, op, peerOp string) (*peerTurns, error) {
	if !r.peersReady || !r.Peers.Has(peerOp) {
		return nil, nil
	}
	p, err := r.Peers.Pass(ctx, peerOp)
	if err != nil {
		return nil, r.report.Peer.leaveOut(peerOp, err)
	}
	s := newSeries(r.Peers.Name()+suffix, op, p.Clock, p.Chunks, p.Bytes)
	return &peerTurns{series: s, op: peerOp, first: p, left: peerPassesOf(r.Passes, p.WallNS)}, nil
}

// peerPassesOf is how many of the passes are made of an op that takes so long.
func peerPassesOf(passes int, took time.Duration) int {
	fit := int(peerBudget / max(took, 1))
	return min(passes, max(fit, peerPasses))
}

// turn makes one pass, unless there is no such row or it has enough.
func (r *storageRun) turn(ctx context.Context, t *peerTurns) error {
	if t == nil || t.left == 0 || t.refused {
		return nil
	}
	p, err := r.Peers.Pass(ctx, t.op)
	if err != nil {
		t.refused = true
		return r.report.Peer.leaveOut(t.op, err)
	}
	t.left--
	t.pass(t.took(p), nil)
	t.passProcess(p.ProcessNS)
	return nil
}

// took is the time of a pass by the clock of the row, which need not be the
// one that the peer prefers.
func (t *peerTurns) took(p PeerPass) time.Duration {
	switch t.row.Clock {
	case p.Clock:
		return p.NS
	case clockProcess:
		return p.ProcessNS
	default:
		return p.WallNS
	}
}

// behind returns our series with that of the peer behind them, if there is one.
func (t *peerTurns) behind(ours ...*series) []*series {
	if t == nil || t.refused {
		return ours
	}
	return append(ours, t.series)
}

// settlePeer removes what the peer has saved, so that the next flush of ours
// does not pay for it.
func (r *storageRun) settlePeer() error {
	if err := os.RemoveAll(filepath.Join(r.dir, "peer", "saved")); err != nil {
		return err
	}
	return r.fs.SyncDir(r.dir)
}
