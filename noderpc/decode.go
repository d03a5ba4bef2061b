package noderpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// wanted says in the field's words what a value should have been.
func wanted(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Float32, reflect.Float64:
		return "a number"
	case reflect.Array:
		return "a key in base58"
	case reflect.Slice:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "a whole number"
	}
	return fmt.Sprintf("a whole number of at most %d", uint64(math.MaxUint64))
}

// article puts one before what encoding/json calls a value: a kind, and with a
// number that does not fit the number itself.
func article(value string) string {
	switch value {
	case "string", "number":
		return "a " + value
	case "array", "object":
		return "an " + value
	case "bool":
		return "true or false"
	}
	if strings.HasPrefix(value, "number ") {
		return "the " + value
	}
	return value
}

// elements decodes the elements of an array one by one, so that an error says
// which of them is wrong.
func elements[T any](where string, array []json.RawMessage) ([]T, error) {
	all := make([]T, len(array))
	for i, text := range array {
		err := json.Unmarshal(text, &all[i])
		var kind *json.UnmarshalTypeError
		switch at := fmt.Sprintf("%s[%d]", where, i); {
		case err == nil:
		case errors.As(err, &kind) && kind.Field != "":
			kind.Field = at + "." + kind.Field
			return nil, jsonError(kind)
		case errors.As(err, &kind):
			kind.Field = at
			return nil, jsonError(kind)
		default:
			return nil, replyError("%s: %v", at, err)
		}
	}
	return all, nil
}

// jsonError says in one line what encoding/json does not like.
func jsonError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return replyError("it is no JSON: %v at byte %d", syntax, syntax.Offset)
	case errors.As(err, &kind):
		field := kind.Field
		if field == "" {
			field = "the result"
		}
		return replyError("%s is %s, want %s", field, article(printable(kind.Value)), wanted(kind.Type))
	case errors.Is(err, ErrReply):
		return err
	}
	return fmt.Errorf("%w: %w", ErrReply, err)
}
