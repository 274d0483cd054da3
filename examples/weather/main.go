// Command weather is an MCP server for the weather in the United States, on
// stdio or, on loopback, over SSE or streamable HTTP. It is clined's example
// of a server and the one its demo talks to.
//
// Forecasts come from the National Weather Service, or from recorded data
// where the network shall not be asked.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"clined/examples/weather/server"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "weather:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("weather", flag.ContinueOnError)
	recorded := flags.Bool("recorded", false, "answer from the built-in recording instead of the network")
	data := flags.String("data", "", "answer from the recording in `file` instead of the network")
	api := flags.String("api", server.DefaultAPI, "`URL` of the National Weather Service API")
	sse := flags.String("sse", "", "serve SSE on the loopback `address`, such as 127.0.0.1:8931")
	http := flags.String("http", "", "serve streamable HTTP on the loopback `address`")
	if err := flags.Parse(args); err != nil {
		return flag.ErrHelp // flags has said what is wrong
	}
	if flags.NArg() > 0 || *sse != "" && *http != "" || *recorded && *data != "" {
		fmt.Fprintln(flags.Output(), "weather takes flags only, and one of -sse and -http, one of -recorded and -data")
		flags.Usage()
		return flag.ErrHelp
	}

	source, err := open(*recorded, *data, *api)
	if err != nil {
		return err
	}
	weather := server.New(source)
	switch {
	case *sse != "":
		return server.ServeSSE(ctx, weather, *sse, os.Stderr)
	case *http != "":
		return server.ServeHTTP(ctx, weather, *http, os.Stderr)
	}
	return server.ServeStdio(ctx, weather, os.Stdin, os.Stdout)
}

func open(recorded bool, file, api string) (server.Source, error) {
	switch {
	case recorded:
		return server.Recorded()
	case file != "":
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		return server.ParseRecording(data)
	}
	return server.NewNWS(api), nil
}
