package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"strata/cmd/internal/ui"
	"strata/region/codec"
	"strata/region/vfs"
	"strata/server"
	"strata/server/admin"
	"strata/server/conn"
	"strata/server/protocol"
)

// serverFlags are the flags of strata server, which win over its files.
type serverFlags struct {
	port           int
	offline        bool
	debug          bool
	backups        string
	profile        string
	memoryLimit    string
	workers        int
	level          string
	metrics, pprof string
}

// serverSettings are what files and flags say together.
type serverSettings struct {
	dir     string
	config  *admin.Config
	tuning  *admin.Tuning
	ignored []string // keys of server.properties
	online  bool
}

// loadServerSettings reads the files in a folder, and writes those that are absent.
// given says which flags were.
func loadServerSettings(dir string, f serverFlags, given func(flag string) bool) (*serverSettings, error) {
	config, properties, err := admin.LoadConfig(vfs.OS(), dir)
	if err != nil {
		return nil, err
	}
	tuning, err := admin.LoadTuning(vfs.OS(), dir)
	if err != nil {
		return nil, err
	}
	known, unknown := admin.Ignored(properties)
	s := &serverSettings{
		dir: dir, config: config, tuning: tuning, ignored: append(known, unknown...), online: config.OnlineMode && !f.offline,
	}
	return s, s.override(f, given)
}

// override has flags win.
func (s *serverSettings) override(f serverFlags, given func(flag string) bool) (err error) {
	t := s.tuning
	for _, flag := range []struct {
		name string
		set  func() error
	}{
		{"port", func() error { s.config.ServerPort = f.port; return inRange(f.port, 0, 65535) }},
		{"memory-profile", func() error { t.MemoryProfile = f.profile; return checkProfile(f.profile) }},
		{"memory-limit", func() error { t.MemoryLimit, err = admin.ParseSize(f.memoryLimit); return err }},
		{"workers", func() error { t.Workers = f.workers; return inRange(f.workers, 0, admin.MaxWorkers) }},
		{"level", func() error { t.Level, err = codec.ParseLevel(f.level); return err }},
		{"metrics", func() error { t.Metrics, err = admin.ListenAddress(f.metrics); return err }},
		{"pprof", func() error { t.PProf, err = admin.ListenAddress(f.pprof); return err }},
	} {
		if !given(flag.name) {
			continue
		}
		if err := flag.set(); err != nil {
			return fmt.Errorf("--%s: %w", flag.name, err)
		}
	}
	return nil
}

func inRange(n, low, high int) error {
	if n < low || n > high {
		return fmt.Errorf("%d is not within %d and %d", n, low, high)
	}
	return nil
}

func checkProfile(p string) error {
	if p != string(server.Low) && p != string(server.Throughput) {
		return fmt.Errorf("%q is not low or throughput", p)
	}
	return nil
}

var gameModes = map[string]protocol.GameMode{
	"survival": protocol.GameModeSurvival, "creative": protocol.GameModeCreative,
	"adventure": protocol.GameModeAdventure, "spectator": protocol.GameModeSpectator,
}

// options are the settings as those of a server, which has no Access yet.
func (s *serverSettings) options(log *slog.Logger) server.Options {
	c, t := s.config, s.tuning
	o := server.Options{
		World: filepath.Join(s.dir, c.LevelName), Seed: c.Seed(), Address: c.Address(), Motd: c.Motd,
		MaxPlayers: c.MaxPlayers, ViewDistance: c.ViewDistance, GameMode: gameModes[c.GameMode],
		ForceGameMode: c.ForceGameMode, Log: log,
		Difficulty: c.Difficulty, Hardcore: c.Hardcore, SpawnProtection: c.SpawnProtection, AllowFlight: c.AllowFlight,
		Threshold: threshold(c.CompressionThreshold), NoStatus: !c.EnableStatus,
		PauseWhenEmpty: time.Duration(max(c.PauseWhenEmpty, 0)) * time.Second,
		HidePlayers:    c.HideOnlinePlayers, HideAddresses: !c.LogIPs, QuietConsole: !c.BroadcastConsoleToOps,
		MaxTickTime: maxTickTime(c.MaxTickTime), Reports: filepath.Join(s.dir, "crash-reports"),
		Profile: server.Profile(t.MemoryProfile), MemoryLimit: t.MemoryLimit, Workers: t.Workers, Level: t.Level,
	}
	if s.online {
		o.Session = sessionService
	}
	if t.ExitOnStall {
		o.Stalled = func() { os.Exit(int(ui.Failed)) }
	}
	return o
}

// access opens the lists of the folder.
func (s *serverSettings) access(log *slog.Logger, offline func(string) protocol.UUID) (*admin.Access, error) {
	return admin.OpenAccess(admin.AccessOptions{
		FS: vfs.OS(), Folder: s.dir, Offline: offline, OpLevel: s.config.OpPermissionLevel,
		Whitelist: s.config.WhiteList, Enforce: s.config.EnforceWhitelist,
		Failed: func(err error) { log.Error("a list could not be written", "error", err) },
	})
}

// threshold is a setting's as an option, which has another meaning for 0: every
// packet has at least one byte.
func threshold(setting int) int {
	if setting == 0 {
		return 1
	}
	return setting
}

// maxTickTime is a setting's as an option, in which 0 is the default.
func maxTickTime(ms int) time.Duration {
	if ms <= 0 {
		return -1
	}
	return time.Duration(ms) * time.Millisecond
}

// offlineNames is how players are known where nobody is asked about them.
func offlineNames(o server.Options) func(string) protocol.UUID {
	if o.Session != "" {
		return nil
	}
	return conn.OfflineUUID
}
