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
	err := server.Main(ctx, os.Args[1:])
	stop()
	switch {
	case errors.Is(err, flag.ErrHelp): // it has said what is wrong
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "weather:", err)
		os.Exit(1)
	}
}
