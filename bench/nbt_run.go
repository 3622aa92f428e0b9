package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"strata/nbt"
)

var errNoCompound = errors.New("the root is no compound")

// nbtRun is one call of NBT.
type nbtRun struct {
	chunks [][]byte
	opts   NBTOptions
	report *NBTReport
	rows   []*nbtSeries
	clock  threadClock

	bytes       int64 // of chunks
	done, total int   // passes, for Progress
}

// nbtSeries is a row in the making, of a task of ours or of an op of the
// peer's.
type nbtSeries struct {
	row    NBTRow
	task   nbtTask
	peerOp string
	// want is the sum of what do returns in a pass, known after the first.
	want  int
	turns int // taken so far

	passes, process []time.Duration // of a chunk
}

func newNBTRun(chunks [][]byte, opts NBTOptions) (*nbtRun, error) {
	r := &nbtRun{chunks: chunks, opts: opts, report: &NBTReport{
		Environment: ReadEnvironment(), Passes: opts.Passes, Peer: newPeerInfo(opts.Peers),
	}}
	if err := r.readSample(); err != nil {
		return nil, err
	}
	ours := func(op, form string, task nbtTask) *nbtSeries {
		return &nbtSeries{row: NBTRow{Name: "strata", Op: op, Form: form}, task: task}
	}
	peers := func(op, form, peerOp string) *nbtSeries {
		return &nbtSeries{row: NBTRow{Op: op, Form: form}, peerOp: peerOp}
	}
	for _, s := range []*nbtSeries{
		ours("walk", "", &walkTask{chunks: chunks}),
		ours("skip", "", newSkipTask(chunks)),
		ours("unmarshal", "typed", &typedTask{chunks: chunks}),
		peers("unmarshal", "typed", "nbt/unmarshal"),
		ours("unmarshal", "any", &anyTask{chunks: chunks}),
		peers("unmarshal", "any", "nbt/unmarshal-any"),
		ours("marshal", "typed", newMarshalTyped(chunks)),
		ours("marshal", "any", newMarshalAny(chunks)),
		peers("marshal", "any", "nbt/marshal"),
		ours("edit", "", &editTask{chunks: chunks}),
	} {
		if s.task != nil || opts.Peers != nil && opts.Peers.Has(s.peerOp) {
			r.rows = append(r.rows, s)
		}
	}
	r.total = len(r.rows) * (1 + opts.Passes)
	return r, nil
}

// readSample checks the chunks and describes them.
func (r *nbtRun) readSample() error {
	s := NBTSample{Source: r.opts.Source, Chunks: len(r.chunks)}
	tags := 0
	var tape nbt.Tape
	for i, chunk := range r.chunks {
		err := tape.Parse(chunk)
		if err == nil && tape.Root().Type() != nbt.TypeCompound {
			err = errNoCompound
		}
		if err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
		// Without the prefix in worlds before 1.20.5 or so.
		if status, _ := tape.Root().Get("Status").Text(); status == "minecraft:full" || status == "full" {
			s.Full++
		}
		tags += tape.Len()
		r.bytes += int64(len(chunk))
	}
	n := float64(len(r.chunks))
	s.Bytes, s.Tags = float64(r.bytes)/n, float64(tags)/n
	r.report.Sample = s
	return nil
}

func (r *nbtRun) run(ctx context.Context) (*NBTReport, error) {
	end := r.report.Begin()
	err := peerError(ctx, r.all(ctx), r.opts.Peers)
	end()
	r.report.Rows = []NBTRow{}
	var spreads []float64
	for _, s := range r.rows {
		if len(s.passes) > 0 {
			row := r.finish(s)
			r.report.Rows = append(r.report.Rows, row)
			spreads = append(spreads, SpreadOf(row.NS, row.MinNS, row.MaxNS))
		}
	}
	if err := r.report.Interrupt(ctx, err, len(r.report.Rows)); err != nil {
		return nil, err
	}
	r.compare()
	r.report.Warn(r.report.Environment, spreads)
	return r.report, nil
}

