package jsonrpc

// A request is one call. Its parts are nil where they are not there.
type request struct {
	id      value // string, number or null, byte for byte; nil for a notification
	method  string
	params  value     // array, object or null
	problem *rpcError // why it is none
}

var null = value("null")

// readRequest takes a request apart. A name that is there twice makes it invalid,
// one that is not known does not.
func readRequest(v value) (q request) {
	if !v.is('{') {
		return request{id: null, problem: errInvalidRequest}
	}
	var version, method value
	for w := v.over(); ; {
		name, element, ok := w.next()
		if !ok {
			break
		}
		var field *value
		switch name.text() {
		case "jsonrpc":
			field = &version
		case "id":
			field = &q.id
		case "method":
			field = &method
		case "params":
			field = &q.params
		default:
			continue
		}
		if *field != nil {
			q.problem = errInvalidRequest
		}
		*field = element
	}
	if q.id.is('{') || q.id.is('[') || q.id.is('t') || q.id.is('f') {
		q.id, q.problem = null, errInvalidRequest
	}
	switch {
	case q.problem != nil:
	case !method.is('"'):
		q.problem = errInvalidRequest
	case !q.params.null() && !q.params.is('[') && !q.params.is('{'):
		q.problem = errInvalidRequest
	case !version.null() && (!version.is('"') || version.text() != "2.0"):
		q.problem = errInvalidRequest
	case version.null() && q.id != nil:
		q.problem = errVersion
	}
	if method.is('"') {
		q.method = method.text()
	}
	if q.problem != nil && q.id == nil { // the client is to hear of it
		q.id = null
	}
	return q
}
