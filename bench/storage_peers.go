package bench

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
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

// besidePeer is a peer of this run.
type besidePeer struct {
	*Peers
	info *PeerInfo
	dir  string // for its files
}

// peerTurns makes the passes of one row that a peer does.
type peerTurns struct {
	*series
	of      *besidePeer
	op      string   // the peer's
	first   PeerPass // does not count
	left    int      // passes to make
	refused bool
}

// loadPeers hands the sample to the peers: the very file that we read.
func (r *storageRun) loadPeers(ctx context.Context) error {
	for i, p := range r.Peers {
		b := &besidePeer{Peers: p, info: newPeerInfo(p), dir: filepath.Join(r.dir, "peer"+strconv.Itoa(i))}
		r.report.Peers = append(r.report.Peers, b.info)
		if err := os.Mkdir(b.dir, 0o755); err != nil {
			return err
		}
		err := p.Load(ctx, PeerSample{Chunks: r.sample.raw, Regions: []string{r.sample.path}, Dir: b.dir})
		if err = b.info.leaveOut("load", err); err != nil {
			return err
		}
		if len(b.info.LeftOut) == 0 {
			r.beside = append(r.beside, b)
		}
	}
	return nil
}

// peerRows are the rows of one op that peers make.
type peerRows []*peerTurns

// peers returns the rows that peers make of their op, of those that can. The
// first pass, in which a peer checks its results, is made here and does not
// count.
func (r *storageRun) peers(ctx context.Context, suffix, op, peerOp string) (rows peerRows, err error) {
	for _, b := range r.beside {
		if !b.Has(peerOp) {
			continue
		}
		p, err := b.Pass(ctx, peerOp)
		if err != nil {
			if err = b.info.leaveOut(peerOp, err); err != nil {
				return nil, err
			}
			continue
		}
		s := newSeries(b.Name()+suffix, op, p.Clock, p.Chunks, p.Bytes)
		rows = append(rows, &peerTurns{series: s, of: b, op: peerOp, first: p, left: peerPassesOf(r.Passes, p.WallNS)})
	}
	return rows, nil
}

// peerPassesOf is how many of the passes are made of an op that takes so long.
func peerPassesOf(passes int, took time.Duration) int {
	fit := int(peerBudget / max(took, 1))
	return min(passes, max(fit, peerPasses))
}

// turn makes one pass of each row that has not got enough.
func (rows peerRows) turn(ctx context.Context) error {
	for _, t := range rows {
		if err := t.turn(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (t *peerTurns) turn(ctx context.Context) error {
	if t.left == 0 || t.refused {
		return nil
	}
	p, err := t.of.Pass(ctx, t.op)
	if err != nil {
		t.refused = true
		return t.of.info.leaveOut(t.op, err)
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

// behind returns our series with those of the peers behind them.
func (rows peerRows) behind(ours ...*series) []*series {
	for _, t := range rows {
		if !t.refused {
			ours = append(ours, t.series)
		}
	}
	return ours
}

// settlePeers removes what the peers have saved, so that the next flush of ours
// does not pay for it.
func (r *storageRun) settlePeers() error {
	for _, b := range r.beside {
		if err := os.RemoveAll(filepath.Join(b.dir, "saved")); err != nil {
			return err
		}
	}
	return r.fs.SyncDir(r.dir)
}
