package command

import (
	"net/netip"

	"strata/server/text"
)

// eachProfile runs change for those whom the argument targets names. If none
// changed that is an error.
func eachProfile(fail, success string, change func(*Context, Profile) bool) func(*Context) (int, error) {
	return func(c *Context) (int, error) {
		list, err := c.profiles("targets")
		if err != nil {
			return 0, err
		}
		n := 0
		for _, p := range list {
			if change(c, p) {
				n++
				c.h.success(c.src, true, text.Key(success, text.Plain(p.Name)))
			}
		}
		if n == 0 {
			return 0, failed(fail)
		}
		return n, nil
	}
}

// suggestProfiles completes names of a list.
func suggestProfiles(list func(Access) []Profile) func(*builder) {
	return func(b *builder) {
		for _, p := range list(b.h.Access) {
			b.add(p.Name)
		}
	}
}

// notIn are the players who are there and not in a list.
func notIn(list func(Access) []Profile) func(*builder) {
	return func(b *builder) {
		in := map[string]bool{}
		for _, p := range list(b.h.Access) {
			in[p.Name] = true
		}
		for _, p := range b.h.Entities.Players() {
			if !in[p.Name()] {
				b.add(p.Name())
			}
		}
	}
}

func opCommand(*node) []*node {
	return one(literal("op",
		arg("targets", profileArg{}).completes(notIn(Access.Ops)).does(
			eachProfile("commands.op.failed", "commands.op.success", func(c *Context, p Profile) bool {
				return c.h.Access.Op(p)
			})),
	).needs(LevelAdmins))
}

func deopCommand(*node) []*node {
	return one(literal("deop",
		arg("targets", profileArg{}).completes(suggestProfiles(Access.Ops)).does(
			eachProfile("commands.deop.failed", "commands.deop.success", func(c *Context, p Profile) bool {
				return c.h.Access.Deop(p)
			})),
	).needs(LevelAdmins))
}

func whitelistCommand(*node) []*node {
	return one(literal("whitelist",
		literal("on").does(func(c *Context) (int, error) { return switchWhitelist(c, true) }),
		literal("off").does(func(c *Context) (int, error) { return switchWhitelist(c, false) }),
		literal("list").does(func(c *Context) (int, error) {
			list := c.h.Access.Whitelist()
			if len(list) == 0 {
				return c.tell(0, "commands.whitelist.none")
			}
			return c.tell(len(list), "commands.whitelist.list", number(len(list)), profileNames(list))
		}),
		literal("add", arg("targets", profileArg{}).completes(notIn(Access.Whitelist)).does(
			eachProfile("commands.whitelist.add.failed", "commands.whitelist.add.success",
				func(c *Context, p Profile) bool { return c.h.Access.WhitelistAdd(p) }))),
		literal("remove", arg("targets", profileArg{}).completes(suggestProfiles(Access.Whitelist)).does(
			eachProfile("commands.whitelist.remove.failed", "commands.whitelist.remove.success",
				func(c *Context, p Profile) bool { return c.h.Access.WhitelistRemove(p) }))),
		literal("reload").does(func(c *Context) (int, error) {
			if err := c.h.Access.ReloadWhitelist(); err != nil {
				return 0, err
			}
			return c.ok(1, "commands.whitelist.reloaded")
		}),
	).needs(LevelAdmins))
}

func switchWhitelist(c *Context, on bool) (int, error) {
	if c.h.Access.WhitelistOn() == on {
		if on {
			return 0, failed("commands.whitelist.alreadyOn")
		}
		return 0, failed("commands.whitelist.alreadyOff")
	}
	c.h.Access.SetWhitelist(on)
	if on {
		return c.ok(1, "commands.whitelist.enabled")
	}
	return c.ok(1, "commands.whitelist.disabled")
}

func profileNames(list []Profile) text.Component {
	parts := make([]text.Component, len(list))
	for i, p := range list {
		parts[i] = text.Plain(p.Name)
	}
	return text.Join(text.Plain(", "), parts...)
}

// reason is the argument reason in English, or that of a ban without one.
func (c *Context) reason() string {
	for _, v := range c.args {
		if v.name == "reason" {
			return c.message("reason").String()
		}
	}
	return text.Key("multiplayer.disconnect.banned.reason.default").String()
}

