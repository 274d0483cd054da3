// The layout of the view: which page is shown, and where its parts stand. Each part is a component of its own file.

import { daemon, page, ready, taskId } from "../store";
import { Header } from "./header";
import { NewTask } from "./new-task";
import { Problem } from "./problem";
import { Transcript } from "./transcript";

export function App() {
  if (!ready.value) return <main class="app" aria-busy="true" data-testid="chat" />;
  return (
    <main class="app" data-testid="chat" data-page={page.value}>
      {page.value === "chat" && <Chat />}
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
        {/* what waits for a decision, the checklist, the composer: in this order */}
      </footer>
    </>
  );
}
