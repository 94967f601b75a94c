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
  'To call another target first, write a fallback in place of a target, with the target and another one: { "retry": { "attempts": 0 }, "strategy": { "mode": "fallback" }, "targets": [{ … }, { … }] }, as in docs/recipes/two-azure-deployments.md.';

/**
 * Returns why a retry goes to the target that failed, and what to do; undefined if another target is called as often as there.
 */
const lostDraw = ({ model, size, isAlone }: Step, attempts: Attempts): readonly [string, string] | undefined => {
  const [drawn, wanted] = [drawnAttempts(size, attempts), wantedDraws(size, attempts)];
  if (drawn === 0 && wanted > 0)
    return [
      `A retry calls the same target of "${model}" again, not another one of its ${size} targets: a config in which each target comes before the others would have ${size * size}.`,
      `While it is down, requests drawn to it go to the fallbacks of the model. ${otherFirst}`,
    ];
  if (drawn < wanted)
    return [
      `The first retry of "${model}" calls another one of its ${size} targets, and later retries call the same one again.`,
      'While two of them are down, some requests go to the fallbacks of the model. If that is rare, there is nothing to do.',
    ];
  if (size === 1 && !isAlone)
    return [
      `A retry calls the same target of "${model}" again, before those of a higher "order".`,
      'To continue with those immediately, write "retry": { "attempts": 0 } in the target.',
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
      'So it is called first again and again. Write "cb_config": { "failure_threshold": 3, "cooldown_interval": 30000 } in the config: a target that fails three times is then skipped for 30 seconds.',
    );
};
