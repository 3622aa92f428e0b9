package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"strata/region/vfs"
	"strata/server/command"
	"strata/server/protocol"
)

func profile(name string) command.Profile {
	var id protocol.UUID
	copy(id[:], name)
	return command.Profile{UUID: id, Name: name}
}

// accessRig is the lists of a folder, with a clock that stands.
type accessRig struct {
	t   *testing.T
	mem vfs.FS
	now time.Time
	o   AccessOptions
	a   *Access
}

func newAccessRig(t *testing.T, o AccessOptions) *accessRig {
	t.Helper()
	r := &accessRig{t: t, mem: newFolder(t, ""), now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), o: o}
	r.o.FS, r.o.Folder, r.o.Now = r.mem, "srv", func() time.Time { return r.now }
	r.o.Failed = func(err error) { t.Error(err) }
	r.open()
	return r
}

func (r *accessRig) open() {
	r.t.Helper()
	var err error
	if r.a, err = OpenAccess(r.o); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(r.a.Close)
}

// again is the server started once more.
func (r *accessRig) again() {
	r.t.Helper()
	r.a.Close()
	r.open()
}

func (r *accessRig) file(name string) string {
	r.t.Helper()
	data, err := readFile(r.mem, "srv/"+name, MaxList)
	if err != nil {
		r.t.Fatal(err)
	}
	return string(data)
}

var home = netip.MustParseAddr("127.0.0.1")

func (r *accessRig) refused(name, want string) {
	r.t.Helper()
	reason, ok := r.a.Admit(profile(name), home)
	if got := reason.String(); ok != (want == "") || !strings.Contains(got, want) {
		r.t.Errorf("%s: admitted %v, %q, want %q", name, ok, got, want)
	}
}

