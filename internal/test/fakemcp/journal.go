package fakemcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
)

// Journal is what a server wrote down: see Script.Journal.
type Journal struct {
	// Starts are the process ids of all starts, in order.
	Starts []int
	// Complaints are breaches of the protocol by the client.
	Complaints []string
	// Messages are what the client sent, in order.
	Messages []Message
}

// Message is a request or notification of the client.
type Message struct {
	Method string
	Params json.RawMessage
}

// ReadJournal reads a journal; one that does not exist yet is empty.
func ReadJournal(path string) Journal {
	var j Journal
	data, err := os.ReadFile(path)
	if err != nil {
		return j
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var entry struct {
			Message
			Started   int
			Complaint string
		}
		switch err := json.Unmarshal(lines.Bytes(), &entry); {
		case err != nil:
			j.Complaints = append(j.Complaints, "not JSON: "+lines.Text())
		case entry.Started != 0:
			j.Starts = append(j.Starts, entry.Started)
		case entry.Complaint != "":
			j.Complaints = append(j.Complaints, entry.Complaint)
		default:
			j.Messages = append(j.Messages, entry.Message)
		}
	}
	return j
}

// Params returns the parameters of all messages with the method.
func (j Journal) Params(method string) []json.RawMessage {
	var list []json.RawMessage
	for _, m := range j.Messages {
		if m.Method == method {
			list = append(list, m.Params)
		}
	}
	return list
}
