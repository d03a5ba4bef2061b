package page_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/schedgen/schedgen/server/page"
)

func ExampleNew() {
	p, err := page.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", p)
	mux.Handle("GET /assets/", p)

	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	fmt.Println(w.Code, w.Header().Get("Content-Type"))
	// Output: 200 text/html; charset=utf-8
}
