package clients

import "testing"

// Protocol is the judge of packets: minecraft-protocol.
type Protocol struct{ judge *judge }

// Reencoded is what the library made of a packet.
type Reencoded struct {
	Name  string `json:"name"`  // the library's own, "" if it did not come so far
	Size  int    `json:"size"`  // how many bytes it read
	Data  []byte `json:"data"`  // what it writes of what it read
	Error string `json:"error"` // what it threw in place of Size and Data
}

// StartProtocol prepares the judge of packets for the length of a test, which
// is skipped, or fails when testbed.MustRun, if it cannot run here.
func StartProtocol(t testing.TB) *Protocol {
	t.Helper()
	return &Protocol{startJudge(t, "protocol.mjs")}
}

// Reencode returns what the library reads and writes of packets - numbers and
// fields, without frames - in a version such as "26.1" and a state by the
// library's name: "handshaking", "status", "login", "configuration" or "play".
// The error is as those of NBT.
func (p *Protocol) Reencode(version, state string, serverbound bool, packets [][]byte) ([]Reencoded, error) {
	var answer struct {
		Packets []Reencoded `json:"packets"`
	}
	err := p.judge.call("reencode", map[string]any{
		"version": version, "state": state, "serverbound": serverbound, "packets": packets,
	}, &answer)
	return answer.Packets, err
}
