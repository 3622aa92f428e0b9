package clients

import (
	"encoding/json"
	"testing"
)

// Client is the client of minecraft-protocol, which connects to servers on
// loopback.
type Client struct{ judge *judge }

// StartClient prepares the client for the length of a test, which is skipped,
// or fails when testbed.MustRun, if it cannot run here.
func StartClient(t testing.TB) *Client {
	t.Helper()
	return &Client{startJudge(t, "connect.mjs")}
}

// Ping returns the status that a server answers to a client of a version such
// as "26.1".
func (c *Client) Ping(version string, port int) (json.RawMessage, error) {
	var answer struct {
		Status json.RawMessage `json:"status"`
	}
	err := c.judge.call("ping", map[string]any{"version": version, "port": port}, &answer)
	return answer.Status, err
}

// Session is the session service that a client tells of its login.
type Session struct {
	Address string `json:"address"`
	Token   string `json:"token"`
	ID      string `json:"id"` // the player's UUID without hyphens
}

// Visit is how a client fared until the server ended the connection.
type Visit struct {
	Events []struct {
		State string `json:"state"`
		Name  string `json:"name"` // the library's
	} `json:"events"` // the packets that came
	UUID     string `json:"uuid"`
	Username string `json:"username"`
	Reason   string `json:"reason"` // why the server ended it, as JSON
	Error    string `json:"error"`  // the first one of the library
}

// Join logs in under a name, with a session service if session is not nil, and
// stays until the server ends the connection.
func (c *Client) Join(version string, port int, username string, session *Session) (Visit, error) {
	fields := map[string]any{"version": version, "port": port, "username": username}
	if session != nil {
		fields["session"] = session
	}
	var visit Visit
	err := c.judge.call("join", fields, &visit)
	return visit, err
}
