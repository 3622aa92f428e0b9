package admin

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf16"

	"strata/region/vfs"
)

// PropertiesName is the file of settings in a server's folder.
const PropertiesName = "server.properties"

// Config is what Strata uses of server.properties.
type Config struct {
	LevelName string // folder of the world, within the server's
	LevelSeed string // see Seed
	GameMode  string // survival, creative, adventure or spectator
	// ForceGameMode gives it to players at each join.
	ForceGameMode bool
	Difficulty    string // peaceful, easy, normal or hard
	Hardcore      bool   // of a world that is made
	// SpawnProtection is a number of blocks, 0 or below for none.
	SpawnProtection int
	// AllowFlight keeps those on who float in the air.
	AllowFlight bool

	ServerIP     string // "" is all addresses
	ServerPort   int
	Motd         string
	MaxPlayers   int
	OnlineMode   bool
	ViewDistance int
	// PauseWhenEmpty is after how many seconds without players the world stands
	// still; 0 and less is never.
	PauseWhenEmpty int
	// CompressionThreshold is from how many bytes on packets are compressed; -1 for
	// none.
	CompressionThreshold int
	EnableStatus         bool
	HideOnlinePlayers    bool
	LogIPs               bool

	// MaxTickTime is how many milliseconds a tick may take until the server says
	// where it stands; 0 or below for any time.
	MaxTickTime int

	WhiteList         bool
	EnforceWhitelist  bool
	OpPermissionLevel int

	EnableRCON         bool
	RCONPort           int
	RCONPassword       string
	BroadcastRCONToOps bool
	// BroadcastConsoleToOps tells operators of what the console does.
	BroadcastConsoleToOps bool
}

// setting is a key of the file, and where in a Config its value goes.
type setting struct {
	key   string
	value any // *string, *bool or *int
	check func() error
}

// maxThreshold is the longest packet that there is, in bytes.
const maxThreshold = 1<<21 - 1

// maxPause is more than a century, in seconds.
const maxPause = math.MaxInt32

// settings are those of a config, in the order in which a new file has them.
func (c *Config) settings() []setting {
	within := func(v *int, low, high int) func() error {
		return func() error {
			if *v < low || *v > high {
				return fmt.Errorf("%d is not within %d and %d", *v, low, high)
			}
			return nil
		}
	}
	oneOf := func(v *string, names ...string) func() error {
		return func() error {
			for i, name := range names {
				// The game takes numbers as well, from before there were names.
				if *v == name || *v == strconv.Itoa(i) {
					*v = name
					return nil
				}
			}
			return fmt.Errorf("%q is none of %s", *v, strings.Join(names, ", "))
		}
	}
	return []setting{
		{"allow-flight", &c.AllowFlight, nil},
		{"broadcast-console-to-ops", &c.BroadcastConsoleToOps, nil},
		{"broadcast-rcon-to-ops", &c.BroadcastRCONToOps, nil},
		{"difficulty", &c.Difficulty, oneOf(&c.Difficulty, "peaceful", "easy", "normal", "hard")},
		{"enable-rcon", &c.EnableRCON, nil},
		{"enable-status", &c.EnableStatus, nil},
		{"enforce-whitelist", &c.EnforceWhitelist, nil},
		{"force-gamemode", &c.ForceGameMode, nil},
		{"gamemode", &c.GameMode, oneOf(&c.GameMode, "survival", "creative", "adventure", "spectator")},
		{"hardcore", &c.Hardcore, nil},
		{"hide-online-players", &c.HideOnlinePlayers, nil},
		{"level-name", &c.LevelName, c.checkLevelName},
		{"level-seed", &c.LevelSeed, nil},
		{"log-ips", &c.LogIPs, nil},
		{"max-players", &c.MaxPlayers, within(&c.MaxPlayers, 1, 1<<16)},
		{"max-tick-time", &c.MaxTickTime, within(&c.MaxTickTime, -1, math.MaxInt32)},
		{"motd", &c.Motd, nil},
		{"network-compression-threshold", &c.CompressionThreshold, within(&c.CompressionThreshold, -1, maxThreshold)},
		{"online-mode", &c.OnlineMode, nil},
		{"op-permission-level", &c.OpPermissionLevel, within(&c.OpPermissionLevel, 0, 4)},
		{"pause-when-empty-seconds", &c.PauseWhenEmpty, within(&c.PauseWhenEmpty, math.MinInt32, maxPause)},
		{"rcon.password", &c.RCONPassword, nil},
		{"rcon.port", &c.RCONPort, within(&c.RCONPort, 0, 65535)},
		{"server-ip", &c.ServerIP, nil},
		{"server-port", &c.ServerPort, within(&c.ServerPort, 0, 65535)},
		{"spawn-protection", &c.SpawnProtection, nil},
		{"view-distance", &c.ViewDistance, within(&c.ViewDistance, 3, 32)},
		{"white-list", &c.WhiteList, nil},
	}
}

// DefaultConfig is what a server has without a file: the game's own defaults.
func DefaultConfig() *Config {
	return &Config{
		LevelName: "world", GameMode: "survival", ServerPort: 25565, Motd: "A Minecraft Server", MaxPlayers: 20,
		OnlineMode: true, ViewDistance: 10, PauseWhenEmpty: 60, OpPermissionLevel: 4, RCONPort: 25575, BroadcastRCONToOps: true, BroadcastConsoleToOps: true,
		Difficulty: "easy", SpawnProtection: 16, CompressionThreshold: 256, EnableStatus: true, LogIPs: true, MaxTickTime: 60000,
	}
}

