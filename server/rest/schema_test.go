package rest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A document is the description, as JSON.
type document map[string]any

func describedDocument(t testing.TB) document {
	t.Helper()
	var d document
	if err := json.Unmarshal(OpenAPI(), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// at returns what is under names, one below the other.
func at(v any, names ...string) any {
	for _, name := range names {
		if d, ok := v.(document); ok {
			v = map[string]any(d)
		}
		v = v.(map[string]any)[name]
	}
	return v
}

// deref follows a $ref.
func (d document) deref(v any) (map[string]any, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("no object: %v", v)
	}
	ref, ok := m["$ref"].(string)
	if !ok {
		return m, nil
	}
	var found any = map[string]any(d)
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		below, ok := found.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s leads nowhere", ref)
		}
		found = below[name]
	}
	return d.deref(found)
}

// check reports what in a value is not as its schema says. It knows those keywords
// of JSON Schema that the description has, and fails on others.
func (d document) check(schema, value any, path string) error {
	s, err := d.deref(schema)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for keyword, want := range s {
		if err := d.keyword(keyword, want, s, value, path); err != nil {
			return fmt.Errorf("%s: %s: %w", path, keyword, err)
		}
	}
	return nil
}

func (d document) keyword(keyword string, want any, schema map[string]any, value any, path string) error {
	switch keyword {
	case "description", "style", "explode", "contentEncoding", "maxItems":
		return nil
	case "type":
		types, ok := want.([]any)
		if !ok {
			types = []any{want}
		}
		if !slices.ContainsFunc(types, func(t any) bool { return isType(t.(string), value) }) {
			return fmt.Errorf("%v is not %v", value, want)
		}
	case "enum":
		if !slices.ContainsFunc(want.([]any), func(v any) bool { return reflect.DeepEqual(v, value) }) {
			return fmt.Errorf("%v is none of %v", value, want)
		}
	case "oneOf":
		fits := 0
		var last error
		for _, option := range want.([]any) {
			if err := d.check(option, value, path); err == nil {
				fits++
			} else {
				last = err
			}
		}
		if fits != 1 {
			return fmt.Errorf("%d fit, %w", fits, last)
		}
	case "pattern", "format":
		text, ok := value.(string)
		switch {
		case !ok: // holds for texts only
		case keyword == "format" && want != "date-time":
			return fmt.Errorf("unknown format %v", want)
		case keyword == "format":
			if at, err := time.Parse(timeLayout, text); err != nil || at.Location() != time.UTC {
				return fmt.Errorf("%q is no time", text)
			}
		case !regexp.MustCompile(want.(string)).MatchString(text):
			return fmt.Errorf("%q does not match %s", text, want)
		}
	case "minimum":
		if n, ok := value.(float64); ok && n < want.(float64) {
			return fmt.Errorf("%v is less than %v", n, want)
		}
	case "maximum":
		if n, ok := value.(float64); ok && n > want.(float64) {
			return fmt.Errorf("%v is greater than %v", n, want)
		}
	case "items":
		elements, _ := value.([]any)
		for i, element := range elements {
			if err := d.check(want, element, fmt.Sprintf("%s/%d", path, i)); err != nil {
				return err
			}
		}
	case "properties":
		object, _ := value.(map[string]any)
		for name, property := range want.(map[string]any) {
			if v, ok := object[name]; ok {
				if err := d.check(property, v, path+"/"+name); err != nil {
					return err
				}
			}
		}
	case "required":
		if object, ok := value.(map[string]any); ok {
			for _, name := range want.([]any) {
				if _, ok := object[name.(string)]; !ok {
					return fmt.Errorf("%s is missing", name)
				}
			}
		}
	case "additionalProperties":
		if want != false {
			return fmt.Errorf("want false")
		}
		object, _ := value.(map[string]any)
		for name := range object {
			if at(schema, "properties", name) == nil {
				return fmt.Errorf("%s is not described", name)
			}
		}
	default:
		return fmt.Errorf("unknown keyword")
	}
	return nil
}

func isType(name string, value any) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case float64:
		return name == "number" || name == "integer" && v == math.Trunc(v)
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	}
	return false
}

// The checker finds each kind of mistake.
func TestChecker(t *testing.T) {
	var d document
	const text = `{"s": {"type": "object", "properties": {"n": {"type": ["integer", "null"], "minimum": 1, "maximum": 9},
		"t": {"type": "string", "format": "date-time"}, "a": {"type": "array", "items": {"$ref": "#/e"}}, "x": {"oneOf": [{"$ref": "#/e"}, {"type": "null"}]},
		"p": {"pattern": "^a+$"}}, "required": ["n"], "additionalProperties": false}, "e": {"enum": ["b", "c"]}, "bad": {"type": "object", "minProperties": 1}}`
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]bool{
		`{"n": 1}`: true, `{"n": null}`: true, `{"n": 9, "a": ["b", "c"], "x": null, "p": "aa", "t": "2026-10-08T12:00:00.000Z"}`: true, `{"n": 1, "x": "b"}`: true,
		`{}`: false, `[]`: false, `{"n": 0}`: false, `{"n": 10}`: false, `{"n": 1.5}`: false, `{"n": "1"}`: false, `{"n": 1, "m": 1}`: false,
		`{"n": 1, "a": ["b", "d"]}`: false, `{"n": 1, "a": "b"}`: false, `{"n": 1, "x": "d"}`: false, `{"n": 1, "p": "ab"}`: false,
		`{"n": 1, "t": "2026-10-08 12:00"}`: false, `{"n": 1, "t": "2026-10-08T12:00:00Z"}`: false,
	} {
		var v any
		if err := json.Unmarshal([]byte(value), &v); err != nil {
			t.Fatal(err)
		}
		if err := d.check(d["s"], v, ""); (err == nil) != want {
			t.Errorf("%s: %v", value, err)
		}
	}
	if d.check(d["bad"], map[string]any{}, "") == nil || d.check(map[string]any{"$ref": "#/none/at/all"}, nil, "") == nil {
		t.Error("an unknown keyword or name passed")
	}
}

// All names that the description refers to are there, and nothing is there for none.
func TestReferences(t *testing.T) {
	d := describedDocument(t)
	used := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				used[ref] = true
				if _, err := d.deref(v); err != nil {
					t.Error(err)
				}
			}
			for _, below := range v {
				walk(below)
			}
		case []any:
			for _, below := range v {
				walk(below)
			}
		}
	}
	walk(map[string]any(d))
	for _, kind := range []string{"schemas", "parameters", "headers", "responses"} {
		for name := range maps.Keys(at(d, "components", kind).(map[string]any)) {
			if ref := "#/components/" + kind + "/" + name; !used[ref] {
				t.Errorf("%s is not used", ref)
			}
		}
	}
}
