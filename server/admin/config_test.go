package admin

import (
	"slices"
	"strings"
	"testing"

	"strata/region/vfs"
)

func load(t *testing.T, mem vfs.FS) (*Config, *Properties) {
	t.Helper()
	c, p, err := LoadConfig(mem, "srv")
	if err != nil {
		t.Fatal(err)
	}
	return c, p
}

func newFolder(t *testing.T, file string) *vfs.Mem {
	t.Helper()
	mem := vfs.NewMem(vfs.MemOptions{})
	if err := mem.Mkdir("srv", 0o755); err != nil {
		t.Fatal(err)
	}
	if file != "" {
		if err := replaceFile(mem, "srv/server.properties", []byte(file)); err != nil {
			t.Fatal(err)
		}
	}
	return mem
}

func TestANewServerGetsAFileOfItsSettings(t *testing.T) {
	mem := newFolder(t, "")
	c, p := load(t, mem)
	if *c != *DefaultConfig() || c.Address() != ":25565" {
		t.Errorf("%+v", c)
	}
	if v, _ := p.Get("motd"); v != "A Minecraft Server" || !slices.IsSorted(p.Keys()) || !strings.HasPrefix(string(p.Bytes()), "#") {
		t.Errorf("the file:\n%s", p.Bytes())
	}
	again, q := load(t, mem)
	if *again != *c || string(q.Bytes()) != string(p.Bytes()) {
		t.Error("the file is read as something else than was written")
	}
}

func TestSettingsAreReadAndTheRestStays(t *testing.T) {
	file := "#mine\nmotd=Hi\nlevel-type=flat\nmy-key=1\nserver-port= 0 \nonline-mode=FALSE\ngamemode=1\nserver-ip=127.0.0.1\n"
	mem := newFolder(t, file)
	c, p := load(t, mem)
	if c.Motd != "Hi" || c.ServerPort != 0 || c.OnlineMode || c.GameMode != "creative" || c.Address() != "127.0.0.1:0" {
		t.Errorf("%+v", c)
	}
	if !strings.HasPrefix(string(p.Bytes()), file) {
		t.Errorf("the file:\n%s", p.Bytes())
	}
	known, unknown := Ignored(p)
	if !slices.Equal(known, []string{"level-type"}) || !slices.Equal(unknown, []string{"my-key"}) {
		t.Errorf("ignored %q and %q", known, unknown)
	}
}

func TestWrongSettingsAreNamed(t *testing.T) {
	for line, want := range map[string]string{
		"server-port=x":          `server-port: "x" is no number`,
		"server-port=70000":      "server-port: 70000 is not within",
		"online-mode=maybe":      `online-mode: "maybe" is neither`,
		"gamemode=god":           `gamemode: "god" is none of`,
		"level-name=../x":        "level-name: ",
		"level-name=/etc":        "level-name: ",
		"view-distance=2":        "view-distance: 2",
		"motd=\\u12":             "line 1: ",
		"op-permission-level=-1": "op-permission-level: -1",
	} {
		mem := newFolder(t, line+"\n")
		_, _, err := LoadConfig(mem, "srv")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
		if data, err := readFile(mem, "srv/server.properties", 1<<20); err != nil || string(data) != line+"\n" {
			t.Errorf("%s: the file is %q, %v", line, data, err)
		}
	}
}

// The hashes are those of Java's String.hashCode.
func TestSeedsAreThoseOfTheGame(t *testing.T) {
	for text, want := range map[string]int64{
		"1234": 1234, " -7 ": -7, "9223372036854775807": 9223372036854775807,
		"9223372036854775808": -1773151197, "glacier": 108181935, "Aa": 2112, "BB": 2112, "😀": 1772899,
	} {
		c := &Config{LevelSeed: text}
		if got := c.Seed(); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	c := &Config{}
	if first, second := c.Seed(), c.Seed(); first == second {
		t.Error("two random seeds are the same")
	}
}

func TestAFileThatCannotBeWrittenIsAnError(t *testing.T) {
	mem := newFolder(t, "")
	f := vfs.NewFault(mem)
	f.Add(vfs.Rule{Ops: vfs.OpMutating, Nth: 1, Err: vfs.ErrNoSpace})
	if _, _, err := LoadConfig(f, "srv"); err == nil {
		t.Error("no error")
	}
	c, _ := load(t, mem)
	if *c != *DefaultConfig() {
		t.Errorf("%+v", c)
	}
}

func TestSettingsOfStatusAndCompressionHaveTheGamesDefaultsAndRanges(t *testing.T) {
	c, p := load(t, newFolder(t, ""))
	if c.Difficulty != "easy" || c.Hardcore || c.SpawnProtection != 16 || c.CompressionThreshold != 256 || !c.EnableStatus || c.HideOnlinePlayers || !c.LogIPs || !c.BroadcastConsoleToOps || c.MaxTickTime != 60000 {
		t.Errorf("%+v", c)
	}
	if known, unknown := Ignored(p); len(known)+len(unknown) > 0 {
		t.Errorf("a new file has keys without effect: %v, %v", known, unknown)
	}
	file := "difficulty=3\nhardcore=true\nspawn-protection=0\nnetwork-compression-threshold=-1\nenable-status=false\nhide-online-players=true\nlog-ips=false\nbroadcast-console-to-ops=false\n"
	c, _ = load(t, newFolder(t, file))
	if c.Difficulty != "hard" || !c.Hardcore || c.SpawnProtection != 0 || c.CompressionThreshold != -1 || c.EnableStatus || !c.HideOnlinePlayers || c.LogIPs || c.BroadcastConsoleToOps {
		t.Errorf("%+v", c)
	}
	for _, wrong := range []string{"difficulty=nightmare", "network-compression-threshold=-2", "network-compression-threshold=2097152", "hardcore=1", "max-tick-time=1s"} {
		key, _, _ := strings.Cut(wrong, "=")
		if _, _, err := LoadConfig(newFolder(t, wrong+"\n"), "srv"); err == nil || !strings.Contains(err.Error(), key) {
			t.Errorf("%s: error %v", wrong, err)
		}
	}
}
