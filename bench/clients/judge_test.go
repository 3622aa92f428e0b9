package clients

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// hang is a document whose byte array has the length -8. NBTify goes back by
// it, to the tag itself.
const hang = "0a 0000  07 0001 61 fffffff8  00"

func TestJudgeThatHangsIsEndedAndStartedAnew(t *testing.T) {
	judge := StartNBT(t)
	sound := bytesOf(t, "0a 0000 00")
	if _, err := judge.Decode(NBTify, File, sound); err != nil {
		t.Fatal(err)
	}
	judge.judge.timeout = 300 * time.Millisecond
	var refusal *Refusal
	if _, err := judge.Decode(NBTify, File, bytesOf(t, hang)); !errors.Is(err, ErrNoAnswer) || errors.As(err, &refusal) {
		t.Errorf("error %v, want ErrNoAnswer", err)
	}
	judge.judge.timeout = answerTimeout
	if _, err := judge.Decode(NBTify, File, sound); err != nil {
		t.Errorf("after the end of the first process: %v", err)
	}
}

func TestJudgeThatCrashedSaysWhy(t *testing.T) {
	judge := StartNBT(t).judge
	script := filepath.Join(t.TempDir(), "crash.mjs")
	if err := os.WriteFile(script, []byte("throw new Error('a reason of its own')"), 0o644); err != nil {
		t.Fatal(err)
	}
	right := judge.script
	judge.script = script
	err := judge.call("decode", nil, &struct{}{})
	if !errors.Is(err, ErrNoAnswer) || !strings.Contains(err.Error(), "a reason of its own") {
		t.Errorf("error %v", err)
	}
	judge.script = right
	if _, err := (&NBT{judge}).Decode(Prismarine, Network, []byte{0}); err != nil {
		t.Error(err)
	}
}

func TestAnswerToAnotherRequestIsNoAnswer(t *testing.T) {
	judge := StartNBT(t).judge
	script := filepath.Join(t.TempDir(), "other.mjs")
	if err := os.WriteFile(script, []byte(`process.stdin.on('data', () => console.log('{"id":7}'))`), 0o644); err != nil {
		t.Fatal(err)
	}
	judge.script = script
	if err := judge.call("decode", nil, &struct{}{}); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("error %v, want ErrNoAnswer", err)
	}
}

func TestErrorsAreAnswersAndEndNothing(t *testing.T) {
	judge := StartNBT(t)
	refused := func(name, want string, err error) {
		t.Helper()
		var refusal *Refusal
		if !errors.As(err, &refusal) || !strings.Contains(refusal.Text, want) {
			t.Errorf("%s: error %v, want a refusal with %q", name, err, want)
		}
	}
	refused("op", "no op toString", judge.judge.call("toString", nil, &struct{}{}))
	_, err := judge.Decode("toString", File, nil)
	refused("library", "no library", err)
	_, err = judge.Decode(NBTify, "chunk", nil)
	refused("form", "no form", err)
	for _, lib := range Libraries {
		_, err = judge.Decode(lib, File, nil)
		refused("no bytes", "", err)
		_, err = judge.Decode(lib, File, bytesOf(t, "0a 0000 08 0001 61 0005 61"))
		refused("cut off", "", err)
		_, err = judge.Decode(lib, File, bytesOf(t, "0a 0000 0d 0001 61 00 00"))
		refused("type 13", "", err)
		_, err = judge.Decode(lib, File, bytesOf(t, "0a 0000 00 00"))
		refused("a byte too many", "bytes", err)
		if _, err := judge.Decode(lib, File, bytesOf(t, "0a 0000 00")); err != nil {
			t.Error(err)
		}
	}
	run := judge.judge.run
	reply, err := judge.judge.exchange([]byte("no JSON\n"))
	if err != nil || !bytes.Contains(reply, []byte(`"error"`)) {
		t.Errorf("answer %q, %v", reply, err)
	}
	if judge.judge.run != run {
		t.Error("the process ended")
	}
}

func TestRequestOverTheLimitIsNotSent(t *testing.T) {
	judge := StartNBT(t)
	judge.judge.limitBytes = 1000
	if _, err := judge.ParseSNBT(Text(strings.Repeat("x", 1000))); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v, want ErrTooLarge", err)
	}
	if judge.judge.run != nil {
		t.Error("the process was started")
	}
}

func TestOverlongLineIsAnErrorAndEndsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("sends 64 MiB")
	}
	judge := StartNBT(t).judge
	reply, err := judge.exchange(append(bytes.Repeat([]byte("x"), maxLineBytes+1), '\n'))
	if err != nil || !bytes.Contains(reply, []byte("more than")) {
		t.Fatalf("answer %q, %v", reply, err)
	}
	if _, err := (&NBT{judge}).Decode(NBTify, File, []byte{10, 0, 0, 0}); err != nil {
		t.Error(err)
	}
}

func TestParallelRequestsGetTheirOwnAnswers(t *testing.T) {
	judge := StartNBT(t)
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			want := in(Int(int32(i)))
			for range 20 {
				got, err := judge.Decode(Libraries[i%2], Network, binaryOf(Network, want))
				if diff := DiffDocuments(got, want); err != nil || diff != "" {
					t.Errorf("%v %s", err, diff)
					return
				}
			}
		})
	}
	group.Wait()
}

func TestClosedJudgeAnswersNoMore(t *testing.T) {
	judge := StartNBT(t)
	if _, err := judge.Decode(Prismarine, Network, []byte{0}); err != nil {
		t.Fatal(err)
	}
	if err := judge.judge.close(); err != nil {
		t.Error(err)
	}
	if _, err := judge.Decode(Prismarine, Network, []byte{0}); !errors.Is(err, ErrNoAnswer) {
		t.Errorf("error %v, want ErrNoAnswer", err)
	}
}
