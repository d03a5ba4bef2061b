package jsonrpc

import (
	"log/slog"
	"time"
)

// WireVersion is the release of Agave whose answers these are.
const WireVersion = "4.4.0"

// Options of New. A zero value of a field is its default.
type Options struct {
	// Version and FeatureSet are what getVersion answers: WireVersion and 0.
	Version    string
	FeatureSet uint32

	// MaxBody limits a request in bytes, over HTTP and WebSocket: 50 KiB, as nodes
	// have it.
	MaxBody int64
	// MaxBatch limits the requests of a batch: 100.
	MaxBatch int
	// MaxReply limits what a batch answers, in bytes before compression: 32 MiB.
	// Requests beyond it get an error each.
	MaxReply int64
	// MaxDepth limits how deep arrays and objects are nested: 128, as nodes have it.
	MaxDepth int
	// CompressAbove is the length in bytes from which on answers that are not kept
	// are compressed, for clients that take it: 16 KiB.
	CompressAbove int

	// MaxSockets limits the WebSockets that are open at a time: 1,000.
	MaxSockets int
	// MaxSubscriptions limits those of a WebSocket: 32.
	MaxSubscriptions int
	// MaxMessages limits the messages a second that a WebSocket sends: 50.
	MaxMessages int
	// PingEvery is the time between two pings of a WebSocket: 30 s.
	PingEvery time.Duration
	// WriteTimeout is how long a WebSocket may take for a message, or to answer a
	// ping: 10 s. One that is slower is closed.
	WriteTimeout time.Duration
	// AnyOrigin lets pages of other origins open WebSockets.
	AnyOrigin bool

	// Healthy reports whether answers are right, as far as that does not depend on
	// the feed; getHealth and /health ask it. nil: always.
	Healthy func() bool
	// OnRequest is told of every answered request: its method, "" for none and
	// "unknown" for one that there is not, the code of the error or 0, and how long
	// it took to make the answer.
	OnRequest func(method string, code int, took time.Duration)
	// Log gets errors that are not the client's: nowhere.
	Log *slog.Logger
}

func (o Options) withDefaults() Options {
	orDefault(&o.Version, WireVersion)
	orDefault(&o.MaxBody, 50<<10)
	orDefault(&o.MaxBatch, 100)
	orDefault(&o.MaxReply, 32<<20)
	orDefault(&o.MaxDepth, 128)
	orDefault(&o.CompressAbove, 16<<10)
	orDefault(&o.MaxSockets, 1000)
	orDefault(&o.MaxSubscriptions, 32)
	orDefault(&o.MaxMessages, 50)
	orDefault(&o.PingEvery, 30*time.Second)
	orDefault(&o.WriteTimeout, 10*time.Second)
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
