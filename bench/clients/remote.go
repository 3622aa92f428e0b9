package clients

import (
	"encoding/json"
	"testing"
)

// The clients of remote consoles. RCONClient takes the first packet of an answer for
// the whole.
const (
	RCONClient = "rcon-client"
	ServerUtil = "minecraft-server-util"
)

// Remote asks servers on loopback from outside of the game.
type Remote struct{ judge *judge }

// StartRemote prepares it for the length of a test, which is skipped, or fails when
// testbed.MustRun, if it cannot run here.
func StartRemote(t testing.TB) *Remote {
	t.Helper()
	return &Remote{startJudge(t, "remote.mjs")}
}

// Status is what a server answers to minecraft-server-util, which asks in one of the
// ways that there have been: "status" since 1.7, "statusFE01FA" in 1.6, "statusFE01"
// since 1.4, "statusFE" before, and "statusLegacy", which takes either of the last.
// To "statusFE01FA" the number of a port is signed: those above 32767 it cannot ask.
func (r *Remote) Status(kind string, port int) (json.RawMessage, error) {
	var answer struct {
		Status json.RawMessage `json:"status"`
	}
	err := r.judge.call("status", map[string]any{"kind": kind, "port": port}, &answer)
	return answer.Status, err
}

// RCON logs in to a remote console, runs lines one after another, and returns what
// each said.
func (r *Remote) RCON(client string, port int, password string, lines ...string) ([]string, error) {
	var answer struct {
		Answers []string `json:"answers"`
	}
	err := r.judge.call("rcon", map[string]any{"client": client, "port": port, "password": password, "lines": lines}, &answer)
	return answer.Answers, err
}
