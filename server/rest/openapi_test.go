package rest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/stakes/list"
)

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

// Every route is described and nothing else, with its parameters.
func TestRoutesAreDescribed(t *testing.T) {
	d := describedDocument(t)
	var described []string
	for path, item := range at(d, "paths").(map[string]any) {
		for method := range item.(map[string]any) {
			described = append(described, strings.ToUpper(method)+" "+path)
		}
	}
	if got, want := sorted(described), sorted(Routes()); !slices.Equal(got, want) {
		t.Fatalf("described are %v, want %v", got, want)
	}
	for _, rt := range routes() {
		operation := at(d, "paths", rt.path, strings.ToLower(rt.method)).(map[string]any)
		var query, path []string
		parameters, _ := operation["parameters"].([]any)
		for _, parameter := range parameters {
			p, err := d.deref(parameter)
			if err != nil {
				t.Fatal(err)
			}
			if p["description"] == "" || p["schema"] == nil || p["required"] != (p["in"] == "path") && p["in"] == "path" {
				t.Errorf("%s: %v", rt.pattern(), p)
			}
			if p["in"] == "query" {
				query = append(query, p["name"].(string))
			} else {
				path = append(path, "{"+p["name"].(string)+"}")
			}
		}
		if got, want := sorted(query), sorted(rt.params); !slices.Equal(got, want) {
			t.Errorf("%s: described are the parameters %v, want %v", rt.pattern(), got, want)
		}
		var want []string
		for part := range strings.SplitSeq(rt.path, "/") {
			if strings.HasPrefix(part, "{") {
				want = append(want, part)
			}
		}
		if !slices.Equal(path, want) {
			t.Errorf("%s: described are %v in the path", rt.pattern(), path)
		}
	}
}

// shapes are the types of answers by the names that they have in the description.
var shapes = map[string]any{
	"Status": Status{}, "Clock": ClockState{}, "Upstream": Upstream{}, "EpochSchedule": schedule.EpochSchedule{}, "Provenance": list.Provenance{},
	"EpochSummary": EpochSummary{}, "EpochList": EpochList{}, "Standing": Standing{}, "Standings": Standings{}, "Slot": SlotAnswer{},
	"EpochPresence": EpochPresence{}, "KeyPresence": KeyPresence{}, "Window": Window{}, "Ahead": Ahead{}, "Quiet": Quiet{},
	"StakesResult": StakesResult{}, "StakesAnswer": StakesAnswer{}, "Problem": Problem{},
}

// Every field of an answer is described and nothing else, with whether it may be
// null or left out.
func TestFieldsAreDescribed(t *testing.T) {
	d := describedDocument(t)
	schemas := at(d, "components", "schemas").(map[string]any)
	if got, want := slices.Sorted(maps.Keys(schemas)), slices.Sorted(maps.Keys(shapes)); !slices.Equal(got, want) {
		t.Fatalf("described are %v, want %v", got, want)
	}
	for name, shape := range shapes {
		schema := schemas[name].(map[string]any)
		var fields, required []string
		for field := range reflect.TypeOf(shape).Fields() {
			tag, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.IsExported() {
				continue
			}
			fields = append(fields, tag)
			optional := strings.Contains(options, "omitempty")
			if !optional {
				required = append(required, tag)
			}
			property := at(schema, "properties", tag)
			if property == nil {
				continue
			}
			// What is null passes where a pointer that is not left out may be nil.
			null := d.check(property, nil, "") == nil
			if want := field.Type.Kind() == reflect.Pointer && !optional; null != want {
				t.Errorf("%s.%s: null is described as %v, want %v", name, tag, null, want)
			}
		}
		if got := slices.Sorted(maps.Keys(schema["properties"].(map[string]any))); !slices.Equal(got, sorted(fields)) {
			t.Errorf("%s: described are %v, want %v", name, got, sorted(fields))
		}
		var got []string
		for _, field := range schema["required"].([]any) {
			got = append(got, field.(string))
		}
		if !slices.Equal(sorted(got), sorted(required)) {
			t.Errorf("%s: required are %v, want %v", name, sorted(got), sorted(required))
		}
		if schema["additionalProperties"] != false || schema["description"] == "" {
			t.Errorf("%s: %v", name, schema["additionalProperties"])
		}
	}
}

func texts(v any) (all []string) {
	for _, text := range v.([]any) {
		if text != nil {
			all = append(all, text.(string))
		}
	}
	return sorted(all)
}

