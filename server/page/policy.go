package page

import (
	"net/http"
	"strings"
)

// policy is what the page may do: run its own modules and workers, use its own
// styles and images, and ask the host that it came from. Nothing inline, nothing
// from elsewhere, no frame around it.
var policy = strings.Join([]string{
	"default-src 'none'",
	"script-src 'self'",
	"worker-src 'self'",
	"style-src 'self'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
}, "; ")

// protect sets the headers that go with every answer.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}
