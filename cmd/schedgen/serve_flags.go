package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server"
	"github.com/schedgen/schedgen/server/feed"
	"github.com/schedgen/schedgen/stakes/admission"
	"github.com/schedgen/schedgen/stakes/electorate"
)

// serveFlags are the flags of serve as they were given.
type serveFlags struct {
	epochFlags
	termsFlags
	clockFlags
	listen, webSocket, tlsCert, tlsKey, pprof string

	data, watch, tokenFile string
	stakes                 texts
	track                  pubkeys
	example, cors          bool
	proxies                prefixes

	cacheBytes, maxStore, maxBody, maxStakes byteSize
	rate                                     float64
	burst, maxBatch, maxConcurrent           decimal
	maxConnections                           decimal
	header, read, write, idle, shutdown      time.Duration
	logLevel, logFormat                      string
}

const (
	noWebSocket = "off"
	logText     = "text"
	logJSON     = "json"
)

func newServeFlags() *serveFlags {
	count := decimal{max: math.MaxInt32}
	return &serveFlags{burst: count, maxBatch: count, maxConcurrent: count, maxConnections: count}
}

func (f *serveFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.BoolVar(&f.example, "example", false, "serve the example list for every epoch, with a made-up clock, without network and files")
	flags.StringVar(&f.listen, "listen", server.DefaultListen, "address of the service, `ADDR:PORT`; port 0 takes a free one")
	flags.StringVar(&f.webSocket, "ws-listen", server.NextPort, "second address, `ADDR:PORT`, where some clients look for the WebSocket: next is the port above that of --listen if it is free, off is none")
	flags.StringVar(&f.data, "data", "", "`DIR` that keeps stake lists (default: memory)")
	flags.Var(&f.stakes, "stakes", "stake list to take at the start, EPOCH=SOURCE or a SOURCE that says its epoch: CSV, JSON, genesis, snapshot (path), the http address of a node, or example; may be repeated")
	flags.StringVar(&f.watch, "watch", "", "`DIR` to watch for new snapshot archives and stake lists")
	f.clockFlags.add(cmd)
	flags.Lookup("rpc").Usage = "node to follow, `URL`: its slots, the stakes of its next epoch, its schedules to compare with"
	f.addEpochs(cmd)
	flags.Var(&f.track, "track", "identity or vote account to meter; may be repeated")
	flags.StringVar(&f.tokenFile, "stakes-token-file", "", "`FILE` with the token for POST /v1/stakes (default: nobody may)")
	flags.BoolVar(&f.cors, "cors", false, "let web pages of other origins ask")
	flags.Float64Var(&f.rate, "rate", 0, "requests a second from one address, `N` (default: any number)")
	flags.Var(&f.burst, "burst", "requests at once from one address (default: two seconds of --rate)")
	flags.Var(&f.proxies, "trusted-proxy", "proxy whose X-Forwarded-For is believed, an address or `RANGE` such as 10.0.0.0/8; may be repeated")
	f.addLimits(cmd)
	flags.StringVar(&f.tlsCert, "tls-cert", "", "certificate of the service, `FILE` in PEM")
	flags.StringVar(&f.tlsKey, "tls-key", "", "its key, `FILE` in PEM")
	flags.StringVar(&f.pprof, "pprof", "", "serve profiles of the program, and nothing else, on `ADDR:PORT`")
	flags.StringVar(&f.logLevel, "log-level", "info", "`LEVEL` to log from: debug, info, warn or error")
	flags.StringVar(&f.logFormat, "log-format", logText, "`FORMAT` of the log: text or json")
}

