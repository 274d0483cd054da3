package protocol

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"clined/internal/event"
)

var update = flag.Bool("update", false, "write the golden files")

func TestSchemaGolden(t *testing.T) {
	got, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := Schema(); !bytes.Equal(got, again) {
		t.Error("two runs differ")
	}
	golden := filepath.Join("testdata", "schema.json")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the wire changed; look at it, then run: go test ./internal/protocol -run TestSchemaGolden -update")
	}
}

// No two types share a name, or one would hide the other in $defs.
func TestSchemaNamesAreUnique(t *testing.T) {
	seen := map[string]reflect.Type{}
	var walk func(reflect.Type)
	walk = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(typ.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if typ.Name() != "" {
			if other := seen[typeName(typ)]; other == typ {
				return
			} else if other != nil {
				t.Errorf("%v and %v are both %s", typ, other, typeName(typ))
			}
			seen[typeName(typ)] = typ
		}
		for i := range typ.NumField() {
			walk(typ.Field(i).Type)
		}
	}
	for _, m := range append(ServerMethods(), ClientMethods()...) {
		walk(m.Params)
		if m.Result != nil {
			walk(m.Result)
		}
	}
	for _, e := range event.All() {
		walk(reflect.TypeOf(e))
	}
}

// What we write is what the schema says, checked by a validator of another make.
func TestSchemaValidatesWhatWeWrite(t *testing.T) {
	text, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	var doc jsonschema.Schema
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	check := func(def, body string) error {
		schema, err := (&jsonschema.Schema{Defs: doc.Defs, Ref: "#/$defs/" + def}).Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal([]byte(body), &v); err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	for _, e := range event.All() {
		b, err := json.Marshal(TaskEventParams{TaskID: "t", Seq: 1, Ts: "x", Event: event.Envelope{Event: filled(e)}})
		if err != nil {
			t.Fatal(err)
		}
		if err := check("TaskEventParams", string(b)); err != nil {
			t.Errorf("%s: %v", b, err)
		}
	}
	if check("TaskEventParams", `{"taskId":"t","seq":1,"ts":"x","event":{"type":"none"}}`) == nil {
		t.Error("an event of no type is valid")
	}
	if check("TaskPromptParams", `{"prompt":[]}`) == nil {
		t.Error("a prompt without its task is valid")
	}
}

// filled gives e's slices a value, as a daemon always sends arrays.
func filled(e event.Event) event.Event {
	v := reflect.New(reflect.TypeOf(e)).Elem()
	v.Set(reflect.ValueOf(e))
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice {
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		}
	}
	return v.Interface().(event.Event)
}
