package admin

import (
	"encoding/json"
	"errors"
	"maps"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"strata/anvil/player"
	"strata/region/vfs"
	"strata/server/command"
	"strata/server/protocol"
	"strata/server/text"
)

// timeForm is how the game writes moments into its lists.
const timeForm = "2006-01-02 15:04:05 -0700"

const forever = "forever"

// cached is how long a player's name is remembered after they were on.
const cached = 30 * 24 * time.Hour

func sortedKeys(m map[string]json.RawMessage) []string { return slices.Sorted(maps.Keys(m)) }

// AccessOptions of an Access.
type AccessOptions struct {
	FS     vfs.FS
	Folder string
	// Offline players are known by name alone.
	Offline func(name string) protocol.UUID // nil in online mode
	// OpLevel is the level of new operators.
	OpLevel int
	// Whitelist lets in only who is on it; with Enforce, who is not on it any
	// more is removed.
	Whitelist, Enforce bool
	// Failed is told of files that cannot be written; nil for nobody.
	Failed func(error)
	// Now is the clock, nil time.Now.
	Now func() time.Time
}

// Access is who may be on a server and what they may do: the game's files ops.json,
// whitelist.json, banned-players.json, banned-ips.json and usercache.json. It may
// be used from any number of goroutines. Changes are written soon, by a goroutine
// of its own; Close waits for it.
type Access struct {
	o AccessOptions

	files sync.Mutex // held while files are written or read; taken before mu

	mu        sync.Mutex // guards what follows
	ops       list
	whitelist list
	bans      list
	addresses list
	cache     list
	on        bool // the whitelist
	changed   map[*list]bool
	closed    bool

	wake    chan struct{}
	writing sync.WaitGroup
}

var _ command.Access = (*Access)(nil)

// OpenAccess reads the lists of a folder. A list that cannot be read is an error
// that wraps ErrList: an empty one would let in whom it keeps out.
func OpenAccess(o AccessOptions) (*Access, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	a := &Access{
		o: o, on: o.Whitelist, changed: map[*list]bool{}, wake: make(chan struct{}, 1),
		ops:       list{name: "ops.json", key: "uuid", order: []string{"uuid", "name", "level", "bypassesPlayerLimit"}},
		whitelist: list{name: "whitelist.json", key: "uuid", order: []string{"uuid", "name"}},
		bans:      list{name: "banned-players.json", key: "uuid", order: []string{"uuid", "name", "created", "source", "expires", "reason"}},
		addresses: list{name: "banned-ips.json", key: "ip", order: []string{"ip", "created", "source", "expires", "reason"}},
		cache:     list{name: "usercache.json", key: "uuid", order: []string{"name", "uuid", "expiresOn"}},
	}
	for _, l := range []*list{&a.ops, &a.whitelist, &a.bans, &a.addresses} {
		if err := l.read(o.FS, o.Folder); err != nil {
			return nil, err
		}
	}
	if err := a.cache.read(o.FS, o.Folder); err != nil && !errors.Is(err, ErrList) {
		return nil, err // names can be learned again
	}
	a.writing.Go(a.write)
	return a, nil
}

// touch has a list written. Called under mu.
func (a *Access) touch(l *list) {
	if a.closed {
		return
	}
	a.changed[l] = true
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// write writes the lists that have changed, until the end.
func (a *Access) write() {
	for range a.wake {
		a.writeChanged()
	}
}

func (a *Access) writeChanged() {
	a.files.Lock()
	defer a.files.Unlock()
	a.mu.Lock()
	files := map[string][]byte{}
	for l := range a.changed {
		files[l.name] = l.bytes()
	}
	clear(a.changed)
	a.mu.Unlock()
	for name, data := range files {
		if err := replaceFile(a.o.FS, filepath.Join(a.o.Folder, name), data); err != nil {
			a.o.Failed(err)
		}
	}
}

// Close writes what has changed. Later changes are not written.
func (a *Access) Close() {
	a.mu.Lock()
	if !a.closed {
		a.closed = true
		close(a.wake)
	}
	a.mu.Unlock()
	a.writing.Wait()
}

// Admit says why a player may not come in, and false; or true. It remembers the
// name of who may.
func (a *Access) Admit(p command.Profile, address netip.Addr) (reason text.Component, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	id := idText(p.UUID)
	if e, ok := a.standing(&a.bans, id); ok {
		return refusal("multiplayer.disconnect.banned.reason", "multiplayer.disconnect.banned.expiration", e), false
	}
	if a.on && a.whitelist.find(id) < 0 && a.ops.find(id) < 0 {
		return text.Key("multiplayer.disconnect.not_whitelisted"), false
	}
	if e, ok := a.standing(&a.addresses, address.Unmap().WithZone("").String()); ok {
		return refusal("multiplayer.disconnect.banned_ip.reason", "multiplayer.disconnect.banned_ip.expiration", e), false
	}
	a.cache.put(a.cache.with(p.Name, id, a.o.Now().Add(cached).Format(timeForm)))
	a.touch(&a.cache)
	return text.Component{}, true
}

// standing returns a ban that is not over.
func (a *Access) standing(l *list, key string) (e entry, ok bool) {
	i := l.find(key)
	if i < 0 {
		return e, false
	}
	e = l.entries[i]
	until, err := time.Parse(timeForm, e.text("expires"))
	return e, err != nil || a.o.Now().Before(until)
}

func refusal(key, expiration string, e entry) text.Component {
	c := text.Key(key, text.Plain(e.text("reason")))
	if at := e.text("expires"); at != "" && at != forever {
		c = c.Append(text.Key(expiration, text.Plain(at)))
	}
	return c
}

// Level is a player's permission level, and whether a full server lets them in.
func (a *Access) Level(id protocol.UUID) (level int, bypasses bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := a.ops.find(idText(id))
	if i < 0 {
		return 0, false
	}
	e := a.ops.entries[i]
	return min(max(e.number("level"), 0), command.LevelOwners), e.truth("bypassesPlayerLimit")
}

// Lookup implements command.Access.
func (a *Access) Lookup(name string) (command.Profile, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, l := range []*list{&a.cache, &a.ops, &a.whitelist, &a.bans} {
		for _, e := range l.entries {
			if !strings.EqualFold(e.text("name"), name) {
				continue
			}
			if p, ok := profileOf(e); ok {
				return p, true
			}
		}
	}
	if a.o.Offline == nil {
		return command.Profile{}, false
	}
	return command.Profile{UUID: a.o.Offline(name), Name: name}, true
}

func idText(id protocol.UUID) string { return player.ID(id).String() }

func profileOf(e entry) (p command.Profile, ok bool) {
	id, err := player.ParseID(e.text("uuid"))
	return command.Profile{UUID: protocol.UUID(id), Name: e.text("name")}, err == nil
}

func (a *Access) profiles(l *list) (all []command.Profile) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range l.entries {
		if p, ok := profileOf(e); ok {
			all = append(all, p)
		}
	}
	return all
}

