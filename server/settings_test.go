package server

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strata/anvil"
	"strata/anvil/registry"
	"strata/server/client"
	"strata/server/protocol"
)

// statusOf asks a server for its status, and returns "" where it has none.
func statusOf(t *testing.T, s *Server) string {
	t.Helper()
	r, err := client.DialRaw(t.Context(), s.Addr().String(), registry.V26_1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	_ = r.SetDeadline(time.Now().Add(10 * time.Second))
	status, _ := r.Status(1) // it ends in an error where there is none
	return status
}

func TestTheStatusNamesPlayersIfItMay(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"all": func(*Options) {}, "hidden": func(o *Options) { o.HidePlayers = true }, "none": func(o *Options) { o.NoStatus = true },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := start(t, change)
			c := join(t, s, registry.V26_1, "Walker_1")
			c.send(&protocol.ClientInformation{Locale: "en_us", ViewDistance: 10, EnableServerListing: true})
			var got struct {
				Players struct {
					Online int
					Sample []struct{ Name string }
				}
			}
			// Names are chosen anew every 5 s.
			for deadline := time.Now().Add(20 * time.Second); ; {
				text := statusOf(t, s)
				if name == "none" {
					if text != "" {
						t.Errorf("the status is %s", text)
					}
					return
				}
				if err := json.Unmarshal([]byte(text), &got); err != nil {
					t.Fatal(err)
				}
				hidden := name == "hidden" && strings.Contains(text, `"online":1`)
				if hidden || len(got.Players.Sample) == 1 && got.Players.Sample[0].Name == "Walker_1" {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("the status is %s", text)
				}
				c.send(&protocol.MovePlayerStatusOnly{})
				time.Sleep(50 * time.Millisecond)
			}
			if name == "hidden" && got.Players.Sample != nil || got.Players.Online != 1 {
				t.Errorf("the status has %+v", got)
			}
		})
	}
}

func TestClientsAreToldOfDifficultyAndCompression(t *testing.T) {
	for _, test := range []struct {
		difficulty string
		hardcore   bool
		threshold  int
		want       protocol.Difficulty
	}{
		{"", false, 0, protocol.DifficultyNormal},
		{"peaceful", false, 64, protocol.DifficultyPeaceful},
		{"easy", true, protocol.NoCompression, protocol.DifficultyHard},
	} {
		path := filepath.Join(t.TempDir(), "world")
		s, stop := again(t, Options{
			World: path, MemoryLimit: 256 << 20, ViewDistance: viewDistance,
			Difficulty: test.difficulty, Hardcore: test.hardcore, Threshold: test.threshold,
		})
		c := dial(t, s.Addr(), registry.V26_2, "Walker_1")
		threshold := int32(protocol.NoCompression)
		var difficulty *protocol.ChangeDifficultyClientbound
		c.until("the difficulty", func(p protocol.Packet) bool {
			switch p := p.(type) {
			case *protocol.LoginCompression:
				threshold = p.Threshold
			case *protocol.ChangeDifficultyClientbound:
				difficulty = p
			}
			return difficulty != nil
		})
		want := int32(test.threshold)
		if want == 0 {
			want = 256
		}
		if difficulty.Difficulty != test.want || threshold != want {
			t.Errorf("%+v: difficulty %v, threshold %d", test, difficulty.Difficulty, threshold)
		}
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		w, err := anvil.Open(path, anvil.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Level().Difficulty(); got.Hardcore != test.hardcore {
			t.Errorf("%+v: the world has %+v", test, got)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
