package server

import (
	"context"
	"flag"
	"fmt"
	"os"
)

// Main runs the server with the command line of the program weather until ctx
// or its input ends. The error is flag.ErrHelp once the usage was shown.
func Main(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("weather", flag.ContinueOnError)
	recorded := flags.Bool("recorded", false, "answer from the built-in recording instead of the network")
	data := flags.String("data", "", "answer from the recording in `file` instead of the network")
	api := flags.String("api", DefaultAPI, "`URL` of the National Weather Service API")
	sse := flags.String("sse", "", "serve SSE on the loopback `address`, such as 127.0.0.1:8931")
	httpAddr := flags.String("http", "", "serve streamable HTTP on the loopback `address`")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp // flags has said what is wrong
	}
	if flags.NArg() > 0 || *sse != "" && *httpAddr != "" || *recorded && *data != "" {
		fmt.Fprintln(flags.Output(), "weather takes flags only, and one of -sse and -http, one of -recorded and -data")
		flags.Usage()
		return flag.ErrHelp
	}

	source, err := open(*recorded, *data, *api)
	if err != nil {
		return err
	}
	weather := New(source)
	switch {
	case *sse != "":
		return ServeSSE(ctx, weather, *sse, os.Stderr)
	case *httpAddr != "":
		return ServeHTTP(ctx, weather, *httpAddr, os.Stderr)
	}
	return ServeStdio(ctx, weather, os.Stdin, os.Stdout)
}

func open(recorded bool, file, api string) (Source, error) {
	switch {
	case recorded:
		return Recorded()
	case file != "":
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		return ParseRecording(data)
	}
	return NewNWS(api), nil
}
