package conn

import "errors"

// How Handle ends without a login.
var (
	// ErrStatus: the client asked for the status and was answered.
	ErrStatus = errors.New("client asked for the status")
	// ErrProtocol: the client broke the rules of its state.
	ErrProtocol = errors.New("client broke the protocol")
	// ErrVersion: the client speaks a protocol version that we do not.
	ErrVersion = errors.New("client of another version")
	// ErrAuthentication: the session service does not know of the login.
	ErrAuthentication = errors.New("not authenticated")
	// ErrSessionService: the session service gave no usable answer.
	ErrSessionService = errors.New("no answer from the session service")
	// ErrRefused: Options.Admit refused the player.
	ErrRefused = errors.New("player refused")
	// ErrThrottled: the client's address logged in a moment ago.
	ErrThrottled = errors.New("logged in too soon again")
	// ErrPending: there are too many connections that are not logged in.
	ErrPending = errors.New("too many connections that are not logged in")
	// ErrFlood: the client sent more packets than it may.
	ErrFlood = errors.New("too many packets")
)

// Refusal is why a player is not admitted, in a text component.
type Refusal struct {
	JSON string // of the text component
}

// Error returns the component.
func (e *Refusal) Error() string { return e.JSON }
