package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strata/server"
)

// Source has the counters of a server.
type Source interface{ Metrics() server.Metrics }

var _ Source = (*server.Server)(nil)

// collector has Prometheus collect a source: one snapshot for each scrape.
type collector struct {
	source Source
	facts  []fact
}

// fact is a number of a snapshot; one of a dimension is told for each of them.
type fact struct {
	desc      *prometheus.Desc
	kind      prometheus.ValueType
	of        func(*server.Metrics) float64
	dimension func(*server.DimensionMetrics) float64
}

var (
	tickSeconds = prometheus.NewDesc("strata_tick_seconds", "How long ticks took.", nil, nil)
	tps         = prometheus.NewDesc("strata_tps", "Ticks a second, over so many minutes.", []string{"minutes"}, nil)
	tickRecent  = prometheus.NewDesc("strata_tick_recent_seconds", "How long ticks of the last minute took; 1 is the longest.", []string{"quantile"}, nil)
)

func newCollector(s Source) *collector { return &collector{source: s, facts: facts()} }

// Describe implements prometheus.Collector.
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	to <- tickSeconds
	to <- tps
	to <- tickRecent
	for _, f := range c.facts {
		to <- f.desc
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	m := c.source.Metrics()
	collectTicks(&m, to)
	for _, f := range c.facts {
		if f.of != nil {
			to <- prometheus.MustNewConstMetric(f.desc, f.kind, f.of(&m))
			continue
		}
		for i := range m.Dimensions {
			d := &m.Dimensions[i]
			to <- prometheus.MustNewConstMetric(f.desc, f.kind, f.dimension(d), d.ID)
		}
	}
}

func collectTicks(m *server.Metrics, to chan<- prometheus.Metric) {
	buckets := make(map[float64]uint64, len(m.TickTimes))
	for _, b := range m.TickTimes {
		buckets[b.UpTo.Seconds()] = b.Ticks
	}
	to <- prometheus.MustNewConstHistogram(tickSeconds, m.Ticks, m.Ticking.Seconds(), buckets)
	for i, minutes := range []string{"1", "5", "15"} {
		to <- prometheus.MustNewConstMetric(tps, prometheus.GaugeValue, m.TPS[i], minutes)
	}
	for quantile, took := range map[string]time.Duration{"0.5": m.Tick.P50, "0.95": m.Tick.P95, "0.99": m.Tick.P99, "1": m.Tick.Max} {
		to <- prometheus.MustNewConstMetric(tickRecent, prometheus.GaugeValue, took.Seconds(), quantile)
	}
}
