package bench

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"strata/bench/corpus"
)

// ErrNoPeers means that the folder has no peer program in it, or that there is
// no go command to build it with.
var ErrNoPeers = errors.New("no peers")

// Peers is a running peer program: other libraries doing what we measure, one
// pass at a time, so that they and we take turns. The program in bench/peers
// is one; its documentation describes the protocol and the ops.
//
// Calls must not overlap. A peer that has ended, has written what it should
// not, or was asked when ctx ended, is lost: every further call returns the
// same error. It still has to be closed. After a [PeerError] it goes on.
type Peers struct {
	process *peerProcess
	dir     string // temporary, with the program and, by default, its files
	hello   peerHello
	chunks  int   // loaded
	bytes   int64 // loaded
	broken  error // what every further call returns
}

// PeerError is what a peer said it could not do.
type PeerError struct {
	Peer, Op, Text string
}

func (e *PeerError) Error() string { return fmt.Sprintf("peer %s: %s: %s", e.Peer, e.Op, e.Text) }

// PeerSample is what a peer is to work on.
type PeerSample struct {
	// Chunks are uncompressed payloads, each of at most corpus.MaxChunk bytes,
	// together of at most corpus.MaxCorpus.
	Chunks [][]byte
	// Regions are the region files for load and scan. They hold Chunks and
	// nothing else, in the order of slots. The peer only reads them. Default:
	// it makes its own of Chunks, with zlib level 6.
	Regions []string
	// Dir is an existing folder for the files that the peer writes: those it
	// reads by default are in the folder sample, those of the last pass of
	// storage/save in the folder saved, both with the game's names. They stay
	// until Dir goes. Default: a temporary folder, removed by Close.
	Dir string
}

// PeerPass is one pass of one op over the sample. Durations and counts are of
// the whole pass.
type PeerPass struct {
	Op string `json:"op"`
	// Clock is the clock of NS, "thread_cpu" or "wall", as in [StorageRow].
	Clock string        `json:"clock"`
	NS    time.Duration `json:"ns"`
	// WallNS and ProcessNS are the same by other clocks: ProcessNS is the CPU
	// time of the whole process, with that of the garbage collector's own
	// threads, and 0 where it is not known.
	WallNS    time.Duration `json:"wall_ns"`
	ProcessNS time.Duration `json:"process_ns"`

	Chunks     int   `json:"chunks"`
	Bytes      int64 `json:"bytes"` // uncompressed payloads
	Mallocs    int64 `json:"mallocs"`
	AllocBytes int64 `json:"alloc_bytes"`
}

// StartPeers builds the program in dir with the go command and starts it.
// Building may download modules. The error is ErrNoPeers, with the reason, if
// dir has no go.mod or there is no go command; ctx's if it ends first;
// otherwise it has the first lines that the go command or the program printed.
// ctx does not bound the life of the program: Close ends it.
func StartPeers(ctx context.Context, dir string) (*Peers, error) {
	temp, err := os.MkdirTemp("", "strata-peers-*")
	if err != nil {
		return nil, err
	}
	program, err := buildPeers(ctx, dir, temp)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	p, err := startPeers(ctx, temp, peerCommand(program), peerGrace)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return p, nil
}

// Name is the library that the peer runs.
func (p *Peers) Name() string { return p.hello.Peer }

// Version is the version of the library's module.
func (p *Peers) Version() string { return p.hello.Version }

// GoVersion is the version of Go that the peer was built with.
func (p *Peers) GoVersion() string { return p.hello.Go }

// Info says what the peer is.
func (p *Peers) Info() *PeerInfo { return newPeerInfo(p) }

// Ops are the names of the ops there are, such as nbt/unmarshal.
func (p *Peers) Ops() []string { return slices.Clone(p.hello.Ops) }

// Has reports whether there is an op of that name.
func (p *Peers) Has(op string) bool { return slices.Contains(p.hello.Ops, op) }

