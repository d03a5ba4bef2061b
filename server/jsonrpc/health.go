package jsonrpc

import "net/http"

// health returns whether the slot is known and current, and how many slots it is
// behind.
func (h *Handler) health() *rpcError {
	now, ok := h.feed.Now()
	switch {
	case !ok || h.o.Healthy != nil && !h.o.Healthy():
		return errUnhealthy
	case now.Stale && now.Behind > 0:
		return behindError(now.Behind)
	case now.Stale:
		return errUnhealthy
	}
	return nil
}

func getHealth(w *work, params value) *rpcError {
	if err := noParams(params); err != nil {
		return err
	}
	if err := w.h.health(); err != nil {
		return err
	}
	w.out = append(w.out, `"ok"`...)
	return nil
}

// ServeHealth answers GET /health as nodes do: status 200 and ok, behind or unknown.
func (h *Handler) ServeHealth(rw http.ResponseWriter, _ *http.Request) {
	text := "ok"
	if err := h.health(); err == errUnhealthy {
		text = "unknown"
	} else if err != nil {
		text = "behind"
	}
	rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
	rw.Header().Set("Cache-Control", "no-store")
	rw.Write([]byte(text))
}
