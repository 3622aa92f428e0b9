package rcon

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"strata/region/vfs"
)

// ErrOff says that server.properties does not enable the console, or has no password.
var ErrOff = errors.New("RCON is not enabled in server.properties")

const maxProperties = 1 << 20

// FromProperties reads address and password from a server.properties file.
// ErrOff; otherwise the errors are those of reading.
func FromProperties(fsys vfs.FS, path string) (address, password string, err error) {
	data, err := vfs.ReadFile(fsys, path, maxProperties)
	if err != nil {
		return "", "", err
	}
	value := map[string]string{"rcon.port": "25575"}
	for line := range strings.Lines(string(data)) {
		name, text, ok := strings.Cut(strings.TrimSpace(line), "=")
		if ok && !strings.HasPrefix(name, "#") && !strings.HasPrefix(name, "!") {
			value[strings.TrimSpace(name)] = unescape(strings.TrimSpace(text))
		}
	}
	if value["enable-rcon"] != "true" || value["rcon.password"] == "" {
		return "", "", fmt.Errorf("%s: %w", path, ErrOff)
	}
	host := value["server-ip"]
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, value["rcon.port"]), value["rcon.password"], nil
}

// unescape takes the backslashes away with which Java writes = : # and !.
func unescape(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
