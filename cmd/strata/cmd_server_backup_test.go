package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"strata/anvil/chunk"
	"strata/anvil/registry"
	"strata/cmd/internal/ui"
	"strata/server/client"
	"strata/server/protocol"
)

// A backup that the server makes of its own world has what was done up to that
// moment, and can be restored.
func TestTheServerBacksItsWorldUp(t *testing.T) {
	dir := t.TempDir()
	srv, repo := filepath.Join(dir, "srv"), filepath.Join(dir, "backups")
	in, console := io.Pipe()
	text, stop := serveWith(t, in, srv, "--port", "0", "--offline", "--backups", repo)
	found := regexp.MustCompile(`Listening.*:(\d+)`).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no port in %s", text)
	}
	c, err := client.Join(t.Context(), client.Options{Address: net.JoinHostPort("127.0.0.1", found[1]), Version: registry.V26_2, Name: "Walker_1"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	say := func(line string) {
		t.Helper()
		if _, err := io.WriteString(console, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	say("op Walker_1")
	operator := false
	err = c.Until(20*time.Second, "the ground, as an operator", func(p protocol.Packet) bool {
		e, ok := p.(*protocol.EntityEvent)
		operator = operator || ok && e.Event == 28
		return operator && c.Teleports > 0 && c.Chunk(c.Position.Chunk()) != nil
	})
	if err != nil {
		t.Fatal(err)
	}
	at := chunk.BlockPos{X: int32(math.Floor(c.Position.X)), Y: 300, Z: int32(math.Floor(c.Position.Z))}
	if err := c.Send(&protocol.ChatCommand{Command: "setblock ~ 300 ~ minecraft:gold_block"}); err != nil {
		t.Fatal(err)
	}
	err = c.Until(20*time.Second, "gold", func(protocol.Packet) bool {
		s, ok := c.Block(at)
		return ok && s.String() == "minecraft:gold_block"
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Send(&protocol.ChatCommand{Command: "backup create"}); err != nil {
		t.Fatal(err)
	}
	err = c.Until(30*time.Second, "the backup", func(protocol.Packet) bool {
		for _, line := range c.Chat {
			if regexp.MustCompile(`Created backup|Backup failed`).MatchString(line) {
				return true
			}
		}
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	if code, text := stop(); code != ui.OK {
		t.Fatalf("exit %d:\n%s", code, text)
	}
	var list []struct {
		Consistency string `json:"consistency"`
	}
	if err := json.Unmarshal([]byte(mustRun(t, "backup", "list", repo, "--json")), &list); err != nil || len(list) != 1 {
		t.Fatalf("%v, %+v", err, list)
	}
	if got := list[0].Consistency; got != "epoch" {
		t.Errorf("consistency %q", got)
	}
	restored := filepath.Join(dir, "restored")
	mustRun(t, "backup", "restore", repo, "latest", "--to", restored)
	block := fmt.Sprintf("%d,%d,%d", at.X, at.Y, at.Z)
	if out := mustRun(t, "world", "get", restored, "--block", block); !strings.Contains(out, "minecraft:gold_block") {
		t.Errorf("the backup has %s at %s", out, block)
	}
}
