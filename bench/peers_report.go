package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// peerInterrupt is how long the end of a peer may be known before its reason.
const peerInterrupt = 300 * time.Millisecond

// PeerInfo says in a report whose rows stand beside ours.
type PeerInfo struct {
	Name    string `json:"name"`           // of the library, such as go-mc
	Version string `json:"version"`        // of its module
	Go      string `json:"go"`             // that it was built with
	Node    string `json:"node,omitempty"` // that it runs on
	// LeftOut are the ops whose rows are missing, each with the reason that
	// the peer gave.
	LeftOut []string `json:"left_out,omitempty"`
}

func newPeerInfo(p *Peers) *PeerInfo {
	if p == nil {
		return nil
	}
	return &PeerInfo{Name: p.Name(), Version: p.Version(), Go: p.hello.Go, Node: p.hello.Node}
}

// leaveOut notes that the peer could not do an op, and returns nil; any other
// error it returns as it is.
func (i *PeerInfo) leaveOut(op string, err error) error {
	refused, ok := errors.AsType[*PeerError](err)
	if ok {
		i.LeftOut = append(i.LeftOut, fmt.Sprintf("%s: %s", op, refused.Text))
		return nil
	}
	return err
}

// peerError returns the error of a run with peers. An interrupt from the
// terminal goes to the peer as well, whose end may be noticed before that of
// ctx: then the end of ctx is the error.
func peerError(ctx context.Context, err error, peers ...*Peers) error {
	if err != nil && slices.ContainsFunc(peers, func(p *Peers) bool { return p != nil && p.broken != nil }) {
		select {
		case <-ctx.Done():
		case <-time.After(peerInterrupt):
		}
	}
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// String says what the peer is.
func (i *PeerInfo) String() string {
	if i.Node != "" {
		return fmt.Sprintf("%s is prismarine-provider-anvil %s on Node %s", i.Name, i.Version, i.Node)
	}
	return fmt.Sprintf("%s is %s, built with %s", i.Name, i.Version, i.Go)
}