// addEpochs adds what of the flags of derive fits many epochs of one cluster.
func (f *serveFlags) addEpochs(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.cluster, "cluster", "", "cluster of the epochs, `NAME`: "+strings.Join(schedule.Clusters(), ", ")+" (default: as the store or the stakes of --stakes say or, without any, the node)")
	flags.StringVar(&f.epochSchedule, "epoch-schedule", "", "epochs of another cluster: `SPEC` is SLOTS or slots=N,offset=N,warmup")
	flags.StringVar(&f.keyedBy, "keyed-by", electorate.KeyedByAuto, "what an entry stands for, `KEYING`: vote, identity or auto")
	flags.BoolVar(&f.exact, "exact", false, "answer only about epochs whose stakes are known to be exactly those that the network draws with")
	flags.StringVar(&f.admission, "admission", string(admission.Auto), "vote accounts that SIMD-0357 does not admit are left out, `RULE`: auto, none or top-2000")
}

func (f *serveFlags) addLimits(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.cacheBytes, "cache-bytes", "bound of the cache of schedules and answers, such as 512MiB (default 256MiB)")
	flags.Var(&f.maxStore, "max-store", "bound of the file in --data (default: none)")
	flags.Var(&f.maxBody, "max-body", "longest JSON-RPC request (default 50KiB)")
	flags.Var(&f.maxStakes, "max-stakes", "longest POST /v1/stakes (default 64MiB)")
	flags.Var(&f.maxBatch, "max-batch", "requests of a JSON-RPC batch (default 100)")
	flags.Var(&f.maxConcurrent, "max-concurrent", "requests answered at a time; four times as many wait (default 256)")
	flags.Var(&f.maxConnections, "max-connections", "open connections; the one idle for longest gives way (default 4096)")
	flags.DurationVar(&f.header, "header-timeout", 5*time.Second, "longest wait for the header of a request")
	flags.DurationVar(&f.read, "read-timeout", 15*time.Second, "longest wait for a request, and for each part of posted stakes")
	flags.DurationVar(&f.write, "write-timeout", time.Minute, "longest wait for a client to take the answer")
	flags.DurationVar(&f.idle, "idle-timeout", 2*time.Minute, "longest wait for the next request of a connection")
	flags.DurationVar(&f.shutdown, "shutdown-timeout", 15*time.Second, "longest wait for requests in flight at the end")
}

