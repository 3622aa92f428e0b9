package metrics

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Handler answers GET /metrics with the counters of a source, of the Go runtime and
// of the process.
func Handler(s Source) http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		newCollector(s),
		collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsGC, collectors.MetricsMemory, collectors.MetricsScheduler)),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{MaxRequestsInFlight: maxScrapes}))
	return mux
}

// maxScrapes is how many may read at a time.
const maxScrapes = 4

// Profiles answers below /debug/pprof/ with the profiles of the Go runtime, as
// "go tool pprof" reads them.
func Profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// Endpoint is an HTTP server.
type Endpoint struct {
	listener net.Listener
	server   http.Server
	ended    chan struct{}
}

// headerTime is how long a request's header may take, and readTime all of it.
const (
	headerTime = 5 * time.Second
	readTime   = 10 * time.Second
)

// Listen serves a handler on an address, such as 127.0.0.1:9225, until Close. It
// has a goroutine, and one for each connection.
func Listen(ctx context.Context, address string, h http.Handler) (*Endpoint, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	e := &Endpoint{
		listener: listener, ended: make(chan struct{}),
		server: http.Server{Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: readTime, MaxHeaderBytes: 64 << 10},
	}
	go func() {
		defer close(e.ended)
		_ = e.server.Serve(listener) // it ends with Close
	}()
	return e, nil
}

// Addr is what it listens on.
func (e *Endpoint) Addr() net.Addr { return e.listener.Addr() }

// Close ends it, with the requests that it is at.
func (e *Endpoint) Close() error {
	err := e.server.Close()
	<-e.ended
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
