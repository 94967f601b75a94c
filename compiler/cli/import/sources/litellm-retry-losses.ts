import type { Draft } from '../draft/draft.ts';
import type { SourceObject } from '../draft/read-source.ts';
import { type Attempts, drawnAttempts, wantedDraws } from './litellm-retries.ts';
import type { Settings } from './litellm-settings.ts';
import type { Deployment } from './litellm-target.ts';

/** Balances that choose by measurement. Here each choice is a target together with those that are called if it fails. */
const measuring: ReadonlySet<string> = new Set(['latency', 'least-busy', 'headroom']);

/** The deployments of a model that are called at the same step. */
interface Step {
  readonly model: string;
  readonly size: number;
  readonly isAlone: boolean;
}

const toSteps = ([model, deployments]: readonly [string, readonly Deployment[]]): readonly Step[] => {
  const steps = [...Map.groupBy(deployments, ({ order }) => order).values()];
  return steps.map(({ length }) => ({ model, size: length, isAlone: steps.length === 1 }));
};

interface RetryContext {
  readonly settings: Settings;
  readonly source: SourceObject;
  readonly draft: Draft;
}

const otherFirst =
  'To ask another target first, write a fallback in the place of a target, with the target and another one: { "retry": { "attempts": 0 }, "strategy": { "mode": "fallback" }, "targets": [{ … }, { … }] }, as docs/recipes/two-azure-deployments.md has it.';

/**
 * Returns why a retry goes to the target that failed, and what to do; undefined if another target is called as often as there.
 */
const lostDraw = ({ model, size, isAlone }: Step, attempts: Attempts): readonly [string, string] | undefined => {
  const [drawn, wanted] = [drawnAttempts(size, attempts), wantedDraws(size, attempts)];
  if (drawn === 0 && wanted > 0)
    return [
      `A retry asks the target of "${model}" that failed once more, and not another one of its ${size} targets: a config with each of them before the others would have ${size * size}.`,
      `While it is down, requests drawn to it go on to the fallbacks of the model. ${otherFirst}`,
    ];
  if (drawn < wanted)
    return [
      `The first retry of "${model}" asks another one of its ${size} targets, and those after it ask the same one again.`,
      'While two of them are down, some requests go on to the fallbacks of the model. Nothing is to be done where that is seldom.',
    ];
  if (size === 1 && !isAlone)
    return [
      `A retry asks the target of "${model}" that failed once more, before those of a higher "order".`,
      'Where it should go on at once, write "retry": { "attempts": 0 } in the target.',
    ];
  return undefined;
};

/** Notes how retries differ: the other gateway draws a target anew for each (https://docs.litellm.ai/docs/routing). */
export const loseRetries = (
  groups: ReadonlyMap<string, readonly Deployment[]>,
  { settings: { attempts, ofGroups, ofSeveral }, source, draft }: RetryContext,
): void => {
  if (attempts.retries === 0) return;
  const at = source.at('model_list');
  const steps = [...groups].flatMap(toSteps);
  const lost = steps.map((step) => lostDraw(step, attempts)).find((each) => each !== undefined);
  if (lost !== undefined) draft.lose(at, ...lost);
  const { balance } = attempts;
  const drawn = steps.find(({ size }) => drawnAttempts(size, attempts) > 0);
  if (
    drawn !== undefined &&
    balance !== undefined &&
    measuring.has(balance) &&
    { ...ofGroups, ...ofSeveral }.cb_config === undefined
  )
    draft.lose(
      source.object('router_settings').at('routing_strategy'),
      `The balance "${balance}" of "${drawn.model}" does not notice a target that fails: another target answers its requests, and they count as its own.`,
      'So it is asked first again and again. Write "cb_config": { "failure_threshold": 3, "cooldown_interval": 30000 } in the config: a target that fails three times is then not asked for 30 seconds.',
    );
};
