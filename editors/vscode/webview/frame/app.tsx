// The layout of the view: which page is shown, and where its parts stand. Each part is a component of its own file.

import { daemon, page, ready, taskId } from "../store";
import { Announcer } from "./announcer";
import { Approvals } from "../decisions/approval";
import { Asks } from "../decisions/ask";
import { Checklist } from "../checklist/checklist";
import { Composer } from "../composer/composer";
import { Header } from "./header";
import { lazy } from "../parts/lazy";
import { NewTask } from "../transcript/new-task";
import { Problem } from "../parts/problem";
import { StatusLine } from "./status-line";
import { TerminalStrip } from "../calls/terminal-strip";
import { Transcript } from "../transcript/transcript";

const History = lazy(() => import("../history/history").then((m) => m.History));
const Setup = lazy(() => import("../setup/setup").then((m) => m.Setup));

export function App() {
  return (
    <main class="app" data-testid="chat" data-page={page.value} aria-busy={!ready.value || undefined}>
      {ready.value && <Page />}
      <Announcer />
    </main>
  );
}

function Page() {
  switch (page.value) {
    case "history":
      return <History />;
    case "setup":
      return <Setup />;
    case "chat":
      return <Chat />;
  }
}

function Chat() {
  return (
    <>
      {taskId.value && <Header />}
      {daemon.value.kind === "failed" && <Problem problem={daemon.value} />}
      {taskId.value ? <Transcript /> : <NewTask />}
      <footer class="app-foot">
        <StatusLine />
        <Approvals />
        <Asks />
        <TerminalStrip />
        <Checklist />
        <Composer />
      </footer>
    </>
  );
}
