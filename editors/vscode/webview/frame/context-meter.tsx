// How full the model's context is, as a ring; pressed, it tells the tokens and what they cost.

import { task } from "../store";
import { short, usedShare } from "../parts/words";
import { Popover } from "../parts/popover";

const radius = 6;
const around = 2 * Math.PI * radius;

export function ContextMeter() {
  const usage = task.value?.usage;
  if (!usage) return null;
  const share = usedShare(usage);
  const percent = `${Math.round(share * 100)} %`;
  const level = share >= 0.9 ? "high" : share >= 0.7 ? "raised" : "low";
  const say = usage.size > 0 ? `Context: ${percent} of ${short(usage.size)} tokens` : `Context: ${short(usage.used)} tokens`;
  return (
    <div class="meter" data-level={level}>
      <Popover button={<Ring share={share} />} label={say} tooltip={say} class="icon-button meter-button" testid="context-meter">
        {() => (
          <div class="meter-panel" tabindex={0}>
            <dl>
              <Line name="Context" value={usage.size > 0 ? `${short(usage.used)} of ${short(usage.size)} (${percent})` : short(usage.used)} />
              <Line name="Read" value={short(usage.tokensIn + usage.cacheRead + usage.cacheWrite)} />
              {usage.cacheRead > 0 && <Line name="of it from the cache" value={short(usage.cacheRead)} minor />}
              <Line name="Written" value={short(usage.tokensOut)} />
              {usage.cost !== undefined && usage.cost > 0 && <Line name="Cost" value={money(usage.cost)} />}
            </dl>
            <p class="quiet">
              {usage.estimated ? "Tokens, estimated: the provider does not tell. " : "Tokens. "}The context is what the last request held, the rest is the task's total.
            </p>
          </div>
        )}
      </Popover>
    </div>
  );
}

function Line({ name, value, minor }: { name: string; value: string; minor?: boolean }) {
  return (
    <div class={minor ? "meter-line meter-minor" : "meter-line"}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Ring({ share }: { share: number }) {
  return (
    <svg class="icon meter-ring" viewBox="0 0 16 16" aria-hidden="true">
      <circle class="meter-ground" cx="8" cy="8" r={radius} />
      <circle class="meter-used" cx="8" cy="8" r={radius} stroke-dasharray={`${share * around} ${around}`} transform="rotate(-90 8 8)" />
    </svg>
  );
}

function money(dollars: number): string {
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : 2)}`;
}
