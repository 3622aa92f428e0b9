package server

import (
	"context"
	"encoding/json"
	"net"
	"net/netip"

	"strata/server/admin"
	"strata/server/command"
	"strata/server/conn"
	"strata/server/text"
)

// admit asks Options.Access about a player who logs in.
func (s *Server) admit(_ context.Context, p conn.Profile, remote net.Addr) error {
	if s.options.Access == nil {
		return nil
	}
	var address netip.Addr
	if at, err := netip.ParseAddrPort(remote.String()); err == nil {
		address = at.Addr()
	}
	reason, ok := s.options.Access.Admit(command.Profile{UUID: p.UUID, Name: p.Name}, address)
	if ok {
		return nil
	}
	return &conn.Refusal{JSON: componentJSON(reason)}
}

// componentJSON is a text as it stands in the login state. Styles are left out.
func componentJSON(c text.Component) string {
	data, err := json.Marshal(componentValue(c))
	if err != nil {
		panic(err) // texts and lists
	}
	return string(data)
}

func componentValue(c text.Component) map[string]any {
	value := map[string]any{}
	if c.Key != "" {
		value["translate"] = c.Key
		if len(c.With) > 0 {
			value["with"] = componentValues(c.With)
		}
	} else {
		value["text"] = c.Text
	}
	if len(c.Extra) > 0 {
		value["extra"] = componentValues(c.Extra)
	}
	return value
}

func componentValues(all []text.Component) []any {
	values := make([]any, len(all))
	for i, c := range all {
		values[i] = componentValue(c)
	}
	return values
}

// hostAccess has players know at once when they become operators, or are none any
// more, and those who are not on an enforced whitelist go.
type hostAccess struct {
	*admin.Access
	s *Server
}

func (a hostAccess) Op(p command.Profile) bool   { return a.refresh(p, a.Access.Op(p)) }
func (a hostAccess) Deop(p command.Profile) bool { return a.refresh(p, a.Access.Deop(p)) }

func (a hostAccess) refresh(p command.Profile, changed bool) bool {
	if !changed {
		return false
	}
	for _, online := range a.s.game.Online() {
		if online.UUID() == p.UUID {
			a.s.game.Refresh(online)
		}
	}
	return true
}

func (a hostAccess) SetWhitelist(on bool) {
	a.Access.SetWhitelist(on)
	a.enforce()
}

func (a hostAccess) WhitelistRemove(p command.Profile) bool {
	changed := a.Access.WhitelistRemove(p)
	a.enforce()
	return changed
}

func (a hostAccess) ReloadWhitelist() error {
	err := a.Access.ReloadWhitelist()
	a.enforce()
	return err
}

func (a hostAccess) enforce() {
	for _, online := range a.s.game.Online() {
		if a.Unlisted(online.UUID()) {
			a.s.game.Kick(online, text.Key("multiplayer.disconnect.not_whitelisted").NBT())
		}
	}
}