func TestListsOutliveTheServer(t *testing.T) {
	r := newAccessRig(t, AccessOptions{OpLevel: 3})
	r.refused("Steve", "")
	for name, changed := range map[string]bool{
		"op": r.a.Op(profile("Steve")), "whitelist": r.a.WhitelistAdd(profile("Alex")),
		"ban":         r.a.Ban(command.Ban{Profile: profile("Griefer"), By: "Server", Reason: "lava"}),
		"ban-ip":      r.a.BanAddress(command.Ban{Address: "10.0.0.9", By: "Steve", Reason: "no"}),
		"op again":    !r.a.Op(profile("Steve")),
		"ban again":   !r.a.Ban(command.Ban{Profile: profile("Griefer")}),
		"deop nobody": !r.a.Deop(profile("Alex")),
	} {
		if !changed {
			t.Errorf("%s did not do what it should", name)
		}
	}
	r.again()
	if level, bypasses := r.a.Level(profile("Steve").UUID); level != 3 || bypasses {
		t.Errorf("level %d, %v", level, bypasses)
	}
	if level, _ := r.a.Level(profile("Alex").UUID); level != 0 {
		t.Errorf("level %d of somebody else", level)
	}
	r.refused("Griefer", "You are banned from this server.\nReason: lava")
	if reason, ok := r.a.Admit(profile("Alex"), netip.MustParseAddr("::ffff:10.0.0.9")); ok || !strings.Contains(reason.String(), "IP address is banned") {
		t.Errorf("from a banned address: %v, %q", ok, reason)
	}
	want := "[\n  {\n    \"uuid\": \"47726965-6665-7200-0000-000000000000\",\n    \"name\": \"Griefer\",\n" +
		"    \"created\": \"2026-11-30 12:00:00 +0000\",\n    \"source\": \"Server\",\n    \"expires\": \"forever\",\n    \"reason\": \"lava\"\n  }\n]"
	if got := r.file("banned-players.json"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if p, ok := r.a.Lookup("stEVE"); !ok || p != profile("Steve") {
		t.Errorf("looked up %+v, %v", p, ok)
	}
	if _, ok := r.a.Lookup("nobody"); ok {
		t.Error("found nobody in online mode")
	}
	if !r.a.Pardon(profile("Griefer")) || !r.a.PardonAddress("10.0.0.9") || !r.a.Deop(profile("Steve")) || !r.a.WhitelistRemove(profile("Alex")) {
		t.Error("nothing was taken back")
	}
	r.again()
	r.refused("Griefer", "")
	if n := len(r.a.Ops()) + len(r.a.Bans()) + len(r.a.AddressBans()) + len(r.a.Whitelist()); n != 0 {
		t.Errorf("%d entries are left", n)
	}
}

func TestTheWhitelistLetsInWhoIsOnIt(t *testing.T) {
	r := newAccessRig(t, AccessOptions{Whitelist: true, Enforce: true})
	r.refused("Steve", "not white-listed")
	r.a.WhitelistAdd(profile("Steve"))
	r.a.Op(profile("Alex"))
	r.refused("Steve", "")
	r.refused("Alex", "") // operators are always let in
	if r.a.Unlisted(profile("Alex").UUID) || !r.a.Unlisted(profile("Who").UUID) {
		t.Error("who has to go is wrong")
	}
	r.a.SetWhitelist(false)
	r.refused("Who", "")
	if r.a.Unlisted(profile("Who").UUID) || r.a.WhitelistOn() {
		t.Error("it is off")
	}
}

func TestBansEnd(t *testing.T) {
	r := newAccessRig(t, AccessOptions{})
	file := `[{"uuid":"47726965-6665-7200-0000-000000000000","name":"Griefer","created":"x","source":"y","expires":"2026-11-30 13:00:00 +0000","reason":"z","note":{"kept":[1,2]}}]`
	if err := replaceFile(r.mem, "srv/banned-players.json", []byte(file)); err != nil {
		t.Fatal(err)
	}
	r.again()
	r.refused("Griefer", "Your ban will be removed on 2026-11-30 13:00:00 +0000")
	if len(r.a.Bans()) != 1 {
		t.Error("the ban is not listed")
	}
	r.now = r.now.Add(time.Hour)
	r.refused("Griefer", "")
	if len(r.a.Bans()) != 0 {
		t.Error("a ban that is over is listed")
	}
	// What others wrote stays in the file.
	r.a.Ban(command.Ban{Profile: profile("Other")})
	r.a.Close()
	var all []map[string]any
	if err := json.Unmarshal([]byte(r.file("banned-players.json")), &all); err != nil || len(all) != 2 || all[0]["note"] == nil {
		t.Errorf("%v: %v", err, all)
	}
}

// A list that cannot be read must not count as one that is empty.
func TestDamagedListsKeepTheServerFromStarting(t *testing.T) {
	for _, text := range []string{"[{", `[{"name":"x"}]`, `{"a":1}`, `[1]`} {
		mem := newFolder(t, "")
		if err := replaceFile(mem, "srv/banned-players.json", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenAccess(AccessOptions{FS: mem, Folder: "srv"}); !errors.Is(err, ErrList) {
			t.Errorf("%s: %v", text, err)
		}
	}
	// But names can be learned again.
	mem := newFolder(t, "")
	if err := replaceFile(mem, "srv/usercache.json", []byte("[{")); err != nil {
		t.Fatal(err)
	}
	a, err := OpenAccess(AccessOptions{FS: mem, Folder: "srv", Offline: func(name string) protocol.UUID { return profile(name).UUID }})
	if err != nil {
		t.Fatal(err)
	}
	if p, ok := a.Lookup("Anyone"); !ok || p.UUID != profile("Anyone").UUID {
		t.Errorf("offline: %+v, %v", p, ok)
	}
	a.Close()
}

func FuzzLists(f *testing.F) {
	f.Add([]byte(`[{"uuid":"47726965-6665-7200-0000-000000000000","name":"A","level":4,"x":[{}]}]`))
	f.Fuzz(func(t *testing.T, file []byte) {
		mem := newFolder(t, "")
		if err := replaceFile(mem, "srv/ops.json", file); err != nil {
			t.Fatal(err)
		}
		l := list{name: "ops.json", key: "uuid", order: []string{"uuid", "name"}}
		if l.read(mem, "srv") != nil {
			return
		}
		before := len(l.entries)
		if err := replaceFile(mem, "srv/ops.json", l.bytes()); err != nil {
			t.Fatal(err)
		}
		if err := l.read(mem, "srv"); err != nil || len(l.entries) != before {
			t.Fatalf("%d entries, then %d, %v", before, len(l.entries), err)
		}
	})
}

// A name that was added a moment ago is not lost by reading the file again.
func TestReloadingKeepsWhatWasJustAdded(t *testing.T) {
	r := newAccessRig(t, AccessOptions{Whitelist: true})
	for i := range 50 {
		name := fmt.Sprintf("Player_%d", i)
		r.a.WhitelistAdd(profile(name))
		if err := r.a.ReloadWhitelist(); err != nil {
			t.Fatal(err)
		}
		if n := len(r.a.Whitelist()); n != i+1 {
			t.Fatalf("%d names after %d", n, i+1)
		}
	}
	r.again()
	if n := len(r.a.Whitelist()); n != 50 {
		t.Errorf("%d names are in the file", n)
	}
}