// config checks the flags and makes of them what the service is told.
func (f *serveFlags) config(cmd *cobra.Command) (server.Config, error) {
	if err := f.check(cmd); err != nil {
		return server.Config{}, err
	}
	c := server.Config{
		Listen: f.listen, TLSCert: f.tlsCert, TLSKey: f.tlsKey, Pprof: f.pprof,
		Data: f.data, MaxStore: int(f.maxStore.bytes), CacheBytes: f.cacheBytes.bytes,
		Cluster: f.cluster, Watch: f.watch, Node: f.rpc, Example: f.example,
		Terms: electorate.Terms{KeyedBy: f.keyedBy, Admission: admission.Rule(f.admission), Exact: f.exact},
		Track: f.track, CORS: f.cors, TrustedProxies: f.proxies, Version: buildVersion(), Limits: f.limits(),
	}
	if f.webSocket != noWebSocket {
		c.WebSocketListen = f.webSocket
	}
	for _, complete := range []func(*cobra.Command, *server.Config) error{f.addSchedule, f.addStakes, f.addAnchor, f.addToken, f.addLog} {
		if err := complete(cmd, &c); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (f *serveFlags) limits() server.Limits {
	return server.Limits{
		MaxBody: f.maxBody.bytes, MaxStakes: f.maxStakes.bytes, MaxBatch: int(f.maxBatch.value),
		MaxConcurrent: int(f.maxConcurrent.value), MaxConnections: int(f.maxConnections.value),
		Rate: f.rate, Burst: int(f.burst.value),
		HeaderTimeout: f.header, ReadTimeout: f.read, WriteTimeout: f.write, IdleTimeout: f.idle, ShutdownTimeout: f.shutdown,
	}
}

func (f *serveFlags) addSchedule(_ *cobra.Command, c *server.Config) (err error) {
	if f.epochSchedule == "" {
		return nil
	}
	if c.EpochSchedule, err = parseEpochSchedule(f.epochSchedule); err != nil {
		return fmt.Errorf("--epoch-schedule: %w", err)
	}
	return nil
}

func (f *serveFlags) addStakes(_ *cobra.Command, c *server.Config) error {
	for _, text := range f.stakes {
		file, err := feed.ParseFile(text)
		if err != nil {
			return fmt.Errorf("--stakes: %w", err)
		}
		c.Stakes = append(c.Stakes, file)
	}
	return nil
}

// addAnchor leaves the node of --rpc for the service to ask.
func (f *serveFlags) addAnchor(cmd *cobra.Command, c *server.Config) (err error) {
	if f.anchor != "" {
		c.Anchor, err = f.clock(cmd)
	}
	return err
}

func (f *serveFlags) addToken(_ *cobra.Command, c *server.Config) (err error) {
	if f.tokenFile == "" {
		return nil
	}
	if c.Token, err = readToken(f.tokenFile); err != nil {
		return fmt.Errorf("--stakes-token-file: %w", err)
	}
	return nil
}

func (f *serveFlags) addLog(cmd *cobra.Command, c *server.Config) (err error) {
	c.Log, err = f.log(cmd.ErrOrStderr())
	return err
}

// check finds what is wrong with the flags themselves.
func (f *serveFlags) check(cmd *cobra.Command) error {
	switch {
	case f.example && (f.data != "" || len(f.stakes) > 0 || f.watch != "" || f.rpc != "" || f.cluster != ""):
		return errors.New("--example is made up and takes no --data, --stakes, --watch, --rpc or --cluster")
	case f.cluster != "" && f.epochSchedule != "":
		return errors.New("--cluster and --epoch-schedule both say how long an epoch is, give one of them")
	case (f.tlsCert == "") != (f.tlsKey == ""):
		return errors.New("--tls-cert and --tls-key belong together, give both")
	case !(f.rate >= 0 && f.rate < 1e9):
		return fmt.Errorf("--rate: %v is no number of requests a second", f.rate)
	case cmd.Flags().Changed("burst") && f.rate == 0:
		return errors.New("--burst is for --rate N, which is not given")
	case cmd.Flags().Changed("max-store") && f.data == "":
		return errors.New("--max-store is for --data DIR, which is not given")
	case f.maxStore.bytes > math.MaxInt:
		return fmt.Errorf("--max-store: %s is more than a file may have here", f.maxStore.String())
	}
	for _, d := range []struct {
		flag  string
		value time.Duration
	}{
		{"header", f.header}, {"read", f.read}, {"write", f.write}, {"idle", f.idle}, {"shutdown", f.shutdown},
	} {
		if d.value <= 0 {
			return fmt.Errorf("--%s-timeout: %v, want more than 0, such as 10s", d.flag, d.value)
		}
	}
	if f.cluster != "" {
		if _, err := schedule.ClusterSchedule(f.cluster); err != nil {
			return fmt.Errorf("--cluster: %w", err)
		}
	}
	return errors.Join(f.checkKeyedBy(), f.termsFlags.check(), f.clockFlags.check())
}

// log returns where the service logs to.
func (f *serveFlags) log(stderr io.Writer) (*slog.Logger, error) {
	var level slog.Level
	switch f.logLevel {
	case "debug", "info", "warn", "error":
		if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("--log-level: want debug, info, warn or error, not %q", f.logLevel)
	}
	o := &slog.HandlerOptions{Level: level}
	switch f.logFormat {
	case logText:
		return slog.New(slog.NewTextHandler(stderr, o)), nil
	case logJSON:
		return slog.New(slog.NewJSONHandler(stderr, o)), nil
	}
	return nil, fmt.Errorf("--log-format: want %s or %s, not %q", logText, logJSON, f.logFormat)
}