// all makes all passes.
func (r *nbtRun) all(ctx context.Context) error {
	if err := r.loadPeer(ctx); err != nil {
		return err
	}
	r.clock = startThreadClock()
	defer r.clock.stop()
	for _, s := range slices.Clone(r.rows) { // a row may be left out
		if err := r.turn(ctx, s, r.first, r.firstOfPeer); err != nil {
			return err
		}
	}
	for pass := range r.opts.Passes {
		rows := slices.Clone(r.rows)
		for i := range rows {
			s := rows[(pass+i)%len(rows)]
			if err := r.turn(ctx, s, r.pass, r.passOfPeer); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *nbtRun) loadPeer(ctx context.Context) error {
	if r.opts.Peers == nil {
		return nil
	}
	err := r.opts.Peers.Load(ctx, PeerSample{Chunks: r.chunks})
	if err = r.report.Peer.leaveOut("load", err); err != nil {
		return err
	}
	if len(r.report.Peer.LeftOut) > 0 {
		r.rows = slices.DeleteFunc(r.rows, func(s *nbtSeries) bool { return s.peerOp != "" })
		r.total = len(r.rows) * (1 + r.opts.Passes)
	}
	return nil
}

// turn is one row's turn, done by us or by the peer. A row that the peer
// refuses is gone after it.
func (r *nbtRun) turn(ctx context.Context, s *nbtSeries, ours, peers func(context.Context, *nbtSeries) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.task != nil {
		if err := ours(ctx, s); err != nil {
			return fmt.Errorf("%s %s: %w", s.row.Op, s.row.Form, err)
		}
	} else if err := peers(ctx, s); err != nil {
		if err := r.report.Peer.leaveOut(s.peerOp, err); err != nil {
			return err
		}
		r.rows = slices.DeleteFunc(r.rows, func(o *nbtSeries) bool { return o == s })
		r.total -= 1 + r.opts.Passes - s.turns
		return nil
	}
	s.turns++
	r.done++
	if r.opts.Progress != nil {
		r.opts.Progress(r.done, r.total)
	}
	return nil
}

// first does the task once with every chunk and checks what comes out, which
// also grows the buffers.
func (r *nbtRun) first(ctx context.Context, s *nbtSeries) error {
	if err := s.task.prepare(); err != nil {
		return err
	}
	defer s.task.release()
	for i := range r.chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := s.task.do(i)
		if err == nil {
			err = s.task.verify(i)
		}
		if err != nil {
			return fmt.Errorf("chunk %d: %w", i, err)
		}
		s.want += n
	}
	return nil
}

func (r *nbtRun) firstOfPeer(ctx context.Context, s *nbtSeries) error {
	_, err := r.opts.Peers.Pass(ctx, s.peerOp)
	return err
}

// pass measures one pass of ours, as the peer does its own.
func (r *nbtRun) pass(ctx context.Context, s *nbtSeries) error {
	if err := s.task.prepare(); err != nil {
		return err
	}
	defer s.task.release()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	process, start := processTime(), r.clock.elapsed()
	got, err := r.doAll(ctx, s.task)
	took, processTook := r.clock.elapsed()-start, processTime()-process
	if err != nil {
		return err
	}
	runtime.ReadMemStats(&after)
	if got != s.want {
		return fmt.Errorf("%w: a pass made other things than the one that was checked", errWrong)
	}
	s.add(len(r.chunks), took, processTook, int64(after.Mallocs-before.Mallocs), int64(after.TotalAlloc-before.TotalAlloc))
	return nil
}

// doAll does the task with every chunk.
func (r *nbtRun) doAll(ctx context.Context, task nbtTask) (sum int, err error) {
	for i := range r.chunks {
		if i%64 == 0 && ctx.Err() != nil { // seldom: it is no part of the task
			return 0, ctx.Err()
		}
		n, err := task.do(i)
		if err != nil {
			return 0, fmt.Errorf("chunk %d: %w", i, err)
		}
		sum += n
	}
	return sum, nil
}

func (r *nbtRun) passOfPeer(ctx context.Context, s *nbtSeries) error {
	p, err := r.opts.Peers.Pass(ctx, s.peerOp)
	if err != nil {
		return err
	}
	s.row.Clock = p.Clock
	s.add(len(r.chunks), p.NS, p.ProcessNS, p.Mallocs, p.AllocBytes)
	return nil
}

// add notes a pass over n chunks.
func (s *nbtSeries) add(n int, took, process time.Duration, mallocs, allocBytes int64) {
	allocs, size := float64(mallocs)/float64(n), float64(allocBytes)/float64(n)
	if len(s.passes) > 0 {
		allocs, size = min(allocs, s.row.Allocs), min(size, s.row.AllocBytes)
	}
	s.row.Allocs, s.row.AllocBytes = allocs, size
	s.passes = append(s.passes, took/time.Duration(n))
	s.process = append(s.process, process/time.Duration(n))
}
