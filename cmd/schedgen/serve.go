package main

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server"
	"github.com/schedgen/schedgen/server/epochs"
)

const serveLong = `Serve leader schedules of any epoch to Solana clients, to scripts, and as a page.

  /            the page, and JSON-RPC 2.0: getLeaderSchedule, getSlotLeader,
               getSlotLeaders, getEpochInfo, getEpochSchedule, getSlot,
               getVoteAccounts, getVersion, getHealth, getGenesisHash, and
               slotSubscribe over a WebSocket
  /v1          the same and more for scripts, described by /v1/openapi.json
  /health      ok, behind or unknown, as nodes answer
  /healthz     the process works; /readyz: answers can be relied on, or why not
  /metrics     for Prometheus

Stakes come from --stakes, from files that appear in --watch, from the node of
--rpc, and from POST /v1/stakes with the token of --stakes-token-file. With --data
they are kept, some hundred KB an epoch; schedules are derived when somebody asks.
A stake list that does not say its epoch is given as EPOCH=SOURCE.

--rpc follows a node, or --anchor and --slot-duration tell, which slot it is.
Without either only questions that name their slot or epoch are answered.

Every flag can be set in the environment: --max-batch is SCHEDGEN_MAX_BATCH. A flag
goes before its variable. Several values in one variable are separated by commas.
Addresses with a password are better there, where other users do not see them.

On SIGTERM or Ctrl-C requests in flight are finished first. Requests that worked are
logged with --log-level debug, and otherwise counted only.`

const serveExample = `  schedgen serve --example
  schedgen serve --data /var/lib/schedgen --rpc http://127.0.0.1:8899 --listen 127.0.0.1:9899
  schedgen serve --data DIR --watch /mnt/ledger/snapshots --rpc URL --track IDENTITY
  schedgen serve --stakes 454=stakes.csv --cluster mainnet-beta --anchor 196128000@now --slot-duration 400ms
  SCHEDGEN_RPC=https://user:password@host schedgen serve --data DIR --listen 0.0.0.0:8899 --rate 50`

func newServeCommand() *cobra.Command {
	f := newServeFlags()
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Serve leader schedules over JSON-RPC, REST and a page",
		Long:    serveLong,
		Example: serveExample,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.add(cmd)
	return cmd
}

func (f *serveFlags) run(cmd *cobra.Command) error {
	if err := environment(cmd); err != nil {
		return err
	}
	if _, err := backendFromEnvironment(); err != nil {
		return err
	}
	config, err := f.config(cmd)
	if err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	s, err := server.New(config)
	if err != nil {
		return serveError(err)
	}
	if _, err := fmt.Fprintf(stdoutWriter{cmd.OutOrStdout()}, "%s\n", s.URL()); err != nil {
		s.Close()
		return err
	}
	return serveError(s.Run(ctx))
}

// serveError names the flags that would help.
func serveError(err error) error {
	var taken *server.ListenError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &taken) && errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%w: end what has the port, or name another one with --listen, --ws-listen or --pprof", err)
	case errors.As(err, &taken):
		return fmt.Errorf("%w: want ADDR:PORT of this machine", err)
	case errors.Is(err, epochs.ErrNoEpochSchedule):
		return fmt.Errorf("%w (--cluster NAME or --epoch-schedule SPEC)", err)
	case errors.Is(err, schedule.ErrKeyingUnknown):
		return fmt.Errorf("%w: give --keyed-by vote (since SIMD-0180) or --keyed-by identity", err)
	}
	return err
}
