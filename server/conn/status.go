package conn

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf16"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// Status is what clients are shown of the server in their list.
type Status struct {
	Text    string // plain, with section signs for formats if need be
	Online  int
	Max     int
	Sample  []SamplePlayer // of those who are online
	Favicon []byte         // a PNG of 64 by 64 pixels, or nil
}

// SamplePlayer is a player in the list of a status.
type SamplePlayer struct {
	Name string
	ID   protocol.UUID
}

// statusJSON is the form of the answer.
type statusJSON struct {
	Version struct {
		Name     string `json:"name"`
		Protocol int    `json:"protocol"`
	} `json:"version"`
	Players struct {
		Max    int          `json:"max"`
		Online int          `json:"online"`
		Sample []sampleJSON `json:"sample,omitempty"`
	} `json:"players"`
	Description struct {
		Text string `json:"text"`
	} `json:"description"`
	Favicon            string `json:"favicon,omitempty"`
	EnforcesSecureChat bool   `json:"enforcesSecureChat"`
}

type sampleJSON struct {
	Name string `json:"name"`
	ID   string `json:"id"`
}

// shownVersion is the version that a client of that protocol is shown: its
// own, or the newest that we speak.
func shownVersion(protocolNumber int32) registry.Version {
	if v, ok := registry.ForProtocol(int(protocolNumber)); ok {
		return v
	}
	list := registry.Versions()
	return list[len(list)-1]
}

// JSON returns the answer to a client of a protocol version.
func (s *Status) JSON(protocolNumber int32) ([]byte, error) {
	var j statusJSON
	version := shownVersion(protocolNumber)
	j.Version.Name, j.Version.Protocol = version.String(), version.Protocol()
	j.Players.Max, j.Players.Online = s.Max, s.Online
	for _, p := range s.Sample {
		j.Players.Sample = append(j.Players.Sample, sampleJSON{p.Name, p.ID.String()})
	}
	j.Description.Text = s.Text
	if s.Favicon != nil {
		j.Favicon = "data:image/png;base64," + base64.StdEncoding.EncodeToString(s.Favicon)
	}
	return json.Marshal(j)
}

// answerStatus answers one question for the status and one ping, in any order.
func (c *Conn) answerStatus(protocolNumber int32) error {
	if c.server.options.NoStatus {
		return ErrStatus
	}
	c.state = registry.Status
	c.setOut(registry.Status)
	var asked, pinged bool
	for !pinged {
		p, err := c.next()
		if err != nil {
			if asked {
				return ErrStatus // many clients go without a ping
			}
			return err
		}
		switch p := p.(type) {
		case *protocol.StatusRequest:
			if asked {
				return fmt.Errorf("asked twice: %w", ErrProtocol)
			}
			asked = true
			status := c.server.options.Status()
			text, err := status.JSON(protocolNumber)
			if err != nil {
				return err
			}
			if err := c.Send(&protocol.StatusResponse{Response: string(text)}); err != nil {
				return err
			}
		case *protocol.PingRequest:
			pinged = true
			if err := c.Send(&protocol.PongResponse{Time: p.Time}); err != nil {
				return err
			}
		}
	}
	return ErrStatus
}

const (
	// legacyMark is the first byte of a client from before 1.7. A frame of 254
	// bytes begins with it too; the game's own server reads that the same way.
	legacyMark = 0xfe
	// legacyWait is how long the byte after it may take: the oldest clients
	// send none.
	legacyWait = 100 * time.Millisecond
)

// legacyPing answers the ping of clients from before 1.7, and reports whether
// it was one.
func (c *Conn) legacyPing() (bool, error) {
	first, err := c.in.Peek(1)
	if err != nil {
		return false, err
	}
	if first[0] != legacyMark {
		return false, nil
	}
	if c.server.options.NoStatus {
		return true, ErrStatus
	}
	if err := c.net.SetReadDeadline(time.Now().Add(legacyWait)); err != nil {
		return true, err
	}
	_, err = c.in.Peek(2)
	status := c.server.options.Status()
	version := shownVersion(0)
	text := fmt.Sprintf("%s§%d§%d", status.Text, status.Online, status.Max)
	if err == nil {
		// Those of 1.4 to 1.6 send a second byte, and understand this.
		text = fmt.Sprintf("§1\x00%d\x00%s\x00%s\x00%d\x00%d", 127, version, status.Text, status.Online, status.Max)
	}
	if _, err := c.net.Write(legacyKick(text)); err != nil {
		return true, err
	}
	return true, ErrStatus
}

// legacyKick is a packet of before 1.7: a text in UTF-16 after its length.
func legacyKick(text string) []byte {
	units := utf16.Encode([]rune(text))
	if len(units) > 1<<15-1 {
		units = units[:1<<15-1]
	}
	var w protocol.Writer
	w.Byte(0xff)
	w.Short(uint16(len(units)))
	for _, u := range units {
		w.Short(u)
	}
	return w.Bytes()
}
