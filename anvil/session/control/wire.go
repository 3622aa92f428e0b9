package control

import (
	"bufio"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// MaxLine is the longest line, in bytes, that either side sends or takes.
const MaxLine = 1 << 20

// maxHello is MaxLine for a side that has not proved that it has the token.
const maxHello = 4096

const (
	protocol         = 1
	handshakeTimeout = 5 * time.Second
	writeTimeout     = 30 * time.Second
)

// wire sends and takes lines.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
	most int // bytes of a line that is taken
}

func newWire(conn net.Conn) *wire { return &wire{conn, bufio.NewReaderSize(conn, 4096), maxHello} }

// send writes a value as one line. One goroutine at a time.
func (w *wire) send(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(line) >= MaxLine {
		return fmt.Errorf("%w: %d bytes", ErrTooLong, len(line)+1)
	}
	if err := w.conn.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	_, err = w.conn.Write(append(line, '\n'))
	return err
}

// receive reads one line into v. io.EOF is the end between two lines.
func (w *wire) receive(v any) error {
	line, err := w.line()
	if err != nil {
		return err
	}
	return json.Unmarshal(line, v)
}

// line returns one line, which is good until the next is read.
func (w *wire) line() ([]byte, error) {
	line, err := w.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, endOfLine(line, err)
	}
	// Longer than the buffer: memory grows with what has come.
	long := append([]byte(nil), line...)
	for {
		line, err = w.in.ReadSlice('\n')
		if len(long)+len(line) > w.most {
			return nil, ErrTooLong
		}
		long = append(long, line...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return long, endOfLine(long, err)
		}
	}
}

func endOfLine(line []byte, err error) error {
	if errors.Is(err, io.EOF) && len(line) > 0 {
		return io.ErrUnexpectedEOF
	}
	return err
}

// The four lines that open a connection.
type (
	hello struct {
		Strata int    `json:"strata"`
		Nonce  string `json:"nonce"`
	}
	challenge struct {
		Nonce string `json:"nonce"`
		Proof string `json:"proof"`
		Busy  bool   `json:"busy,omitempty"`
	}
	answer struct {
		Proof string `json:"proof"`
	}
	welcome struct {
		OK bool `json:"ok"`
	}
)

// request and response are the lines after them.
type request struct {
	Op   string          `json:"op"`
	Args json.RawMessage `json:"args,omitempty"`
}

type response struct {
	Item   json.RawMessage `json:"item,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
}

// errStranger says that the other side does not know the token.
var errStranger = errors.New("the other side does not know the token")

func newNonce() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: it ends the program instead
	return hex.EncodeToString(b[:])
}

// maxNonce bounds what of the other side's goes into a proof.
const maxNonce = 256

// proof shows that a side has the key, without telling it. The side's name
// keeps one from returning the other's own proof.
func proof(key []byte, side, client, server string) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "strata control %d %s %q %q", protocol, side, client, server)
	return hex.EncodeToString(mac.Sum(nil))
}

func proved(got string, key []byte, side, client, server string) bool {
	return hmac.Equal([]byte(got), []byte(proof(key, side, client, server)))
}

// admit is the holder's part in opening a connection. Busy turns away even a
// client that knows the token.
func (w *wire) admit(key []byte, busy bool) error {
	var h hello
	if err := w.receive(&h); err != nil {
		return err
	}
	if h.Strata != protocol || len(h.Nonce) > maxNonce {
		return errStranger
	}
	nonce := newNonce()
	if err := w.send(challenge{Nonce: nonce, Proof: proof(key, "holder", h.Nonce, nonce), Busy: busy}); err != nil || busy {
		return err
	}
	var a answer
	if err := w.receive(&a); err != nil {
		return err
	}
	if !proved(a.Proof, key, "client", h.Nonce, nonce) {
		return errStranger
	}
	w.most = MaxLine
	return w.send(welcome{OK: true})
}

// enter is the client's part.
func (w *wire) enter(key []byte) error {
	nonce := newNonce()
	if err := w.send(hello{protocol, nonce}); err != nil {
		return err
	}
	var c challenge
	if err := w.receive(&c); err != nil {
		return err
	}
	if len(c.Nonce) > maxNonce || !proved(c.Proof, key, "holder", nonce, c.Nonce) {
		return errStranger
	}
	if c.Busy {
		return ErrBusy
	}
	w.most = MaxLine
	if err := w.send(answer{proof(key, "client", nonce, c.Nonce)}); err != nil {
		return err
	}
	var ok welcome
	if err := w.receive(&ok); err != nil {
		return err
	}
	if !ok.OK {
		return errStranger
	}
	return nil
}

// hangUp closes a connection from which nothing is expected any more, so that
// it does not matter whether that succeeds.
func hangUp(conn net.Conn) { _ = conn.Close() }
