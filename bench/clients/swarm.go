package clients

import (
	"testing"
	"time"
)

// swarmPatience is how long joining and what comes after the moves may take.
const swarmPatience = 3 * time.Minute

// Swarm is how many clients fared that moved at the same time.
type Swarm struct {
	Joined      int      `json:"joined"`
	Moves       int      `json:"moves"`       // that were sent
	Corrections int      `json:"corrections"` // times that the server moved one, after its first place
	Chunks      int      `json:"chunks"`      // that came
	Holes       []string `json:"holes"`       // chunks of views that have not come
	Ended       []string `json:"ended"`       // who did not stay, and why
}

// RunSwarm has clients of minecraft-protocol join a server on loopback and move for
// some time: on foot, on ground that must be flat, or as spectators flying away
// in all directions. The test is skipped, or fails when testbed.MustRun, if they
// cannot run here.
func RunSwarm(t testing.TB, port int, version string, bots int, time time.Duration, fly bool) (Swarm, error) {
	t.Helper()
	j := startJudge(t, "swarm.mjs")
	j.timeout = swarmPatience + time
	var s Swarm
	err := j.call("swarm", map[string]any{
		"port": port, "version": version, "bots": bots, "seconds": time.Seconds(), "fly": fly,
	}, &s)
	return s, err
}
