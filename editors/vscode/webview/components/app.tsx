// The layout of the view: which page is shown, and where its parts stand. Each part is a component of its own file.

import { daemon, page, ready, taskId } from "../store";
import { Approvals } from "./approval";
import { Asks } from "./ask";
import { Checklist } from "./checklist";
import { Composer } from "./composer";
import { Header } from "./header";
import { History } from "./history";
import { NewTask } from "./new-task";
import { Problem } from "./problem";
import { Setup } from "./setup";
import { Transcript } from "./transcript";

export function App() {
  if (!ready.value) return <main class="app" aria-busy="true" data-testid="chat" />;
  return (
    <main class="app" data-testid="chat" data-page={page.value}>
      {page.value === "chat" && <Chat />}
      {page.value === "history" && <History />}
      {page.value === "setup" && <Setup />}
    </main>
  );
}

function Chat() {
  return (
    <>
      <Header />
      {daemon.value.kind === "failed" && <Problem problem={daemon.value} />}
      {taskId.value ? <Transcript /> : <NewTask />}
      <footer class="app-foot">
        <Approvals />
        <Asks />
        <Checklist />
        <Composer />
      </footer>
    </>
  );
}
