package fakellm

import (
	"encoding/json"
	"io"
	"net/http"
)

// maxScript bounds a script that comes by HTTP, in bytes.
const maxScript = 1 << 20

// control adds what tests use that are written in other languages; it lies beside
// /v1, where no client of the model comes:
//
//	GET /requests              the bodies of the requests so far, a JSON array
//	GET /held?name=NAME        answers once a reply waits at "hold NAME"
//	POST /release?name=NAME    see Release
//	POST /script               appends the replies of the script in the body
//	POST /dismiss              see Dismiss
//
// All but the first answer with 204, or 400 and a sentence.
func (s *Server) control(mux *http.ServeMux) {
	mux.HandleFunc("GET /requests", func(w http.ResponseWriter, _ *http.Request) {
		bodies := []json.RawMessage{}
		for _, r := range s.Requests() {
			raw := json.RawMessage(r.Raw)
			if !json.Valid(raw) {
				raw = json.RawMessage("null") // which was complained of when it came
			}
			bodies = append(bodies, raw)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(bodies) // the client went
	})
	mux.HandleFunc("GET /held", named(func(w http.ResponseWriter, r *http.Request, name string) {
		select {
		case <-s.signal(name).reached:
			w.WriteHeader(http.StatusNoContent)
		case <-r.Context().Done():
		case <-s.closing:
		}
	}))
	mux.HandleFunc("POST /release", named(func(w http.ResponseWriter, _ *http.Request, name string) {
		s.Release(name)
		w.WriteHeader(http.StatusNoContent)
	}))
	mux.HandleFunc("POST /script", func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxScript))
		var replies []Reply
		if err == nil {
			replies, err = Parse(string(text))
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.append(replies)
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("POST /dismiss", func(w http.ResponseWriter, _ *http.Request) {
		s.Dismiss()
		w.WriteHeader(http.StatusNoContent)
	})
}

func named(f func(http.ResponseWriter, *http.Request, string)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		name := r.URL.Query().Get("name")
		if name == "" {
			http.Error(w, "name is missing", http.StatusBadRequest)
			return
		}
		f(w, r, name)
	}
}