// checkLevelName refuses names that lead out of the server's folder.
func (c *Config) checkLevelName() error {
	if !filepath.IsLocal(c.LevelName) || filepath.Clean(c.LevelName) == "." {
		return fmt.Errorf("%q is no folder within the server's", c.LevelName)
	}
	return nil
}

// Read takes the values of a file. What is wrong is an error that names the key;
// keys that are absent keep their values.
func (c *Config) Read(p *Properties) error {
	for _, s := range c.settings() {
		text, ok := p.Get(s.key)
		if !ok {
			continue
		}
		if err := s.read(text); err != nil {
			return fmt.Errorf("%s: %w", s.key, err)
		}
	}
	return nil
}

func (s setting) read(text string) error {
	// As the game, which trims what is no text.
	word := strings.TrimSpace(text)
	switch v := s.value.(type) {
	case *string:
		*v = text
	case *bool:
		*v = strings.EqualFold(word, "true")
		if !*v && !strings.EqualFold(word, "false") {
			return fmt.Errorf("%q is neither true nor false", text)
		}
	case *int:
		n, err := strconv.Atoi(word)
		if err != nil {
			return fmt.Errorf("%q is no number", text)
		}
		*v = n
	}
	if s.check != nil {
		return s.check()
	}
	return nil
}

func (s setting) text() string {
	switch v := s.value.(type) {
	case *bool:
		return strconv.FormatBool(*v)
	case *int:
		return strconv.Itoa(*v)
	case *string:
		return *v
	}
	return ""
}

// write gives a file the keys that it lacks, and reports whether there were any.
func (c *Config) write(p *Properties) (changed bool) {
	for _, s := range c.settings() {
		if _, ok := p.Get(s.key); !ok {
			p.Set(s.key, s.text())
			changed = true
		}
	}
	return changed
}

// ignored are keys of the game's that have no effect here.
var ignored = map[string]bool{
	"generate-structures": true, "simulation-distance": true,
	"player-idle-timeout":          true,
	"max-chained-neighbor-updates": true,
	"accepts-transfers":            true, "bug-report-link": true, "debug": true, "enable-code-of-conduct": true,
	"enable-jmx-monitoring": true, "enable-query": true, "enforce-secure-profile": true, "entity-broadcast-range-percentage": true,
	"function-permission-level": true, "generator-settings": true, "initial-disabled-packs": true, "initial-enabled-packs": true,
	"level-type": true, "max-world-size": true, "prevent-proxy-connections": true, "query.port": true, "rate-limit": true,
	"region-file-compression": true, "require-resource-pack": true, "resource-pack": true, "resource-pack-id": true,
	"resource-pack-prompt": true, "resource-pack-sha1": true, "status-heartbeat-interval": true, "sync-chunk-writes": true,
	"text-filtering-config": true, "text-filtering-version": true, "use-native-transport": true,
	"management-server-enabled": true, "management-server-host": true, "management-server-port": true,
	"management-server-secret": true, "management-server-tls-enabled": true, "management-server-tls-keystore": true,
	"management-server-tls-keystore-password": true, "management-server-allowed-origins": true,
}

// Ignored are the keys of a file that have no effect: known ones of the game's, and
// ones that nobody knows.
func Ignored(p *Properties) (known, unknown []string) {
	used := map[string]bool{}
	for _, s := range DefaultConfig().settings() {
		used[s.key] = true
	}
	for _, key := range p.Keys() {
		switch {
		case used[key]:
		case ignored[key]:
			known = append(known, key)
		default:
			unknown = append(unknown, key)
		}
	}
	return known, unknown
}

// LoadConfig reads server.properties in a folder, and completes it.
func LoadConfig(fsys vfs.FS, folder string) (*Config, *Properties, error) {
	path := filepath.Join(folder, PropertiesName)
	p := &Properties{at: map[string]int{}}
	data, err := readFile(fsys, path, MaxProperties)
	switch {
	case err == nil:
		if p, err = ParseProperties(data); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, nil, err
	default:
		p.Comment("Minecraft server properties")
	}
	c := DefaultConfig()
	if err := c.Read(p); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if c.write(p) {
		if err := replaceFile(fsys, path, p.Bytes()); err != nil {
			return nil, nil, err
		}
	}
	return c, p, nil
}

// Address is what to listen on.
func (c *Config) Address() string { return net.JoinHostPort(c.ServerIP, strconv.Itoa(c.ServerPort)) }

// Seed is the seed of a world that is made: a number, or what Java's hashCode makes
// of a text; with neither a random one.
func (c *Config) Seed() int64 {
	text := strings.TrimSpace(c.LevelSeed)
	if text == "" {
		return int64(rand.Uint64())
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n
	}
	var hash int32
	for _, unit := range utf16.Encode([]rune(text)) {
		hash = 31*hash + int32(unit)
	}
	return int64(hash)
}

// readFile reads a file of at most so many bytes.
func readFile(fsys vfs.FS, path string, limit int64) ([]byte, error) {
	f, err := fsys.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size > limit {
		return nil, fmt.Errorf("%s: %d bytes, more than %d", path, info.Size, limit)
	}
	data := make([]byte, info.Size)
	n, err := f.ReadAt(data, 0)
	if n < len(data) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// replaceFile puts a file in place, flushed.
func replaceFile(fsys vfs.FS, path string, data []byte) error {
	dir := filepath.Dir(path)
	temp := filepath.Join(dir, vfs.TempPrefix+filepath.Base(path))
	f, err := fsys.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(data, 0)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = fsys.Rename(temp, path)
	}
	if err != nil {
		return errors.Join(err, fsys.Remove(temp))
	}
	return fsys.SyncDir(dir)
}
