package metrics

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"strata/anvil/store"
	"strata/region"
	"strata/server"
	"strata/server/source"
	"strata/server/stream"
	"strata/server/tick"
)

type fixed server.Metrics

func (f fixed) Metrics() server.Metrics { return server.Metrics(f) }

func get(t *testing.T, address, path string) (code int, body string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(data)
}

func listen(t *testing.T, h http.Handler) *Endpoint {
	t.Helper()
	e, err := Listen(t.Context(), "127.0.0.1:0", h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func TestCountersAreShownInTheFormOfPrometheus(t *testing.T) {
	times := tick.NewTimes()
	for range 3 {
		times.Add(time.Now(), 3*time.Millisecond)
	}
	m := server.Metrics{
		Tick: times.Summary(10), TPS: [3]float64{20, 19.5, 19}, Players: 7, MaxPlayers: 50,
		Dimensions: []server.DimensionMetrics{
			{ID: "minecraft:overworld", Loaded: 441, Source: source.Metrics{Generated: 90, Wanted: 3}},
			{ID: "minecraft:the_nether", Loaded: 25, Source: source.Metrics{Failed: 1}},
		},
		Store:       store.Metrics{Saves: 12, NoSpace: true, Epoch: store.Latency{P95: 25 * time.Millisecond}, Region: region.Metrics{Flushes: 4}},
		Frames:      stream.CacheMetrics{Bytes: 123456},
		Connections: 9, OpenConnections: 8, BytesIn: 1000, BytesOut: 1e9,
	}
	m.Ticks, m.Ticking, m.TickTimes = times.Histogram()
	code, body := get(t, listen(t, Handler(fixed(m))).Addr().String(), "/metrics")
	if code != http.StatusOK {
		t.Fatalf("%d: %s", code, body)
	}
	for _, want := range []string{
		`strata_tick_seconds_bucket{le="0.0025"} 0`, `strata_tick_seconds_bucket{le="0.005"} 3`, `strata_tick_seconds_bucket{le="+Inf"} 3`,
		`strata_tick_seconds_count 3`, `strata_tick_seconds_sum 0.009`,
		`strata_tick_recent_seconds{quantile="0.99"} 0.003`, `strata_tps{minutes="5"} 19.5`,
		`strata_players 7`, `strata_players_max 50`, `strata_connections 8`, `strata_connections_total 9`,
		`strata_received_bytes_total 1000`, `strata_sent_bytes_total 1e+09`, `strata_frames_bytes 123456`,
		`strata_chunks_loaded{dimension="minecraft:overworld"} 441`, `strata_chunks_loaded{dimension="minecraft:the_nether"} 25`,
		`strata_chunks_generated_total{dimension="minecraft:overworld"} 90`, `strata_chunks_failed_total{dimension="minecraft:the_nether"} 1`,
		`strata_store_saves_total 12`, `strata_store_no_space 1`, `strata_store_epoch_p95_seconds 0.025`, `strata_region_flushes_total 4`,
	} {
		if !strings.Contains(body, "\n"+want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	for _, want := range []string{"\ngo_goroutines ", "\ngo_memory_classes_total_bytes ", "\ngo_gc_duration_seconds_count "} {
		if !strings.Contains(body, want) {
			t.Errorf("nothing of the runtime: %s", want)
		}
	}
	checkForm(t, body)
}

var (
	comment = regexp.MustCompile(`^# (HELP|TYPE) ([a-z_0-9]+) (.+)$`)
	sample  = regexp.MustCompile(`^([a-z_0-9]+)(\{[^}]*\})? (\S+)$`)
)

// checkForm demands what the text form of Prometheus does: help and type before
// samples, numbers, and names of counters that say that they are.
func checkForm(t *testing.T, body string) {
	t.Helper()
	kinds := map[string]string{}
	for lines := bufio.NewScanner(strings.NewReader(body)); lines.Scan(); {
		line := lines.Text()
		if m := comment.FindStringSubmatch(line); m != nil {
			if m[1] == "TYPE" {
				kinds[m[2]] = m[3]
			}
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("no sample: %s", line)
			continue
		}
		if _, err := strconv.ParseFloat(m[3], 64); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		if kind := kinds[m[1]]; strings.HasPrefix(m[1], "strata_") && (kind == "counter") != strings.HasSuffix(m[1], "_total") &&
			!strings.HasPrefix(m[1], "strata_tick_seconds") {
			t.Errorf("%s is a %s", m[1], kind)
		}
	}
}

func TestProfilesCanBeTaken(t *testing.T) {
	address := listen(t, Profiles()).Addr().String()
	if code, body := get(t, address, "/debug/pprof/goroutine?debug=2"); code != http.StatusOK || !strings.Contains(body, "TestProfilesCanBeTaken") {
		t.Errorf("%d: %s", code, body)
	}
	if code, _ := get(t, address, "/metrics"); code != http.StatusNotFound {
		t.Errorf("profiles have metrics: %d", code)
	}
	if code, _ := get(t, listen(t, Handler(fixed{})).Addr().String(), "/debug/pprof/"); code != http.StatusNotFound {
		t.Errorf("metrics have profiles: %d", code)
	}
}

func TestAnAddressInUseIsAnError(t *testing.T) {
	e := listen(t, Profiles())
	if again, err := Listen(t.Context(), e.Addr().String(), Profiles()); err == nil {
		t.Error("no error")
		_ = again.Close()
	}
}