// add puts an entry for a key unless there is one.
func (a *Access) add(l *list, key string, fresh func() entry) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if l.find(key) >= 0 {
		return false
	}
	l.put(fresh())
	a.touch(l)
	return true
}

func (a *Access) drop(l *list, key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !l.remove(key) {
		return false
	}
	a.touch(l)
	return true
}

// Ops implements command.Access.
func (a *Access) Ops() []command.Profile { return a.profiles(&a.ops) }

// Op implements command.Access.
func (a *Access) Op(p command.Profile) bool {
	id := idText(p.UUID)
	return a.add(&a.ops, id, func() entry { return a.ops.with(id, p.Name, a.o.OpLevel, false) })
}

// Deop implements command.Access.
func (a *Access) Deop(p command.Profile) bool { return a.drop(&a.ops, idText(p.UUID)) }

// Whitelist implements command.Access.
func (a *Access) Whitelist() []command.Profile { return a.profiles(&a.whitelist) }

// WhitelistOn implements command.Access.
func (a *Access) WhitelistOn() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.on
}

// SetWhitelist implements command.Access.
func (a *Access) SetWhitelist(on bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.on = on
}

// WhitelistAdd implements command.Access.
func (a *Access) WhitelistAdd(p command.Profile) bool {
	id := idText(p.UUID)
	return a.add(&a.whitelist, id, func() entry { return a.whitelist.with(id, p.Name) })
}

// WhitelistRemove implements command.Access.
func (a *Access) WhitelistRemove(p command.Profile) bool {
	return a.drop(&a.whitelist, idText(p.UUID))
}

// Unlisted reports whether a player who is on has to go, now that the whitelist is
// what it is.
func (a *Access) Unlisted(id protocol.UUID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.on && a.o.Enforce && a.whitelist.find(idText(id)) < 0 && a.ops.find(idText(id)) < 0
}

// ReloadWhitelist implements command.Access. What was changed here and is not
// written yet is written first.
func (a *Access) ReloadWhitelist() error {
	a.files.Lock()
	defer a.files.Unlock()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.changed[&a.whitelist] {
		if err := replaceFile(a.o.FS, filepath.Join(a.o.Folder, a.whitelist.name), a.whitelist.bytes()); err != nil {
			return err
		}
		delete(a.changed, &a.whitelist)
	}
	return a.whitelist.read(a.o.FS, a.o.Folder)
}

func (a *Access) banList(l *list) (all []command.Ban) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range l.entries {
		if _, ok := a.standing(l, e.text(l.key)); !ok {
			continue
		}
		b := command.Ban{Address: e.text("ip"), By: e.text("source"), Reason: e.text("reason")}
		if l.key == "uuid" {
			b.Profile, _ = profileOf(e)
		}
		all = append(all, b)
	}
	return all
}

// Bans implements command.Access.
func (a *Access) Bans() []command.Ban { return a.banList(&a.bans) }

// AddressBans implements command.Access.
func (a *Access) AddressBans() []command.Ban { return a.banList(&a.addresses) }

// ban puts a ban in place of one that is over.
func (a *Access) ban(l *list, key string, fresh func(created string) entry) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.standing(l, key); ok {
		return false
	}
	l.remove(key)
	l.put(fresh(a.o.Now().Format(timeForm)))
	a.touch(l)
	return true
}

// Ban implements command.Access.
func (a *Access) Ban(b command.Ban) bool {
	id := idText(b.Profile.UUID)
	return a.ban(&a.bans, id, func(created string) entry {
		return a.bans.with(id, b.Profile.Name, created, b.By, forever, b.Reason)
	})
}

// Pardon implements command.Access.
func (a *Access) Pardon(p command.Profile) bool { return a.drop(&a.bans, idText(p.UUID)) }

// BanAddress implements command.Access.
func (a *Access) BanAddress(b command.Ban) bool {
	return a.ban(&a.addresses, b.Address, func(created string) entry {
		return a.addresses.with(b.Address, created, b.By, forever, b.Reason)
	})
}

// PardonAddress implements command.Access.
func (a *Access) PardonAddress(address string) bool { return a.drop(&a.addresses, address) }
