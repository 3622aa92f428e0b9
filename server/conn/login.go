package conn

import (
	"context"
	"crypto/md5"
	"crypto/rand"
	"crypto/rsa"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"strata/anvil/registry"
	"strata/server/protocol"
)

// Profile is who a player is.
type Profile struct {
	UUID       protocol.UUID
	Name       string
	Properties []protocol.ProfileProperty // skins, in online mode
}

// OfflineUUID returns the UUID of a player in offline mode: version 3 of
// "OfflinePlayer:" and the name.
func OfflineUUID(name string) protocol.UUID {
	id := protocol.UUID(md5.Sum([]byte("OfflinePlayer:" + name)))
	id[6] = id[6]&0x0f | 0x30
	id[8] = id[8]&0x3f | 0x80
	return id
}

// ValidName reports whether a player may have the name: 1 to 16 letters,
// digits and low lines.
func ValidName(name string) bool {
	for _, r := range []byte(name) {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' {
			return false
		}
	}
	return len(name) >= 1 && len(name) <= 16
}

// login goes through the login state.
func (c *Conn) login(ctx context.Context) error {
	c.setOut(registry.Login)
	var hello protocol.HelloServerbound
	if err := c.expect(&hello); err != nil {
		return err
	}
	if !ValidName(hello.Username) {
		return c.refuse(text("Invalid characters in username"), fmt.Errorf("name %q: %w", hello.Username, ErrProtocol))
	}
	if !c.mayLogin() {
		return c.refuse(text("You were here a moment ago. Wait some seconds."), ErrThrottled)
	}
	profile := Profile{UUID: OfflineUUID(hello.Username), Name: hello.Username}
	if c.server.key != nil {
		digest, err := c.encrypt()
		if err != nil {
			return err
		}
		if profile, err = c.server.hasJoined(ctx, hello.Username, digest); err != nil {
			return c.refuse(sessionText(err), err)
		}
	}
	if admit := c.server.options.Admit; admit != nil {
		if err := admit(ctx, profile, c.net.RemoteAddr()); err != nil {
			return c.refuse(refusalText(err), fmt.Errorf("%w: %w", ErrRefused, err))
		}
	}
	c.profile = profile
	return c.finishLogin()
}

// finishLogin turns compression on and tells the client who it is.
func (c *Conn) finishLogin() error {
	if threshold := c.server.options.Threshold; threshold != protocol.NoCompression {
		if err := c.compress(threshold); err != nil {
			return err
		}
	}
	finished := &protocol.LoginFinished{UUID: c.profile.UUID, Username: c.profile.Name, Properties: c.profile.Properties}
	if _, err := rand.Read(finished.SessionID[:]); err != nil {
		return err
	}
	if err := c.Send(finished); err != nil {
		return err
	}
	if err := c.expect(&protocol.LoginAcknowledged{}); err != nil {
		return err
	}
	c.state = registry.Configuration
	c.setOut(registry.Configuration)
	return nil
}

// compress tells the client to compress and does so from the next packet on,
// in one step: no packet can come between.
func (c *Conn) compress(threshold int) error {
	framer, err := protocol.NewFramer(threshold, c.server.options.Level)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.send(&protocol.LoginCompression{Threshold: int32(threshold)}); err != nil {
		return err
	}
	c.framer = framer
	c.in.SetThreshold(threshold)
	return nil
}

// encrypt exchanges a secret, and returns the digest that the client has told
// the session service.
func (c *Conn) encrypt() (string, error) {
	var token [4]byte
	if _, err := rand.Read(token[:]); err != nil {
		return "", err
	}
	err := c.Send(&protocol.HelloClientbound{
		PublicKey: c.server.publicKey, VerifyToken: token[:], ShouldAuthenticate: true,
	})
	if err != nil {
		return "", err
	}
	var key protocol.Key
	if err := c.expect(&key); err != nil {
		return "", err
	}
	secret, err := c.server.openKey(&key, token[:])
	if err != nil {
		return "", err
	}
	decrypter, err := protocol.NewDecrypter(secret)
	if err != nil {
		return "", err
	}
	encrypter, err := protocol.NewEncrypter(secret)
	if err != nil {
		return "", err
	}
	c.in.Decrypt(decrypter)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.encrypter = encrypter
	return protocol.ServerDigest("", secret, c.server.publicKey), nil
}

// openKey returns the secret in a client's answer to the token. It does not
// tell in which way an answer is wrong, as that would help to forge one.
func (s *Server) openKey(key *protocol.Key, token []byte) ([]byte, error) {
	back, tokenErr := rsa.DecryptPKCS1v15(nil, s.key, key.VerifyToken)     //nolint:staticcheck // the game has no other padding
	secret, secretErr := rsa.DecryptPKCS1v15(nil, s.key, key.SharedSecret) //nolint:staticcheck // see above
	same := subtle.ConstantTimeCompare(back, token) == 1
	if tokenErr != nil || secretErr != nil || !same || len(secret) != protocol.SecretSize {
		return nil, fmt.Errorf("key exchange: %w", ErrProtocol)
	}
	return secret, nil
}

// refuse tells the client why it may not log in, in JSON, and returns err.
func (c *Conn) refuse(reason string, err error) error {
	if sendErr := c.Send(&protocol.LoginDisconnect{Reason: reason}); sendErr != nil {
		return errors.Join(err, sendErr)
	}
	c.linger()
	return err
}

const (
	lingerTime  = time.Second
	lingerBytes = 8 << 10
)

// linger lets the client read what was sent last: closing with bytes of the
// client unread would make its system throw that away.
func (c *Conn) linger() {
	half, ok := c.net.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil || c.net.SetReadDeadline(time.Now().Add(lingerTime)) != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, c.net, lingerBytes)
}

// refuseVersion refuses a client of a protocol that we do not speak.
func (c *Conn) refuseVersion(protocolNumber int32) error {
	c.setOut(registry.Login)
	key := "multiplayer.disconnect.incompatible"
	if protocolNumber < firstIncompatible {
		key = "multiplayer.disconnect.outdated_client"
	}
	reason, err := json.Marshal(map[string]any{"translate": key, "with": []string{shownVersion(0).String()}})
	if err != nil {
		return err
	}
	return c.refuse(string(reason), fmt.Errorf("protocol %d: %w", protocolNumber, ErrVersion))
}

// firstIncompatible is the protocol (1.16.5) from which clients know the newer
// of the two texts (the game's own).
const firstIncompatible = 754

// text is a text component of plain text in JSON.
func text(plain string) string {
	data, err := json.Marshal(map[string]string{"text": plain})
	if err != nil {
		return `""` // a map of texts always encodes
	}
	return string(data)
}

func refusalText(err error) string {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return refusal.JSON
	}
	return text(err.Error())
}

func sessionText(err error) string {
	key := "multiplayer.disconnect.authservers_down"
	if errors.Is(err, ErrAuthentication) {
		key = "multiplayer.disconnect.unverified_username"
	}
	return `{"translate":"` + key + `"}`
}
