// Package conn brings clients from their first byte to the play state, and
// carries packets from then on.
//
// # Nouns
//
//   - a [Server] holds what all connections share: the options, the key for
//     logins, and the packets of the configuration state, framed once for each
//     version;
//   - a [Conn] is one client. [Server.Handle] answers those that only ask for
//     the status, of this age or from before 1.7, and logs the others in;
//     [Conn.Configure] tells the client the registries and tags;
//   - a [Profile] is who logged in, as the session service says in online
//     mode, or by name alone in offline mode.
//
// # Limits
//
// Until the login is over a frame has at most protocol.MaxUnauthenticated
// bytes, and all of it [Options.LoginTimeout]; [Options.Throttle] bounds how often
// an address logs in, [Options.Pending] how many connections are on their way.
// From then on each packet must come within [Options.IdleTimeout]. Clients may send 500 packets a second,
// and make us inflate 5 MiB a second, both measured over 7 seconds. Each
// write must end within IdleTimeout.
//
// # Concurrency
//
// Handle may be called from any number of goroutines; it starts none that
// outlives it. Of a Conn one goroutine may read while any number send: a
// packet is sent whole. Cancelling the context of Handle or Configure ends
// them by the connection's deadline.
//
// # Sources
//
// The order of the login and configuration states, the digest of the server
// for the session service and the ping of before 1.7 are those described at
// minecraft.wiki (Java Edition protocol). Limits are listed with their sources
// in package protocol.
//
// # Not here
//
// Bans and whitelist are for the caller of Handle ([Options.Admit]). Forwarding by
// proxies, transfers, plugin questions in the login state, cookies, resource packs
// and the code of conduct are absent.
package conn
