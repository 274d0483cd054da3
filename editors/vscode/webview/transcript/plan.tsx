// What is to be done with a plan that was presented: act on it, or go on talking about it in the composer.

import { useState } from "preact/hooks";
import type { Task } from "../../src/model/task";
import { Icon } from "../parts/icons";
import { asRequestError, request } from "../store";

const goAhead = "Go ahead with this plan.";

export function ActOnPlan({ task }: { task: Task }) {
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState("");
  const act = async (): Promise<void> => {
    setAsking(true);
    setProblem("");
    try {
      await request("clined/task/prompt", { taskId: task.info.taskId, prompt: [{ type: "text", text: goAhead }], mode: "act" });
    } catch (error) {
      setProblem(asRequestError(error).message);
    } finally {
      setAsking(false);
    }
  };
  return (
    <div class="plan" data-testid="plan">
      <button class="button" data-testid="act-on-plan" disabled={asking} onClick={() => void act()}>
        <Icon name="play" /> Act on this plan
      </button>
      <span class="quiet">or say below what should be different</span>
      {problem && (
        <p class="terminal-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
