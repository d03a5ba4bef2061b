package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/feed"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/electorate"
)

// ErrConfig: a Config whose fields contradict each other.
var ErrConfig = errors.New("bad configuration")

// Config says what a service answers about, where, and how much at a time. The zero
// value answers on a free port of this machine about nothing.
type Config struct {
	// Listen is the host:port of HTTP; "" is DefaultListen. Port 0 takes a free one.
	Listen string
	// WebSocketListen is a second host:port that answers alike, for clients that
	// are told one address and look for the WebSocket one port above it: NextPort
	// is that one, and not having it is no error then. "" is none.
	WebSocketListen string
	// TLSCert and TLSKey are files in PEM: both, or none for HTTP in the clear.
	TLSCert, TLSKey string
	// Pprof is the host:port of profiles and nothing else; "" is none. They are not
	// for everybody's eyes.
	Pprof string

	// Data is the folder of the store; "" keeps stake lists in memory.
	Data string
	// MaxStore limits the store's file in bytes; 0 does not.
	MaxStore int
	// CacheBytes bounds the cache of schedules and bodies; 0 is
	// epochs.DefaultCacheBytes.
	CacheBytes int64

	// Cluster and EpochSchedule say which slots an epoch has. Where neither does, the
	// store, a stake list or the node tells.
	Cluster       string
	EpochSchedule schedule.EpochSchedule
	Terms         electorate.Terms // on which lists are taken

	Stakes []feed.File // taken at the start
	Watch  string      // folder that is watched for further ones; "" is none
	// WatchOptions say how; the zero value is that of package feed.
	WatchOptions feed.WatchOptions

	// Node is the address of a validator that tells the slot and the stakes of the
	// next epoch, and whose schedules are compared; "" is none.
	Node        string
	NodeOptions noderpc.Options
	// Anchor tells the slot in the place of a node.
	Anchor *slotclock.Clock
	// Clock does so in the place of both.
	Clock slotfeed.Feed
	// Example answers about a made-up cluster: the list that is part of the program
	// leads every epoch, and the clock is made up unless Anchor or Clock is set.
	Example bool

	// Track are identities and vote accounts whose slots are metered.
	Track []schedule.Pubkey
	// Token lets those who know it post stakes; "" lets nobody.
	Token string
	// CORS lets pages of other origins ask, and open WebSockets.
	CORS bool
	// TrustedProxies may say in X-Forwarded-For for whom they ask.
	TrustedProxies []netip.Prefix
	Limits         Limits

	Version string           // of the program
	Log     *slog.Logger     // nil: none
	Now     func() time.Time // nil: time.Now
}

const (
	// DefaultListen is the port that validators answer JSON-RPC on, for this machine
	// alone.
	DefaultListen = "127.0.0.1:8899"
	// NextPort is the port above that of Config.Listen.
	NextPort = "next"
)

// Limits bound what clients can make the service do. A zero value of a field is its
// default.
type Limits struct {
	MaxBody   int64 // of a JSON-RPC request, in bytes: 50 KiB, as nodes have it
	MaxStakes int64 // of posted stakes: 64 MiB
	MaxBatch  int   // requests of a batch: 100
	MaxHeader int   // of a request, in bytes: 16 KiB

	// MaxConcurrent limits the requests that are answered at a time, 256; as many as
	// MaxQueue wait for QueueWait at most, 4 times as many and 2 s.
	MaxConcurrent, MaxQueue int
	QueueWait               time.Duration
	// MaxConnections limits what is open, 4,096: the connection that has been idle
	// for longest gives way to a new one.
	MaxConnections int
	MaxSockets     int // of these, WebSockets: 1,000

	// Rate limits the requests a second from one address, 0 does not; Burst is how
	// many may come at once, 2 s of Rate. An IPv6 address stands for its /64.
	// MaxAddresses are remembered, 65,536.
	Rate         float64
	Burst        int
	MaxAddresses int

	HeaderTimeout   time.Duration // to send the header of a request: 5 s
	ReadTimeout     time.Duration // to send all of it, and between parts of posted stakes: 15 s
	StakesTimeout   time.Duration // to send all of posted stakes: 10 min
	WriteTimeout    time.Duration // to take the answer: 1 min
	IdleTimeout     time.Duration // between requests: 2 min
	ShutdownTimeout time.Duration // of requests in flight when the service ends: 15 s
}

