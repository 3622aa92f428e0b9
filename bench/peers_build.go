package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// buildLines is how much of a failed build an error quotes.
const buildLines = 10

// buildPeers builds the program in dir and returns its path, in temp.
func buildPeers(ctx context.Context, dir, temp string) (string, error) {
	switch info, err := os.Stat(filepath.Join(dir, "go.mod")); {
	case errors.Is(err, os.ErrNotExist), err == nil && info.IsDir():
		return "", fmt.Errorf("%w: there is no go.mod in %s", ErrNoPeers, dir)
	case err != nil:
		return "", err
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		return "", fmt.Errorf("%w: %v", ErrNoPeers, err)
	}
	program := filepath.Join(temp, "peers")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	// These flags come after those of GOFLAGS and replace them.
	cmd := exec.CommandContext(ctx, tool, "build", "-mod=readonly", "-buildvcs=false", "-o", program, ".")
	cmd.Dir = dir
	// Settings for building something else must not reach this build.
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH)
	var output bytes.Buffer // the compiler stops after ten errors a package
	cmd.Stdout, cmd.Stderr = &output, &output
	// Interrupted, the go command ends its compilers; killed, it would leave
	// them running.
	cmd.Cancel = func() error {
		if err := cmd.Process.Signal(os.Interrupt); err == nil {
			return nil
		}
		return cmd.Process.Kill()
	}
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", fmt.Errorf("build the peers in %s: %w: %s", dir, err, firstLines(output.String()))
	}
	return program, nil
}

// firstLines are the first lines that say what is wrong.
func firstLines(output string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(output)) {
		if strings.HasPrefix(line, "go: downloading ") {
			continue
		}
		if len(lines) == buildLines {
			lines = append(lines, "...")
			break
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, ""))
}

// peerCommand is the program in an environment that does not change how its
// garbage collector works: the peer is measured as it comes.
func peerCommand(program string) *exec.Cmd {
	cmd := exec.Command(program)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return name == "GOGC" || name == "GOMEMLIMIT" || name == "GODEBUG"
	})
	return cmd
}

// nodePeer is the program of a folder of npm packages, and what it needs of them.
const nodePeer, nodePeerNeeds = "peer.mjs", "node_modules/prismarine-provider-anvil/package.json"

// StartNodePeer starts the program peer.mjs in dir with Node, as StartPeers does
// another. The error is ErrNoPeers, with the reason, if dir has no such program
// or its packages are not installed, or there is no Node.
func StartNodePeer(ctx context.Context, dir string) (*Peers, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{nodePeer, nodePeerNeeds} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("%w: there is no %s in %s", ErrNoPeers, name, dir)
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrNoPeers, err)
	}
	temp, err := os.MkdirTemp("", "strata-peers-*")
	if err != nil {
		return nil, err
	}
	p, err := startPeers(ctx, temp, exec.Command(node, "--expose-gc", filepath.Join(dir, nodePeer)), peerGrace)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temp))
	}
	return p, nil
}
