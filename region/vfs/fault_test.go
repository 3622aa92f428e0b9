package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
)

var errTest = errors.New("input/output error")

func TestRuleFiresAtItsOperation(t *testing.T) {
	f := NewFault(NewMem(MemOptions{}))
	h := create(t, f, "r.0.0.mca")
	other := create(t, f, "level.dat")
	p := f.Add(Rule{Ops: OpWrite | OpSync, Name: "r.*.mca", Nth: 1, Err: errTest})
	_, err := other.WriteAt([]byte("x"), 0) // another name
	must(t, err)
	_, err = h.WriteAt([]byte("x"), 0) // number 0
	must(t, err)
	must(t, h.Truncate(5)) // another kind
	if p.Fired() != 0 {
		t.Fatal("fired too early")
	}
	wantErr(t, h.Sync(), errTest) // number 1
	must(t, h.Sync())             // once only
	if p.Fired() != 1 {
		t.Fatalf("fired %d times", p.Fired())
	}
	var pe *fs.PathError
	f.Add(Rule{Ops: OpTruncate, Forever: true, Err: ErrNoSpace})
	for range 3 {
		err := h.Truncate(9)
		wantErr(t, err, ErrNoSpace)
		if !errors.As(err, &pe) || pe.Path != "r.0.0.mca" || pe.Op != "truncate" {
			t.Fatalf("error %v does not say what failed", err)
		}
	}
	f.Clear()
	must(t, h.Truncate(9))
	f.Verify(t)
}

func TestEveryOperationCanFail(t *testing.T) {
	calls := map[Op]func(f *Fault, h File) error{
		OpOpen:        func(f *Fault, _ File) error { _, err := f.OpenFile("f", os.O_RDWR, 0); return err },
		OpCreate:      func(f *Fault, _ File) error { _, err := f.OpenFile("n", os.O_RDWR|os.O_CREATE, 0); return err },
		OpClose:       func(_ *Fault, h File) error { return h.Close() },
		OpRead:        func(_ *Fault, h File) error { _, err := h.ReadAt(make([]byte, 1), 0); return err },
		OpWrite:       func(_ *Fault, h File) error { _, err := h.WriteAt([]byte("x"), 0); return err },
		OpSync:        func(_ *Fault, h File) error { return h.Sync() },
		OpTruncate:    func(_ *Fault, h File) error { return h.Truncate(1) },
		OpPreallocate: func(_ *Fault, h File) error { return h.Preallocate(0, 10_000) },
		OpPunch:       func(_ *Fault, h File) error { return h.PunchHole(0, 1) },
		OpLock:        func(_ *Fault, h File) error { return errors.Join(h.Lock(true), h.Unlock()) },
		OpStat: func(f *Fault, h File) error {
			_, err1 := f.Stat("f")
			_, err2 := f.Lstat("f")
			_, err3 := h.Stat()
			_, err4 := f.FreeBytes("f")
			return errors.Join(err1, err2, err3, err4)
		},
		OpReadDir: func(f *Fault, _ File) error { _, err := f.ReadDir("/"); return err },
		OpMkdir:   func(f *Fault, _ File) error { return f.Mkdir("d", 0o755) },
		OpRemove:  func(f *Fault, _ File) error { return f.Remove("f") },
		OpRename:  func(f *Fault, _ File) error { return f.Rename("f", "g") },
		OpLink:    func(f *Fault, _ File) error { return f.Link("f", "g") },
		OpClone:   func(f *Fault, _ File) error { return f.Clone("f", "g") },
		OpSyncDir: func(f *Fault, _ File) error { return f.SyncDir("/") },
	}
	for op := Op(1); op < opEnd; op <<= 1 {
		call := calls[op]
		if call == nil {
			t.Fatalf("no call for %v", op)
		}
		for _, rule := range []Rule{{Ops: op, Err: errTest}, {Ops: op, Crash: true}, {}} {
			m := NewMem(MemOptions{})
			must(t, durableFile(t, m, "f", []byte("old")).Close())
			f := NewFault(m)
			h := create(t, f, "f")
			before := tree(t, m, "/")
			want := rule.Err
			if rule.Crash {
				want = ErrCrashed
			}
			var p *Planned
			if rule.Ops != 0 {
				p = f.Add(rule)
			}
			switch err := call(f, h); {
			case want == nil:
				must(t, err)
			case !errors.Is(err, want):
				t.Fatalf("%v: %v, want %v", op, err, want)
			case tree(t, m, "/") != before || p.Fired() == 0:
				t.Fatalf("%v: carried out in spite of the rule, or not fired", op)
			}
			// The handle was opened with O_CREATE.
			if own, rest := f.Count(op&^OpCreate), f.Count(OpCreate); op == OpCreate && rest != 2 || op != OpCreate && (own == 0 || rest != 1) {
				t.Fatalf("%v: counted %d and %d created", op, own, rest)
			}
			if rule.Crash {
				_, err := h.WriteAt([]byte("late"), 0)
				wantErr(t, err, ErrCrashed)
				if op != OpClose {
					wantErr(t, h.Close(), ErrCrashed)
				}
				if tree(t, m, "/") != before || !f.Crashed() {
					t.Fatalf("%v: the disk changed after the crash", op)
				}
			}
			f.Verify(t)
		}
	}
}

