package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"strata/cmd/internal/ui"
	"strata/server"
	"strata/server/admin"
)

// sessionService is where players of online mode are asked for.
const sessionService = "https://sessionserver.mojang.com"

func newServerCmd(a *app) *cobra.Command {
	var f serverFlags
	cmd := &cobra.Command{
		Use:   "server [DIR]",
		Short: "Run a game server",
		Long: `Run a server for clients of 26.1 and 26.2 in a folder, this one by default.

The folder holds server.properties, with the game's keys, which is written when
it is absent, and the world that level-name names, which is made when it is
absent and generated ahead of the players. Keys that have no effect are named.
Beside it is strata.toml, with what the game has no key for, which is written when
it is absent and says what its keys mean; flags win over both.

Operators, whitelist and bans are in the game's JSON files. Commands are typed
here, by operators, and with enable-rcon by remote consoles; "help" lists them. On
a terminal Tab completes them, and the arrows bring back what was typed.

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
	flags.StringVar(&f.profile, "memory-profile", "", "`PROFILE` low or throughput (default low)")
	flags.StringVar(&f.memoryLimit, "memory-limit", "", "most memory of the process, as `N`, 300M or 2G (default 512M in low)")
	flags.IntVar(&f.workers, "workers", 0, "generate with `N` workers (default one less than the processors)")
	flags.StringVar(&f.level, "level", "", "compression `LEVEL` of what is saved, 1 to 12 or sector (default sector)")
	flags.StringVar(&f.metrics, "metrics", "", "serve counters for Prometheus on `ADDRESS`, such as 127.0.0.1:9225")
	flags.StringVar(&f.pprof, "pprof", "", "serve profiles of the program on `ADDRESS`, such as 127.0.0.1:6060")
	return cmd
}

func (a *app) server(cmd *cobra.Command, dir string, f serverFlags) error {
	began := time.Now()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	set, err := loadServerSettings(dir, f, cmd.Flags().Changed)
	if err != nil {
		return ui.Errorf(ui.Usage, "%w", err)
	}
	level := slog.LevelInfo
	if f.debug {
		level = slog.LevelDebug
	}
	console := &serverConsole{out: a.streams.Out}
	log := slog.New(admin.NewLog(console, level))
	if len(set.ignored) > 0 {
		log.Warn("Without effect in server.properties: " + strings.Join(set.ignored, ", "))
	}
	options := set.options(log)
	if options.Session == "" {
		log.Warn("**** SERVER IS RUNNING IN OFFLINE/INSECURE MODE!")
		log.Warn("Players are who they say they are.")
	}
	access, err := set.access(log, offlineNames(options))
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
	services, err := set.serve(cmd.Context(), s, log)
	defer services.close()
	if err != nil {
		return errors.Join(err, s.Close())
	}
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	defer console.read(ctx, s, a.streams, stop)()
	log.Info("Done (" + strconv.FormatFloat(time.Since(began).Seconds(), 'f', 3, 64) + "s)! For help, type \"help\"")
	return s.Run(ctx)
}
