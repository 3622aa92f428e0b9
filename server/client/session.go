package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"strata/server/protocol"
)

// ErrSession says that the session service does not take a login.
var ErrSession = errors.New("session service refused")

// Session is an account at a session service.
type Session struct {
	// Address is that of the service, such as https://sessionserver.mojang.com.
	Address string
	// Token is the access token, ID the profile's id in hex without hyphens.
	Token, ID string
}

// sessionTimeout is how long the service may take.
const sessionTimeout = 10 * time.Second

// join tells the service that the account logs in at the server of a digest.
func (s *Session) join(ctx context.Context, digest string) error {
	body, err := json.Marshal(map[string]string{"accessToken": s.Token, "selectedProfile": s.ID, "serverId": digest})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sessionTimeout)
	defer cancel()
	address := strings.TrimSuffix(s.Address, "/") + "/session/minecraft/join"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	_, err = io.CopyN(io.Discard, response.Body, 64<<10)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	if response.StatusCode != http.StatusNoContent {
		return fmt.Errorf("status %d: %w", response.StatusCode, ErrSession)
	}
	return nil
}

// exchangeKey answers the server's key with a secret, and encrypts from then on.
func (r *Raw) exchangeKey(ctx context.Context, hello *protocol.HelloClientbound, session *Session) error {
	parsed, err := x509.ParsePKIXPublicKey(hello.PublicKey)
	if err != nil {
		return fmt.Errorf("the server's key: %w", err)
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return fmt.Errorf("the server's key is %T: %w", parsed, ErrUnexpected)
	}
	secret := make([]byte, protocol.SecretSize)
	if _, err := rand.Read(secret); err != nil {
		return err
	}
	if session != nil && hello.ShouldAuthenticate {
		if err := session.join(ctx, protocol.ServerDigest(hello.ServerID, secret, hello.PublicKey)); err != nil {
			return fmt.Errorf("join by the session service: %w", err)
		}
	}
	var answer protocol.Key
	if answer.SharedSecret, err = rsa.EncryptPKCS1v15(rand.Reader, key, secret); err != nil { //nolint:staticcheck // the game has no other padding
		return err
	}
	if answer.VerifyToken, err = rsa.EncryptPKCS1v15(rand.Reader, key, hello.VerifyToken); err != nil { //nolint:staticcheck // see above
		return err
	}
	if err := r.Send(&answer); err != nil {
		return err
	}
	return r.Encrypt(secret)
}
