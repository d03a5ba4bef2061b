// Preview shows the page about made-up epochs, without a node and without a
// service: go run ./server/page/pagetest/preview, then open the address that it
// prints.
package main

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/schedgen/schedgen/server/page"
	"github.com/schedgen/schedgen/server/page/pagetest"
)

func main() {
	listen := flag.String("listen", "127.0.0.1:8080", "address to listen on")
	var o pagetest.Options
	flag.IntVar(&o.Validators, "validators", 0, "length of a made-up stake list; 0 takes the example list")
	flag.Uint64Var(&o.Epoch, "epoch", 900, "present epoch")
	flag.Float64Var(&o.Passed, "passed", 0.43, "how much of it is over, from 0 to 1")
	flag.Parse()
	if err := run(*listen, o); err != nil {
		fmt.Fprintln(os.Stderr, "preview:", err)
		os.Exit(1)
	}
}

func run(address string, o pagetest.Options) error {
	p, err := page.New()
	if err != nil {
		return err
	}
	o.Page = p
	service, err := pagetest.New(o)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/\n", listener.Addr())
	server := &http.Server{Handler: service, ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}