// Load hands over the sample of the passes that follow. The peer has its own
// copy when Load returns.
func (p *Peers) Load(ctx context.Context, sample PeerSample) error {
	req := peerRequest{Op: peerOpLoad, Dir: sample.Dir}
	if sample.Dir == "" {
		req.Dir = p.dir
	}
	var err error
	if req.Dir, err = filepath.Abs(req.Dir); err != nil {
		return err
	}
	for _, name := range sample.Regions {
		// The peer runs in another folder.
		if name, err = filepath.Abs(name); err != nil {
			return err
		}
		req.Regions = append(req.Regions, name)
	}
	req.Sample = filepath.Join(p.dir, "chunks.bin")
	bytes, err := writePeerSample(req.Sample, sample.Chunks)
	if err != nil {
		return errors.Join(fmt.Errorf("write the peer's sample: %w", err), os.RemoveAll(req.Sample))
	}
	got, err := p.request(ctx, req)
	if err := errors.Join(err, os.RemoveAll(req.Sample)); err != nil {
		return err
	}
	if got.Chunks != len(sample.Chunks) || got.Bytes != bytes {
		return p.fail(fmt.Errorf("it loaded %d chunks of %d bytes, not %d of %d", got.Chunks, got.Bytes, len(sample.Chunks), bytes))
	}
	p.chunks, p.bytes = got.Chunks, got.Bytes
	return nil
}

// Pass makes one pass of an op over the sample. The first of an op takes
// longer than what it reports, because the peer checks its results; so does
// one after another op, because the peer may have to make ready what it works
// on.
//
// When ctx ends the peer is ended too.
func (p *Peers) Pass(ctx context.Context, op string) (PeerPass, error) {
	got, err := p.request(ctx, peerRequest{Op: op})
	if err != nil {
		return PeerPass{}, err
	}
	pass := got.PeerPass
	clock := pass.Clock == clockWall || pass.Clock == "thread_cpu"
	if pass.Chunks != p.chunks || pass.Bytes != p.bytes || pass.NS <= 0 || pass.WallNS < 0 || pass.ProcessNS < 0 ||
		pass.Mallocs < 0 || pass.AllocBytes < 0 || !clock {
		return PeerPass{}, p.fail(fmt.Errorf("%s: a pass over %d chunks of %d bytes cannot be %+v", op, p.chunks, p.bytes, pass))
	}
	return pass, nil
}

// Close ends the peer and waits for it: its input ends, and after a few
// seconds it is killed. The error is that the peer did not end well, unless a
// call has said so, or that its temporary folder could not be removed.
func (p *Peers) Close() error {
	err := p.process.close()
	if err != nil {
		err = fmt.Errorf("peer %s: %w", p.hello.Peer, err)
	}
	if p.broken != nil {
		err = nil
	}
	p.broken = fmt.Errorf("peer %s: %w", p.hello.Peer, os.ErrClosed)
	return errors.Join(err, os.RemoveAll(p.dir))
}

// request sends a request and returns the reply to it.
func (p *Peers) request(ctx context.Context, req peerRequest) (peerReply, error) {
	if p.broken != nil {
		return peerReply{}, p.broken
	}
	if err := ctx.Err(); err != nil {
		return peerReply{}, err
	}
	var got peerReply
	if err := p.process.ask(ctx, req, &got); err != nil {
		return peerReply{}, p.fail(err)
	}
	if got.Op != req.Op {
		return peerReply{}, p.fail(fmt.Errorf("it replied to %q when asked for %q", got.Op, req.Op))
	}
	if got.Error != "" {
		return peerReply{}, &PeerError{Peer: p.hello.Peer, Op: req.Op, Text: got.Error}
	}
	return got, nil
}

// fail notes that the peer is out of step.
func (p *Peers) fail(err error) error {
	p.broken = fmt.Errorf("peer %s: %w", p.hello.Peer, err)
	return p.broken
}

// writePeerSample writes the chunks as the protocol has them and returns the
// sum of their sizes.
func writePeerSample(path string, chunks [][]byte) (sum int64, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var header [4]byte
	for i, c := range chunks {
		if sum += int64(len(c)); len(c) > corpus.MaxChunk || sum > corpus.MaxCorpus {
			return 0, fmt.Errorf("chunk %d: %w", i, corpus.ErrLimit)
		}
		binary.LittleEndian.PutUint32(header[:], uint32(len(c)))
		if _, err := f.Write(append(header[:], c...)); err != nil {
			return 0, err
		}
	}
	return sum, nil
}
