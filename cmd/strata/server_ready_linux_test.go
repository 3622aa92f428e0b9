package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"strata/anvil/registry"
	"strata/bench/testbed"
	"strata/server/client"
	"strata/server/protocol"
)

// What a server that was just started is to take at most, and one that nobody is on.
const (
	readyAgain, readyNew = 300 * time.Millisecond, time.Second // to the first status
	chunkAgain, chunkNew = time.Second, 2 * time.Second        // to the chunk below a player
	idleMemory           = 60 << 20
	idleLoad             = 0.01 // of a core
	// rested is when a server that nobody is on has given up what it can make again.
	rested = 13 * time.Second
	// watched is how long its load is measured from then on, watchedLong in the long
	// form.
	watched, watchedLong = 10 * time.Second, time.Minute
)

func (p *serverProcess) address() string { return fmt.Sprintf("127.0.0.1:%d", p.port) }

// answered is how long after its start the server has answered for its status.
func (p *serverProcess) answered() time.Duration {
	p.t.Helper()
	r, err := client.DialRaw(p.t.Context(), p.address(), registry.V26_2)
	if err != nil {
		p.t.Fatal(err)
	}
	defer r.Close()
	_ = r.SetDeadline(time.Now().Add(time.Minute))
	if _, err := r.Status(1); err != nil {
		p.t.Fatal(err)
	}
	return time.Since(p.began)
}

// played is how long after its start a player has had the chunk that it stands in. The
// player has left when it returns.
func (p *serverProcess) played() time.Duration {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	c, err := client.Join(ctx, client.Options{Address: p.address(), Name: "Walker_1", Version: registry.V26_2})
	if err != nil {
		p.t.Fatal(err)
	}
	defer c.Close()
	if err := c.Until(time.Minute, "the chunk below", func(protocol.Packet) bool {
		return c.Teleports > 0 && c.Chunk(c.Position.Chunk()) != nil
	}); err != nil {
		p.t.Fatal(err)
	}
	return time.Since(p.began)
}

// cpu is the processor time that the server has taken.
func (p *serverProcess) cpu() time.Duration {
	p.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+2:]))
	user, uerr := strconv.Atoi(fields[11])
	system, serr := strconv.Atoi(fields[12])
	if uerr != nil || serr != nil {
		p.t.Fatal(uerr, serr)
	}
	return time.Duration(user+system) * time.Second / 100 // the kernel's unit, on all machines of ours
}

// memory is what of the server is resident, in bytes.
func (p *serverProcess) memory() int {
	p.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		p.t.Fatal(err)
	}
	return kib << 10
}

// TestServerIsReadySoonAndRestsWhenAlone starts a server on a new world and on the
// same again, some times, and watches the last one when its player has left. In the
// long form, which is for a quiet machine, the time in the middle counts; else others
// may be busy, and the fastest may take three times as long.
func TestServerIsReadySoonAndRestsWhenAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the binary, and watches a server for half a minute")
	}
	binary := buildStrata(t)
	const few = 3
	runs := testbed.Runs(t, few)
	names := [...]string{"status, new world", "chunk, new world", "status, same world", "chunk, same world"}
	limits := [...]time.Duration{readyNew, chunkNew, readyAgain, chunkAgain}
	var times [len(names)][]time.Duration
	var p *serverProcess
	for i := range runs {
		dir := serverFolder(t, "view-distance=10")
		p = startServerOf(t, binary, dir)
		times[0] = append(times[0], p.answered())
		times[1] = append(times[1], p.played())
		p.stop()
		p = startServerOf(t, binary, dir)
		times[2] = append(times[2], p.answered())
		times[3] = append(times[3], p.played())
		if i < runs-1 {
			p.stop()
		}
	}
	for i, name := range names {
		slices.Sort(times[i])
		counts := times[i][0] / 3
		if runs > few {
			counts = times[i][runs/2]
		}
		t.Logf("%s: %d ms at best, %d in the middle, %d at worst", name,
			times[i][0].Milliseconds(), times[i][runs/2].Milliseconds(), times[i][runs-1].Milliseconds())
		if counts > limits[i] {
			t.Errorf("%s: %v, over %v", name, counts, limits[i])
		}
	}
	if runs > few {
		p.rests(watchedLong)
	} else {
		p.rests(watched)
	}
	p.stop()
}

// rests measures what a server takes that nobody is on any more.
func (p *serverProcess) rests(watched time.Duration) {
	p.t.Helper()
	left := p.cpu()
	time.Sleep(rested)
	before := p.cpu()
	time.Sleep(watched)
	load := float64(p.cpu()-before) / float64(watched)
	memory := p.memory()
	p.t.Logf("alone: %.2f %% of a core over %v, after %v of processor time in the first %v; %d MiB of memory",
		load*100, watched, before-left, rested, memory>>20)
	if load > idleLoad {
		p.t.Errorf("it takes %.2f %% of a core with nobody on", load*100)
	}
	if memory > idleMemory {
		p.t.Errorf("it has %d MiB of memory with nobody on", memory>>20)
	}
}
