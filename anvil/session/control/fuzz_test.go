package control

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"

	"strata/region/vfs"
)

// FuzzAdmit has a stranger say anything to the holder: nobody is let in who
// does not have the key, and what is not read costs no more than a line.
func FuzzAdmit(f *testing.F) {
	for _, text := range []string{
		"", "\n", "null\nnull\n", `{"strata":1,"nonce":"a"}` + "\n" + `{"proof":""}` + "\n",
		`{"strata":1,"nonce":null}` + "\n" + `{"proof":null}` + "\n", `{"strata":2}` + "\n", "[[[[[[[[\n",
	} {
		f.Add([]byte(text))
	}
	key := bytes.Repeat([]byte{7}, tokenBytes)
	f.Fuzz(func(t *testing.T, said []byte) {
		ours, theirs := net.Pipe()
		ended := make(chan struct{}, 2)
		go func() {
			theirs.Write(said) // it may not be listened to until the end
			theirs.Close()
			ended <- struct{}{}
		}()
		go func() {
			io.Copy(io.Discard, theirs)
			ended <- struct{}{}
		}()
		if err := newWire(ours).admit(key, false); err == nil {
			t.Errorf("%q was let in", said)
		}
		ours.Close()
		<-ended
		<-ended
	})
}

// TestStrangerIsNotListenedToForLong has one who knows no token send a line
// without an end, which must not be kept in memory.
func TestStrangerIsNotListenedToForLong(t *testing.T) {
	ours, theirs := net.Pipe()
	heard := make(chan int)
	go func() {
		n := 0
		for {
			m, err := theirs.Write(bytes.Repeat([]byte("x"), 1024))
			n += m
			if err != nil {
				heard <- n
				return
			}
		}
	}()
	if err := newWire(ours).admit(make([]byte, tokenBytes), false); !errors.Is(err, ErrTooLong) {
		t.Errorf("admit: %v", err)
	}
	ours.Close()
	if n := <-heard; n > 2*maxHello {
		t.Errorf("%d bytes were taken from a stranger", n)
	}
}

// FuzzEndpoint reads a strata/control that came with a world from anywhere.
func FuzzEndpoint(f *testing.F) {
	f.Add([]byte(`{"version":1,"network":"unix","address":"/x/socket","token":"` + string(bytes.Repeat([]byte("0f"), tokenBytes)) + `","world":{"device":1,"inode":2}}`))
	f.Add([]byte(`{"version":1,"network":"tcp","address":"[::1]:80","token":"` + string(bytes.Repeat([]byte("0f"), tokenBytes)) + `"}`))
	f.Add([]byte("null"))
	f.Fuzz(func(t *testing.T, file []byte) {
		m := vfs.NewMem(vfs.MemOptions{})
		if err := vfs.MkdirAll(m, "w/strata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := vfs.WriteFileSync(m, "w/strata/control", file, privatePerm); err != nil {
			t.Fatal(err)
		}
		e, err := readEndpoint(m, "w")
		if err != nil {
			return
		}
		key, err := e.key()
		at, rerr := net.ResolveTCPAddr("tcp", e.Address)
		if err != nil || len(key) != tokenBytes || e.Network == "tcp" && (rerr != nil || !at.IP.IsLoopback()) {
			t.Errorf("%s is taken: %+v", file, e)
		}
	})
}
