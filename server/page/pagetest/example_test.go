package pagetest_test

import (
	"fmt"
	"net/http/httptest"

	"github.com/schedgen/schedgen/server/page/pagetest"
)

func Example() {
	service, err := pagetest.New(pagetest.Options{Validators: 50, Epoch: 700})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(service)
	defer server.Close()
	r, err := server.Client().Get(server.URL + "/v1/epochs/current")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Body.Close()
	fmt.Println(r.Status, r.Header.Get("Content-Type"))
	// Output: 200 OK application/json
}
