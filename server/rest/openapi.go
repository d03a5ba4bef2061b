package rest

import (
	_ "embed"
	"slices"
)

//go:embed openapi.json
var description []byte

// OpenAPI returns the description of everything under /v1, in OpenAPI 3.1.
func OpenAPI() []byte { return slices.Clone(description) }

func (h *Handler) openAPI(c *call) error { return h.small(c, description, noCache) }
