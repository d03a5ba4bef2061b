package server_test

import (
	"context"
	"fmt"
	"net/http"

	"github.com/schedgen/schedgen/server"
)

func Example() {
	s, err := server.New(server.Config{Listen: "127.0.0.1:0", Example: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	ended := make(chan error)
	go func() { ended <- s.Run(ctx) }()

	answer, err := http.Get(s.URL() + "healthz")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer.Body.Close()
	fmt.Println(answer.Status)

	end()
	fmt.Println(<-ended)
	// Output:
	// 200 OK
	// <nil>
}
