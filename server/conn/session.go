package conn

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"strata/server/protocol"
)

// maxSessionAnswer bounds the answer of the session service.
const maxSessionAnswer = 64 << 10

// hasJoined asks the session service who logged in with that digest.
func (s *Server) hasJoined(ctx context.Context, name, digest string) (Profile, error) {
	address := strings.TrimSuffix(s.options.Session, "/") + "/session/minecraft/hasJoined?" +
		url.Values{"username": {name}, "serverId": {digest}}.Encode()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return Profile{}, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return Profile{}, fmt.Errorf("%w: %v", ErrSessionService, err)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxSessionAnswer))
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return Profile{}, fmt.Errorf("%w: %v", ErrSessionService, err)
	}
	switch response.StatusCode {
	case http.StatusOK:
		return parseProfile(body, name)
	case http.StatusNoContent, http.StatusForbidden:
		return Profile{}, fmt.Errorf("%s: %w", name, ErrAuthentication)
	}
	return Profile{}, fmt.Errorf("%w: status %d", ErrSessionService, response.StatusCode)
}

// parseProfile reads the service's answer, which must be of that name but for
// the case of letters.
func parseProfile(body []byte, name string) (Profile, error) {
	var answer struct {
		ID         string `json:"id"`
		Name       string `json:"name"`
		Properties []struct {
			Name      string `json:"name"`
			Value     string `json:"value"`
			Signature string `json:"signature"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return Profile{}, fmt.Errorf("%w: %v", ErrSessionService, err)
	}
	id, err := hex.DecodeString(strings.ReplaceAll(answer.ID, "-", ""))
	if err != nil || len(id) != len(protocol.UUID{}) || !ValidName(answer.Name) || !strings.EqualFold(answer.Name, name) {
		return Profile{}, fmt.Errorf("profile of %q with id %q: %w", answer.Name, answer.ID, ErrSessionService)
	}
	p := Profile{UUID: protocol.UUID(id), Name: answer.Name}
	for _, property := range answer.Properties {
		q := protocol.ProfileProperty{Name: property.Name, Value: property.Value}
		if property.Signature != "" {
			q.Signature = protocol.Some(property.Signature)
		}
		p.Properties = append(p.Properties, q)
	}
	return p, nil
}