func TestNamesAreDescribed(t *testing.T) {
	d := describedDocument(t)
	if got := texts(at(d, "components", "schemas", "Problem", "properties", "type", "enum")); !slices.Equal(got, sorted(ProblemTypes())) {
		t.Errorf("types of problems: %v", got)
	}
	var kinds []string
	for _, kind := range epochs.Kinds() {
		kinds = append(kinds, string(kind))
	}
	for _, p := range at(d, "paths", "/v1/epochs/{epoch}/schedule", "get", "parameters").([]any) {
		if at(p, "name") == "format" {
			if got := texts(at(p, "schema", "enum")); !slices.Equal(got, sorted(kinds)) {
				t.Errorf("formats: %v, want %v", got, kinds)
			}
		}
	}
	media := at(d, "paths", "/v1/epochs/{epoch}/schedule", "get", "responses", "200", "content").(map[string]any)
	for _, kind := range epochs.Kinds() {
		if media[bare(kind.ContentType())] == nil {
			t.Errorf("%s is not described", kind.ContentType())
		}
	}
	if strings.Contains(string(OpenAPI()), `":null`) {
		t.Error("something is null")
	}
}

// A described checks answers against the description.
type described struct {
	t    testing.TB
	d    document
	seen map[string]bool // "GET /v1/status 200"
}

func (d *described) answer(method, target string, w *httptest.ResponseRecorder) {
	d.t.Helper()
	path, _, _ := strings.Cut(target, "?")
	for _, rt := range routes() {
		if rt.method != method || !fitsPath(rt.path, path) {
			continue
		}
		code := strconv.Itoa(w.Code)
		d.seen[rt.pattern()+" "+code] = true
		response, err := d.d.deref(at(d.d, "paths", rt.path, strings.ToLower(method), "responses", code))
		if err != nil {
			d.t.Errorf("%s %s: %d is not described: %s", method, target, w.Code, w.Body)
			return
		}
		d.headers(target, response, w)
		d.body(target, response, w)
		return
	}
	d.t.Errorf("%s %s is not described", method, target)
}

func fitsPath(pattern, path string) bool {
	a, b := strings.Split(pattern, "/"), strings.Split(path, "/")
	return slices.EqualFunc(a, b, func(a, b string) bool { return a == b || strings.HasPrefix(a, "{") })
}

func (d *described) headers(target string, response map[string]any, w *httptest.ResponseRecorder) {
	headers, _ := response["headers"].(map[string]any)
	for _, name := range []string{"ETag", "Content-Location", "Content-Disposition", "Location", "Cache-Control"} {
		value := w.Header().Get(name)
		if value == "" {
			continue
		}
		if headers[name] == nil {
			if name != "Cache-Control" && name != "Content-Location" {
				d.t.Errorf("%s: header %s is not described", target, name)
			}
			continue
		}
		header, err := d.d.deref(headers[name])
		if err == nil {
			err = d.d.check(header["schema"], value, name)
		}
		if err != nil {
			d.t.Errorf("%s: %v", target, err)
		}
	}
}

func (d *described) body(target string, response map[string]any, w *httptest.ResponseRecorder) {
	content, _ := response["content"].(map[string]any)
	if content == nil {
		if w.Body.Len() > 0 {
			d.t.Errorf("%s: a body is not described: %s", target, w.Body)
		}
		return
	}
	mediaType := bare(w.Header().Get("Content-Type"))
	media, ok := content[mediaType].(map[string]any)
	if !ok {
		d.t.Errorf("%s: %s is not described", target, mediaType)
		return
	}
	if !strings.HasSuffix(mediaType, "json") {
		return
	}
	var v any
	if err := json.Unmarshal([]byte(plainBody(d.t, w)), &v); err != nil {
		d.t.Errorf("%s: %v", target, err)
		return
	}
	if err := d.d.check(media["schema"], v, ""); err != nil {
		d.t.Errorf("%s: %v in %.2000s", target, err, w.Body)
	}
}