func TestShortWriteLeavesItsBytes(t *testing.T) {
	f := NewFault(NewMem(MemOptions{}))
	h := create(t, f, "f")
	f.Add(Rule{Ops: OpWrite, Err: ErrNoSpace, ShortWrite: 3})
	n, err := h.WriteAt([]byte("abcdef"), 0)
	wantErr(t, err, ErrNoSpace)
	if n != 3 {
		t.Fatalf("wrote %d", n)
	}
	wantFile(t, f, "f", []byte("abc"))
	f.Add(Rule{Ops: OpWrite, Err: ErrNoSpace, ShortWrite: -1})
	if n, err = h.WriteAt([]byte("xyz"), 0); n != 0 || err == nil {
		t.Fatalf("wrote %d, %v", n, err)
	}
	wantFile(t, f, "f", []byte("abc"))
	f.Verify(t)
}

func TestHookRunsBeforeTheOperationWithoutLocks(t *testing.T) {
	m := NewMem(MemOptions{})
	f := NewFault(m)
	h := durableFile(t, f, "f", []byte("A"))
	_, err := h.WriteAt([]byte("B"), 0)
	must(t, err)
	var before, during string
	f.Add(Rule{Ops: OpSync, Hook: func(in OpInfo) {
		before = contentOf(m.CrashClone(CrashOptions{}), "f")
		during = fmt.Sprint(in.Op, " ", in.Name, " ", f.Count(OpSync))
		_, err := f.Stat("f") // the wrapper itself can be used
		must(t, err)
	}})
	must(t, h.Sync())
	if before != "A" || during != "sync f 2" {
		t.Fatalf("hook saw %q, %q", before, during)
	}
	if got := contentOf(m.CrashClone(CrashOptions{}), "f"); got != "B" {
		t.Fatalf("after the sync: %q", got)
	}
	f.Verify(t)
}

func TestHookCanHoldAnOperationBack(t *testing.T) {
	m := NewMem(MemOptions{})
	f := NewFault(m)
	a, b := create(t, f, "a"), create(t, f, "b")
	reached, resume := make(chan bool), make(chan bool)
	f.Add(Rule{Ops: OpWrite, Name: "a", Hook: func(OpInfo) { close(reached); <-resume }})
	f.Add(Rule{Ops: OpTruncate, Crash: true})
	var wg sync.WaitGroup
	var held error
	wg.Go(func() { _, held = a.WriteAt([]byte("A"), 0) })
	<-reached
	_, err := b.WriteAt([]byte("B"), 0) // goes on meanwhile
	must(t, err)
	wantErr(t, b.Truncate(0), ErrCrashed)
	close(resume)
	wg.Wait()
	wantErr(t, held, ErrCrashed) // held back across the crash, it comes too late
	if got := tree(t, m, "/"); got != "a= b=B" {
		t.Fatalf("%q", got)
	}
	f.Verify(t)
}

// failures collects what Verify reports.
type failures []string

func (*failures) Helper() {}
func (f *failures) Errorf(format string, args ...any) {
	*f = append(*f, fmt.Sprintf(format, args...))
}

func TestVerifyReportsFaultsThatNeverFired(t *testing.T) {
	f := NewFault(NewMem(MemOptions{}))
	f.Add(Rule{Ops: OpWrite, Name: "x*", Nth: 7, Err: errTest})
	f.Add(Rule{Ops: OpSync, Err: errTest}).Withdraw()
	f.Clear()
	var got failures
	f.Verify(&got)
	if len(got) != 1 || !strings.Contains(got[0], `operation 7 of write on "x*"`) {
		t.Fatalf("%q", got)
	}
}

func TestTraceKeepsTheLastOperations(t *testing.T) {
	f := NewFault(NewMem(MemOptions{}))
	h := create(t, f, "f")
	must(t, f.Rename("f", "g"))
	for i := range traceLimit + 10 {
		_, err := h.WriteAt([]byte("x"), int64(i))
		must(t, err)
	}
	ops := f.Ops()
	if len(ops) != traceLimit {
		t.Fatalf("%d operations kept", len(ops))
	}
	for i, in := range ops {
		if in.Index != 12+i {
			t.Fatalf("operation %d at place %d", in.Index, i)
		}
	}
	if s := ops[0].String(); s != "12 write f [10,+1)" {
		t.Fatalf("%q", s)
	}
	if n := f.Count(OpMutating); n != traceLimit+12 {
		t.Fatalf("counted %d", n)
	}
}

// TestWriteFileSyncSurvivesEveryFault fails each operation once, and crashes
// before each: the file is always the old one or the new one, whole.
func TestWriteFileSyncSurvivesEveryFault(t *testing.T) {
	for _, rule := range []Rule{{Err: errTest}, {Err: errTest, Forever: true}, {Crash: true}} {
		for nth := 0; ; nth++ {
			m := NewMem(MemOptions{})
			must(t, WriteFileSync(m, "/f", []byte("old"), 0o644))
			f := NewFault(m)
			rule.Nth = nth
			p := f.Add(rule)
			err := WriteFileSync(f, "/f", []byte("new"), 0o644)
			if p.Fired() == 0 {
				must(t, err)
				if nth < 6 {
					t.Fatalf("only %d operations", nth)
				}
				break
			}
			if err == nil {
				t.Fatalf("operation %d failed unnoticed\n%v", nth, f.Ops())
			}
			eachCrash(m, 30, func(o CrashOptions, c *Mem) {
				if got := contentOf(c, "f"); got != "old" && got != "new" {
					t.Fatalf("operation %d, %+v: %q\n%v", nth, o, got, f.Ops())
				}
			})
			if !rule.Crash && !rule.Forever {
				wantNames(t, m, "/", "f")
			}
		}
	}
}
