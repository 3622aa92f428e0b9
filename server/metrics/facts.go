package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strata/server"
)

// number is what counters are.
type number interface{ ~int | ~int32 | ~int64 | ~bool }

func value[T number](v T) float64 {
	switch v := any(v).(type) {
	case int:
		return float64(v)
	case int32:
		return float64(v)
	case int64:
		return float64(v)
	case bool:
		if v {
			return 1
		}
	}
	return 0
}

func fromServer[T number](name, help string, kind prometheus.ValueType, of func(*server.Metrics) T) fact {
	return fact{
		desc: prometheus.NewDesc("strata_"+name, help, nil, nil), kind: kind,
		of: func(m *server.Metrics) float64 { return value(of(m)) },
	}
}

func fromDimension[T number](name, help string, kind prometheus.ValueType, of func(*server.DimensionMetrics) T) fact {
	return fact{
		desc: prometheus.NewDesc("strata_"+name, help, []string{"dimension"}, nil), kind: kind,
		dimension: func(d *server.DimensionMetrics) float64 { return value(of(d)) },
	}
}

// seconds is a duration that percentiles are of.
func seconds(name, help string, of func(*server.Metrics) time.Duration) fact {
	return fact{
		desc: prometheus.NewDesc("strata_"+name, help, nil, nil), kind: prometheus.GaugeValue,
		of: func(m *server.Metrics) float64 { return of(m).Seconds() },
	}
}

const (
	gauge   = prometheus.GaugeValue
	counter = prometheus.CounterValue
)

// facts are all but those of ticks.
func facts() []fact {
	all := []fact{
		fromServer("players", "Players who are on.", gauge, func(m *server.Metrics) int { return m.Players }),
		fromServer("players_max", "Players who may be on.", gauge, func(m *server.Metrics) int { return m.MaxPlayers }),
		fromServer("connections", "Connections that are open, with those that log in or ask for the status.", gauge, func(m *server.Metrics) int64 { return m.OpenConnections }),
		fromServer("connections_total", "Connections that were accepted.", counter, func(m *server.Metrics) int64 { return m.Connections }),
		fromServer("received_bytes_total", "Bytes that came from clients.", counter, func(m *server.Metrics) int64 { return m.BytesIn }),
		fromServer("sent_bytes_total", "Bytes that were sent to clients.", counter, func(m *server.Metrics) int64 { return m.BytesOut }),

		fromServer("frames", "Chunks of which the packet is kept.", gauge, func(m *server.Metrics) int { return m.Frames.Frames }),
		fromServer("frames_bytes", "Bytes of these packets.", gauge, func(m *server.Metrics) int64 { return m.Frames.Bytes }),
		fromServer("frames_waiting", "Chunks of which the packet is being made.", gauge, func(m *server.Metrics) int { return m.Frames.Waiting }),
		fromServer("frames_built_total", "Packets of chunks that were made.", counter, func(m *server.Metrics) int64 { return m.Frames.Built }),
		fromServer("frames_hits_total", "Times that a packet was there.", counter, func(m *server.Metrics) int64 { return m.Frames.Hits }),
		fromServer("frames_misses_total", "Times that it was not.", counter, func(m *server.Metrics) int64 { return m.Frames.Misses }),
		fromServer("frames_evicted_total", "Packets that were given up for others.", counter, func(m *server.Metrics) int64 { return m.Frames.Evicted }),
	}
	all = append(all, dimensionFacts()...)
	return append(all, storeFacts()...)
}

func dimensionFacts() []fact {
	type dim = server.DimensionMetrics
	return []fact{
		fromDimension("chunks_loaded", "Chunks that the game has.", gauge, func(d *dim) int { return d.Loaded }),
		fromDimension("chunks_wanted", "Chunks that were asked for and are not there yet.", gauge, func(d *dim) int { return d.Source.Wanted }),
		fromDimension("chunks_loading", "Chunks that wait for the disk.", gauge, func(d *dim) int { return d.Source.Loading }),
		fromDimension("chunks_missing", "Chunks that wait to be generated.", gauge, func(d *dim) int { return d.Source.Missing }),
		fromDimension("chunks_making", "Chunks that are being generated.", gauge, func(d *dim) int { return d.Source.Making }),
		fromDimension("chunks_loaded_total", "Chunks that came from the disk or the cache.", counter, func(d *dim) int64 { return d.Source.Loaded }),
		fromDimension("chunks_generated_total", "Chunks that were generated to the end.", counter, func(d *dim) int64 { return d.Source.Generated }),
		fromDimension("chunks_ahead_total", "Of these, chunks that nobody had asked for yet.", counter, func(d *dim) int64 { return d.Source.Ahead }),
		fromDimension("chunks_rim_total", "Chunks that were saved unfinished beside others.", counter, func(d *dim) int64 { return d.Source.Rim }),
		fromDimension("chunks_relit_total", "Chunks whose light changed by what was generated beside them.", counter, func(d *dim) int64 { return d.Source.Relit }),
		fromDimension("chunks_failed_total", "Chunks that could not be had.", counter, func(d *dim) int64 { return d.Source.Failed }),
		fromDimension("generation_jobs_total", "Jobs of generation.", counter, func(d *dim) int64 { return d.Source.Jobs }),
		fromDimension("generation_jobs_failed_total", "Jobs that ended with an error.", counter, func(d *dim) int64 { return d.Source.FailedJobs }),
		fromDimension("structures_left_out_total", "Parts of structures that lack the game's own files.", counter, func(d *dim) int64 { return d.Source.StructuresLeftOut }),
	}
}