func (c Config) withDefaults() Config {
	orDefault(&c.Listen, DefaultListen)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Limits = c.Limits.withDefaults()
	return c
}

func (l Limits) withDefaults() Limits {
	orDefault(&l.MaxBody, 50<<10)
	orDefault(&l.MaxStakes, 64<<20)
	orDefault(&l.MaxBatch, 100)
	orDefault(&l.MaxHeader, 16<<10)
	orDefault(&l.MaxConcurrent, 256)
	orDefault(&l.MaxQueue, 4*l.MaxConcurrent)
	orDefault(&l.QueueWait, 2*time.Second)
	orDefault(&l.MaxConnections, 4096)
	orDefault(&l.MaxSockets, 1000)
	orDefault(&l.Burst, max(int(2*l.Rate), 1))
	orDefault(&l.MaxAddresses, 1<<16)
	orDefault(&l.HeaderTimeout, 5*time.Second)
	orDefault(&l.ReadTimeout, 15*time.Second)
	orDefault(&l.StakesTimeout, 10*time.Minute)
	orDefault(&l.WriteTimeout, time.Minute)
	orDefault(&l.IdleTimeout, 2*time.Minute)
	orDefault(&l.ShutdownTimeout, 15*time.Second)
	return l
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// check finds what is wrong with the fields themselves. The error is an ErrConfig.
func (c *Config) check() error {
	sources := 0
	for _, given := range []bool{c.Data != "", len(c.Stakes) > 0, c.Watch != "", c.Node != ""} {
		if given {
			sources++
		}
	}
	switch {
	case c.Example && sources > 0:
		return fmt.Errorf("%w: the example is made up, and takes neither a store, stakes, a folder nor a node", ErrConfig)
	case c.Anchor != nil && c.Node != "":
		return fmt.Errorf("%w: a node and an anchor both tell the slot, want one of them", ErrConfig)
	case c.Anchor != nil && c.Anchor.PerSlot <= 0:
		return fmt.Errorf("%w: the anchor's slots take %v, want more than 0", ErrConfig, c.Anchor.PerSlot)
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return fmt.Errorf("%w: TLS wants both a certificate and its key", ErrConfig)
	case c.CacheBytes < 0 || c.MaxStore < 0:
		return fmt.Errorf("%w: sizes of the cache and the store are 0 or more bytes", ErrConfig)
	}
	for _, p := range c.TrustedProxies {
		if !p.IsValid() {
			return fmt.Errorf("%w: a trusted proxy is no range of addresses", ErrConfig)
		}
	}
	return c.Limits.check()
}

func (l *Limits) check() error {
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"MaxBody", float64(l.MaxBody)}, {"MaxStakes", float64(l.MaxStakes)}, {"MaxBatch", float64(l.MaxBatch)},
		{"MaxHeader", float64(l.MaxHeader)}, {"MaxConcurrent", float64(l.MaxConcurrent)}, {"MaxQueue", float64(l.MaxQueue)},
		{"QueueWait", float64(l.QueueWait)}, {"MaxConnections", float64(l.MaxConnections)}, {"MaxSockets", float64(l.MaxSockets)},
		{"Rate", l.Rate}, {"Burst", float64(l.Burst)}, {"MaxAddresses", float64(l.MaxAddresses)},
		{"HeaderTimeout", float64(l.HeaderTimeout)}, {"ReadTimeout", float64(l.ReadTimeout)},
		{"StakesTimeout", float64(l.StakesTimeout)}, {"WriteTimeout", float64(l.WriteTimeout)},
		{"IdleTimeout", float64(l.IdleTimeout)}, {"ShutdownTimeout", float64(l.ShutdownTimeout)},
	} {
		if !(f.value >= 0 && f.value < 1<<62) {
			return fmt.Errorf("%w: limit %s is %v, want 0 for its default or more", ErrConfig, f.name, f.value)
		}
	}
	return nil
}
