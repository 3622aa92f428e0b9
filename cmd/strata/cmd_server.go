package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"strata/cmd/internal/ui"
	"strata/region/vfs"
	"strata/server"
	"strata/server/admin"
	"strata/server/conn"
	"strata/server/protocol"
)

// sessionService is where players of online mode are asked for.
const sessionService = "https://sessionserver.mojang.com"

// serverFlags are the flags of strata server, which win over server.properties.
type serverFlags struct {
	port    int
	offline bool
	debug   bool
	backups string
}

func newServerCmd(a *app) *cobra.Command {
	var f serverFlags
	cmd := &cobra.Command{
		Use:   "server [DIR]",
		Short: "Run a game server",
		Long: `Run a server for clients of 26.1 and 26.2 in a folder, this one by default.

The folder holds server.properties, with the game's keys, which is written when
it is absent, and the world that level-name names, which is made when it is
absent and generated ahead of the players. Keys that have no effect are named.

Operators, whitelist and bans are in the game's JSON files. Commands are typed
here, by operators, and with enable-rcon by remote consoles; "help" lists them.

Players join, explore, see each other, talk, and build with blocks: those of
creative mode with all, others with what they carry. Blocks and players are saved.

Ctrl-C, or the command stop, disconnects the players, saves, and ends with exit code 0.`,
		Example: `  strata server
  strata server myserver --port 25566 --offline`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return a.server(cmd, dir, f)
		},
	}
	flags := cmd.Flags()
	flags.IntVar(&f.port, "port", 0, "listen on port `N` (default that of server.properties)")
	flags.BoolVar(&f.offline, "offline", false, "let players in by name alone, whatever server.properties says")
	flags.StringVar(&f.backups, "backups", "", "have the command backup keep its snapshots in `REPO`, which is made when it is absent")
	flags.BoolVar(&f.debug, "debug", false, "log more")
	return cmd
}

var gameModes = map[string]protocol.GameMode{
	"survival": protocol.GameModeSurvival, "creative": protocol.GameModeCreative,
	"adventure": protocol.GameModeAdventure, "spectator": protocol.GameModeSpectator,
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

// maxLine is the longest line of the console that is taken.
const maxLine = 64 << 10

// readConsole runs the lines of the console until there are no more.
func readConsole(in io.Reader, s *server.Server) {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxLine)
	for scanner.Scan() {
		s.Console(scanner.Text())
	}
}

// offlineNames is how players are known where nobody is asked about them.
func offlineNames(o server.Options) func(string) protocol.UUID {
	if o.Session != "" {
		return nil
	}
	return conn.OfflineUUID
}

func (a *app) server(cmd *cobra.Command, dir string, f serverFlags) error {
	began := time.Now()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	config, properties, err := admin.LoadConfig(vfs.OS(), dir)
	if err != nil {
		return ui.Errorf(ui.Usage, "%w", err)
	}
	if cmd.Flags().Changed("port") {
		if f.port < 0 || f.port > 65535 {
			return ui.Errorf(ui.Usage, "--port %d is no port", f.port)
		}
		config.ServerPort = f.port
	}
	level := slog.LevelInfo
	if f.debug {
		level = slog.LevelDebug
	}
	log := slog.New(admin.NewLog(a.streams.Out, level))
	if known, unknown := admin.Ignored(properties); len(known)+len(unknown) > 0 {
		log.Warn("Without effect in server.properties: " + strings.Join(append(known, unknown...), ", "))
	}
	options := server.Options{
		World: filepath.Join(dir, config.LevelName), Seed: config.Seed(), Address: config.Address(), Motd: config.Motd,
		MaxPlayers: config.MaxPlayers, ViewDistance: config.ViewDistance, GameMode: gameModes[config.GameMode],
		ForceGameMode: config.ForceGameMode, Log: log,
		Difficulty: config.Difficulty, Hardcore: config.Hardcore, SpawnProtection: config.SpawnProtection,
		Threshold: threshold(config.CompressionThreshold), NoStatus: !config.EnableStatus,
		PauseWhenEmpty: time.Duration(max(config.PauseWhenEmpty, 0)) * time.Second,
		HidePlayers:    config.HideOnlinePlayers, HideAddresses: !config.LogIPs,
		MaxTickTime: maxTickTime(config.MaxTickTime), Reports: filepath.Join(dir, "crash-reports"),
	}
	if config.OnlineMode && !f.offline {
		options.Session = sessionService
	} else {
		log.Warn("**** SERVER IS RUNNING IN OFFLINE/INSECURE MODE!")
		log.Warn("Players are who they say they are.")
	}
	access, err := admin.OpenAccess(admin.AccessOptions{
		FS: vfs.OS(), Folder: dir, Offline: offlineNames(options), OpLevel: config.OpPermissionLevel,
		Whitelist: config.WhiteList, Enforce: config.EnforceWhitelist,
		Failed: func(err error) { log.Error("a list could not be written", "error", err) },
	})
	if err != nil {
		return err
	}
	defer access.Close()
	options.Access = access
	if f.backups != "" {
		repository, err := a.serverBackups(cmd.Context(), f.backups, options.World)
		if err != nil {
			return err
		}
		defer repository.Close()
		options.Backups = repository
	}
	s, err := server.New(options)
	if err != nil {
		return err
	}
	if config.EnableRCON {
		address := net.JoinHostPort(config.ServerIP, strconv.Itoa(config.RCONPort))
		rcon, err := admin.NewRCON(address, config.RCONPassword, func(ctx context.Context, line string) string {
			said, err := s.Remote(ctx, line, config.BroadcastRCONToOps)
			if err != nil {
				return err.Error()
			}
			return said
		})
		if err != nil {
			return errors.Join(fmt.Errorf("rcon: %w", err), s.Close())
		}
		log.Info("RCON running on " + rcon.Addr().String())
		defer rcon.Close()
	}
	go readConsole(a.streams.In, s) // reading cannot be ended; the process ends
	log.Info("Done (" + strconv.FormatFloat(time.Since(began).Seconds(), 'f', 3, 64) + "s)! For help, type \"help\"")
	return s.Run(cmd.Context())
}
