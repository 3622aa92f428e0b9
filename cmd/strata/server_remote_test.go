package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"strings"
	"testing"

	"strata/bench/clients"
)

// TestRemoteConsolesOfOthers: two clients that know nothing of each other log in, run
// commands, and put together what comes in several packets.
func TestRemoteConsolesOfOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a server and clients")
	}
	t.Parallel()
	remote := clients.StartRemote(t)
	s := startServer(t, serverFolder(t, "enable-rcon=true", "rcon.port=0", "rcon.password=so secret", "level-seed=-4172144997902289642"))
	port, err := strconv.Atoi(s.await(`RCON running on 127\.0\.0\.1:(\d+)`))
	if err != nil {
		t.Fatal(err)
	}
	for _, client := range []string{clients.RCONClient, clients.ServerUtil} {
		t.Run(client, func(t *testing.T) {
			said, err := remote.RCON(client, port, "so secret", "list", "seed", "say hello from "+client, "nothing", "help")
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []string{"There are 0 of a max of 20 players online: ", "Seed: [-4172144997902289642]", "", "Unknown or incomplete command", "/"} {
				if !strings.HasPrefix(said[i], want) || want == "" && said[i] != "" {
					t.Errorf("said %.200q, want %q", said[i], want)
				}
			}
			s.await(`INFO\]: (\[Not Secure\] )?\[Rcon\] hello from ` + client)
			if whole := len(said[4]) > 4096; whole != (client == clients.ServerUtil) {
				t.Errorf("help is %d bytes", len(said[4]))
			}
			_, err = remote.RCON(client, port, "so secretive", "list")
			var refusal *clients.Refusal
			if !errors.As(err, &refusal) || !strings.Contains(refusal.Text, "Auth") && !strings.Contains(refusal.Text, "password") {
				t.Errorf("with a wrong password: %v", err)
			}
		})
	}
}

// lowPort is a port that is free, and that signed numbers of 16 bits have.
func lowPort(t *testing.T) int {
	t.Helper()
	for range 100 {
		port := 20000 + rand.IntN(10000)
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return port
	}
	t.Fatal("no port is free")
	return 0
}

// TestStatusForClientsOfAllTimes: lists of servers have asked in four ways.
func TestStatusForClientsOfAllTimes(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a server and clients")
	}
	t.Parallel()
	remote := clients.StartRemote(t)
	s := startServer(t, serverFolder(t, fmt.Sprintf("server-port=%d", lowPort(t)), "motd=Where stone lies in layers", "max-players=7"))
	type answer struct {
		Version         any `json:"version"` // text, or since 1.7 an object
		ProtocolVersion int `json:"protocolVersion"`
		Players         struct{ Online, Max int }
		Motd            any `json:"motd"` // text before 1.4
	}
	for _, kind := range []string{"status", "statusFE01FA", "statusFE01", "statusFE", "statusLegacy"} {
		data, err := remote.Status(kind, s.port)
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		var got answer
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatalf("%s: %v: %s", kind, err, data)
		}
		if got.Players.Max != 7 || got.Players.Online != 0 || !strings.Contains(string(data), `"Where stone lies in layers"`) {
			t.Errorf("%s: %s", kind, data)
		}
		modern, _ := got.Version.(map[string]any)
		if kind == "status" && (modern["name"] != "26.2" || modern["protocol"] != float64(776)) {
			t.Errorf("%s: version %v", kind, got.Version)
		}
		if strings.HasPrefix(kind, "statusFE01") && (got.Version != "26.2" || got.ProtocolVersion != 127) {
			t.Errorf("%s: version %v, protocol %d", kind, got.Version, got.ProtocolVersion)
		}
	}
}