// Answers are as the description says, those with everything and those without.
func TestAnswersAreDescribed(t *testing.T) {
	d := &described{t, describedDocument(t), map[string]bool{}}
	full := newService(t, func(c *Config) {
		digest, equal := strings.Repeat("0a", 32), true
		c.Upstream = func() *Upstream { return &Upstream{"node", 5, &digest, &digest, &equal} }
	})
	hash, slot := schedule.Pubkey{1}, schedule.Slot(7)
	l := made(7, 1, 12)
	l.Provenance.Slot, l.Provenance.Reason, l.Provenance.GenesisHash = &slot, "as a test wants", &hash
	l.Provenance.Cluster = "a test/net"
	es := full.registry.EpochSchedule()
	l.Provenance.EpochSchedule = &es
	mustPut(t, full.registry, l)
	unclocked := newService(t, func(c *Config) { c.Clock = nil })
	empty, err := epochs.New(epochs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	identity, votes := subjects(full)
	targets := []string{"/v1/status", "/v1/epochs", "/v1/openapi.json", "/v1/status?x=1", "/v1/epochs?x=1", "/v1/openapi.json?x"}
	for _, epoch := range []string{"5", "7", "9", "x", "current", "previous"} {
		for _, after := range []string{"", "/leaders", "/leaders?limit=1", "/schedule", "/schedule?format=text&download=1", "/schedule?format=csv",
			"/schedule?format=parquet", "/schedule?format=epoch-new", "/schedule?format=digest", "/schedule?from=1", "/schedule?from=1100"} {
			targets = append(targets, "/v1/epochs/"+epoch+after)
		}
	}
	for _, key := range []string{identity.String(), votes[0].String(), absent.String(), "x"} {
		for _, after := range []string{"", "?firstEpoch=3", "?lastEpoch=1&firstEpoch=2", "/next", "/next?from=1010&n=70", "/next?n=0", "/next?from=99999",
			"/windows", "/windows?min=1s&from=808", "/windows?from=99999", "/windows?min=x"} {
			targets = append(targets, "/v1/leaders/"+key+after)
		}
	}
	for _, slot := range []string{"0", "1060", "x"} {
		targets = append(targets, "/v1/slots/"+slot)
	}
	for _, s := range []*service{full, unclocked, serviceOf(t, empty)} {
		for _, target := range targets {
			for _, header := range [][]string{nil, {"Accept-Encoding", "gzip"}, {"If-None-Match", "*"}, {"Accept", "no/thing"}} {
				d.answer("GET", target, s.get(target, header...))
			}
		}
	}
	d.posts(full)
	d.broken()
	for _, rt := range routes() {
		for code := range at(d.d, "paths", rt.path, strings.ToLower(rt.method), "responses").(map[string]any) {
			if !d.seen[rt.pattern()+" "+code] {
				t.Errorf("%s is described to answer %s, and never did", rt.pattern(), code)
			}
		}
	}
}

func (d *described) posts(s *service) {
	for _, body := range []string{ownForm(d.t, made(8, 1, 3)), ownForm(d.t, made(8, 1, 3)), ownForm(d.t, made(8, 2, 3)), "nonsense"} {
		d.answer("POST", "/v1/stakes", s.post("", body))
	}
	body := ownForm(d.t, made(8, 1, 3))
	d.answer("POST", "/v1/stakes", s.post("?epoch=x", body))
	d.answer("POST", "/v1/stakes", s.do("POST", "/v1/stakes", body))
	d.answer("POST", "/v1/stakes", s.post("", body, "Accept", "no/thing"))
	d.answer("POST", "/v1/stakes", s.post("", body, "Content-Encoding", "br"))
	d.answer("POST", "/v1/stakes", newService(d.t, func(c *Config) { c.Token = "" }).post("", body))
	d.answer("POST", "/v1/stakes", newService(d.t, func(c *Config) { c.MaxBody = 1 }).post("", body))
	for _, err := range putErrors {
		s.handler.c.Epochs = failing{s.registry, func(*list.List) error { return err }}
		d.answer("POST", "/v1/stakes", s.post("", body))
	}
}

// unreadable fails where an epoch is asked for.
type unreadable struct{ *epochs.Registry }

var errDisk = fmt.Errorf("disk /dev/secret is gone")

func (unreadable) Epoch(uint64) (*epochs.Epoch, error) { return nil, errDisk }

func (u unreadable) Held() []epochs.Summary {
	held := u.Registry.Held()
	for i := range held {
		held[i].Err = errDisk
	}
	return held
}

func (u unreadable) Summary(n uint64) (epochs.Summary, bool) {
	s, ok := u.Registry.Summary(n)
	s.Err = errDisk
	return s, ok
}

// bookless fails where a book is asked for.
type bookless struct{ *epochs.Registry }

func (bookless) Book(uint64, uint64) (*leaders.Book, error) { return nil, errDisk }

// broken asks a service whose epochs cannot be read.
func (d *described) broken() {
	s := newService(d.t)
	s.handler.c.Epochs = unreadable{s.registry}
	for _, target := range []string{"/v1/epochs/5", "/v1/epochs/5/schedule", "/v1/epochs/5/leaders", "/v1/slots/1060"} {
		w := s.get(target)
		mustRefuse(d.t, target, w, http.StatusInternalServerError, "epoch-unreadable")
		d.answer("GET", target, w)
	}
	w := s.get("/v1/epochs")
	d.answer("GET", "/v1/epochs", w)
	if got := parsed[EpochList](d.t, w).Epochs[0]; got.Unreadable == nil || got.Provenance != nil || got.Digest != nil {
		d.t.Errorf("%+v", got)
	}
	if got := ask[Status](s, "/v1/status"); got.Ready || len(got.Held) > 0 {
		d.t.Errorf("nothing can be read: %+v", got)
	}
	s.handler.c.Epochs = bookless{s.registry}
	for _, after := range []string{"", "/next", "/windows"} {
		target := "/v1/leaders/" + absent.String() + after
		w := s.get(target)
		mustRefuse(d.t, target, w, http.StatusInternalServerError, "internal")
		d.answer("GET", target, w)
	}
	if !strings.Contains(s.log.String(), "secret") {
		d.t.Error("what failed is not logged")
	}
}