func banCommand(*node) []*node {
	ban := func(c *Context) (int, error) {
		list, err := c.profiles("targets")
		if err != nil {
			return 0, err
		}
		n, reason := 0, c.reason()
		for _, p := range list {
			if !c.h.Access.Ban(Ban{Profile: p, By: c.src.Name, Reason: reason}) {
				continue
			}
			n++
			c.h.success(c.src, true, text.Key("commands.ban.success", text.Plain(p.Name), text.Plain(reason)))
			for _, online := range c.h.Entities.Players() {
				if online.UUID() == p.UUID {
					online.Disconnect(text.Key("multiplayer.disconnect.banned"))
				}
			}
		}
		if n == 0 {
			return 0, failed("commands.ban.failed")
		}
		return n, nil
	}
	return one(literal("ban",
		arg("targets", profileArg{},
			arg("reason", messageArg{}).does(ban),
		).does(ban),
	).needs(LevelAdmins))
}

func banAddressCommand(*node) []*node {
	return one(literal("ban-ip",
		arg("target", wordArg,
			arg("reason", messageArg{}).does(banAddress),
		).does(banAddress),
	).needs(LevelAdmins))
}

func banAddress(c *Context) (int, error) {
	target := get[string](c, "target")
	address, err := netip.ParseAddr(target)
	ip := address.String()
	if err != nil {
		ip = ""
		for _, p := range c.h.Entities.Players() {
			if p.Name() == target {
				ip = p.Address()
			}
		}
		if ip == "" {
			return 0, failed("commands.banip.invalid")
		}
	}
	reason := c.reason()
	if !c.h.Access.BanAddress(Ban{Address: ip, By: c.src.Name, Reason: reason}) {
		return 0, failed("commands.banip.failed")
	}
	c.h.success(c.src, true, text.Key("commands.banip.success", text.Plain(ip), text.Plain(reason)))
	var hit []Player
	for _, p := range c.h.Entities.Players() {
		if p.Address() == ip {
			hit = append(hit, p)
		}
	}
	if len(hit) > 0 {
		c.h.success(c.src, true, text.Key("commands.banip.info", number(len(hit)), names(hit)))
	}
	for _, p := range hit {
		p.Disconnect(text.Key("multiplayer.disconnect.ip_banned"))
	}
	return len(hit), nil
}

func banListCommand(*node) []*node {
	list := func(c *Context, bans ...Ban) (int, error) {
		if len(bans) == 0 {
			return c.tell(0, "commands.banlist.none")
		}
		c.h.success(c.src, false, text.Key("commands.banlist.list", number(len(bans))))
		for _, b := range bans {
			who := b.Address
			if who == "" {
				who = b.Profile.Name
			}
			c.h.success(c.src, false, text.Key("commands.banlist.entry", text.Plain(who), text.Plain(b.By), text.Plain(b.Reason)))
		}
		return len(bans), nil
	}
	return one(literal("banlist",
		literal("ips").does(func(c *Context) (int, error) { return list(c, c.h.Access.AddressBans()...) }),
		literal("players").does(func(c *Context) (int, error) { return list(c, c.h.Access.Bans()...) }),
	).needs(LevelAdmins).does(func(c *Context) (int, error) {
		return list(c, append(c.h.Access.Bans(), c.h.Access.AddressBans()...)...)
	}))
}

func pardonCommand(*node) []*node {
	return one(literal("pardon",
		arg("targets", profileArg{}).completes(func(b *builder) {
			for _, ban := range b.h.Access.Bans() {
				b.add(ban.Profile.Name)
			}
		}).does(eachProfile("commands.pardon.failed", "commands.pardon.success", func(c *Context, p Profile) bool {
			return c.h.Access.Pardon(p)
		})),
	).needs(LevelAdmins))
}

func pardonAddressCommand(*node) []*node {
	return one(literal("pardon-ip",
		arg("target", wordArg).completes(func(b *builder) {
			for _, ban := range b.h.Access.AddressBans() {
				b.add(ban.Address)
			}
		}).does(func(c *Context) (int, error) {
			address, err := netip.ParseAddr(get[string](c, "target"))
			if err != nil {
				return 0, failed("commands.pardonip.invalid")
			}
			if !c.h.Access.PardonAddress(address.String()) {
				return 0, failed("commands.pardonip.failed")
			}
			return c.ok(1, "commands.pardonip.success", text.Plain(address.String()))
		}),
	).needs(LevelAdmins))
}
