import { render } from "preact";

render(<main data-testid="chat" />, document.body);
