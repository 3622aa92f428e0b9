package main

import (
	"log/slog"
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
	"strata/server/protocol"
)

// sessionService is where players of online mode are asked for.
const sessionService = "https://sessionserver.mojang.com"

// serverFlags are the flags of strata server, which win over server.properties.
type serverFlags struct {
	port    int
	offline bool
	debug   bool
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

Players join, explore, see each other and talk. They cannot build yet, there
are no commands, and what they do is not saved but for the chunks that were
generated.

Ctrl-C disconnects the players, saves, and ends with exit code 0.`,
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
	flags.BoolVar(&f.debug, "debug", false, "log more")
	return cmd
}

var gameModes = map[string]protocol.GameMode{
	"survival": protocol.GameModeSurvival, "creative": protocol.GameModeCreative,
	"adventure": protocol.GameModeAdventure, "spectator": protocol.GameModeSpectator,
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
		MaxPlayers: config.MaxPlayers, ViewDistance: config.ViewDistance, GameMode: gameModes[config.GameMode], Log: log,
	}
	if config.OnlineMode && !f.offline {
		options.Session = sessionService
	} else {
		log.Warn("**** SERVER IS RUNNING IN OFFLINE/INSECURE MODE!")
		log.Warn("Players are who they say they are.")
	}
	s, err := server.New(options)
	if err != nil {
		return err
	}
	log.Info("Done (" + strconv.FormatFloat(time.Since(began).Seconds(), 'f', 3, 64) + "s)! For help, type \"help\"")
	return s.Run(cmd.Context())
}