func storeFacts() []fact {
	type all = server.Metrics
	return []fact{
		fromServer("store_objects", "Chunks, entity files and points of interest that are held, changed or in flight.", gauge, func(m *all) int { return m.Store.Objects }),
		fromServer("store_object_bytes", "Bytes of memory that they take.", gauge, func(m *all) int64 { return m.Store.ObjectBytes }),
		fromServer("store_dirty_bytes", "Of them, bytes that are changed and not saved.", gauge, func(m *all) int64 { return m.Store.DirtyBytes }),
		fromServer("store_drift_bytes", "Of these, bytes that are changed by time alone.", gauge, func(m *all) int64 { return m.Store.DriftBytes }),
		fromServer("store_saving_bytes", "Bytes that are being saved.", gauge, func(m *all) int64 { return m.Store.FlyingBytes }),
		fromServer("store_no_space", "1 while the disk is full.", gauge, func(m *all) bool { return m.Store.NoSpace }),
		fromServer("store_queued_loads", "Loads that wait.", gauge, func(m *all) int { return m.Store.QueuedLoads }),
		fromServer("store_hits_total", "Objects that were taken from the cache.", counter, func(m *all) int64 { return m.Store.Hits }),
		fromServer("store_misses_total", "Objects that were not in memory.", counter, func(m *all) int64 { return m.Store.Misses }),
		fromServer("store_loads_total", "Objects that were read from the disk.", counter, func(m *all) int64 { return m.Store.Loads }),
		fromServer("store_load_errors_total", "Loads that ended with an error.", counter, func(m *all) int64 { return m.Store.LoadErrors }),
		fromServer("store_saves_total", "Objects that were written.", counter, func(m *all) int64 { return m.Store.Saves }),
		fromServer("store_saves_elided_total", "Saves that the disk had already.", counter, func(m *all) int64 { return m.Store.Elided }),
		fromServer("store_save_errors_total", "Saves that ended with an error.", counter, func(m *all) int64 { return m.Store.SaveErrors }),
		fromServer("store_rescued_total", "Objects that went to the rescue folder.", counter, func(m *all) int64 { return m.Store.Rescued }),
		fromServer("store_waits_total", "Times that a change waited for room.", counter, func(m *all) int64 { return m.Store.Waits }),
		fromServer("store_epochs_total", "Epochs that became durable.", counter, func(m *all) int64 { return m.Store.Epochs }),
		fromServer("store_epoch_errors_total", "Epochs that failed.", counter, func(m *all) int64 { return m.Store.EpochErrors }),
		fromServer("store_loaded_bytes_total", "Bytes that were read, inflated.", counter, func(m *all) int64 { return m.Store.BytesLoaded }),
		fromServer("store_saved_bytes_total", "Bytes that were saved, compressed.", counter, func(m *all) int64 { return m.Store.BytesSaved }),
		fromServer("region_written_bytes_total", "Bytes that were written to region files, with headers and padding.", counter, func(m *all) int64 { return m.Store.Region.BytesWritten }),
		fromServer("region_flushes_total", "Flushes of region files.", counter, func(m *all) int64 { return m.Store.Region.Flushes }),
		fromServer("region_flush_failures_total", "Flushes that failed.", counter, func(m *all) int64 { return m.Store.Region.FlushFailures }),
		seconds("store_load_p95_seconds", "95 of 100 loads took less.", func(m *all) time.Duration { return m.Store.Load.P95 }),
		seconds("store_encode_p95_seconds", "95 of 100 objects were encoded in less.", func(m *all) time.Duration { return m.Store.Encode.P95 }),
		seconds("store_epoch_p95_seconds", "95 of 100 epochs took less.", func(m *all) time.Duration { return m.Store.Epoch.P95 }),
		seconds("store_cut_p95_seconds", "95 of 100 cuts held the tick up for less.", func(m *all) time.Duration { return m.Store.Cut.P95 }),
	}
}
