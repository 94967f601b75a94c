import type { CheckHook, Stage } from '../../../schema/plan.ts';
import { statusWords } from './status-words.ts';
import { countWords, durationWords, listWords } from './words.ts';

const denies = ({ deny, async }: CheckHook): string => {
  if (async) return 'in the background';
  const when = [...(deny.onFail ? ['it fails'] : []), ...(deny.onSuccess ? ['it passes'] : [])];
  return when.length === 0 ? 'reports only' : `denies if ${listWords(when, 'or')}`;
};

const hookWords = (hook: CheckHook): string => {
  const checks = hook.checks.map(({ check }) => check);
  return `${hook.id}${checks.length === 0 ? '' : ` (${checks.join(', ')})`} ${denies(hook)}`;
};

/** What a stage does, in one line. */
export const stageWords = (stage: Stage): string => {
  switch (stage.kind) {
    case 'breaker':
      return `breaker: opens for ${durationWords(stage.cooldownMs)} after ${countWords(stage.threshold, 'failure')} (${statusWords(stage.failures)}) within that time`;
    case 'input-checks':
      return `input checks: ${stage.hooks.map(hookWords).join('; ')}`;
    case 'cache':
      return `cache: ${stage.mode}, for ${durationWords(stage.maxAgeS * 1000)}`;
    case 'retry':
      return `retry: up to ${countWords(stage.attempts, 'retry', 'retries')} on ${listWords(stage.on.map(String), 'or')}${stage.useRetryAfter ? ', waiting as long as the provider asks' : ''}`;
    case 'output-checks':
      return `output checks: ${stage.hooks.map(hookWords).join('; ')}`;
  }
};
