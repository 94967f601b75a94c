import type { CheckHook, CircuitDivision, Stage, StageKind, StageOf } from '../../../schema/plan/plan.ts';
import { formatCount } from '../../../schema/text/format-count.ts';
import { formatList } from '../../../schema/text/format-list.ts';
import { describeStatus } from './describe-status.ts';
import { formatDuration } from './words.ts';

/** Describes what a hook does. A plan does not contain whether a check of a guardrail may replace something. */
const denies = ({ type, deny, async }: CheckHook): string => {
  if (async) return 'in the background';
  const when = [...(deny.onFail ? ['it fails'] : []), ...(deny.onSuccess ? ['it passes'] : [])];
  const changes = type === 'mutator' ? 'may change what it judges, and ' : '';
  return `${changes}${when.length === 0 ? 'denies nothing' : `denies if ${formatList(when, 'or')}`}`;
};

const describeHook = (hook: CheckHook): string => {
  const checks = hook.checks.map(({ check }) => check);
  return `${hook.id}${checks.length === 0 ? '' : ` (${checks.join(', ')})`} ${denies(hook)}`;
};

/** The divisions of a target's circuits, in words. */
const divisions: { readonly [Division in CircuitDivision]: string } = {
  model: '; for each model by itself',
  error: '; for 401 and 403 the credential, for 404 the model, and after one 429 until its "retry-after", instead',
};

type Words = { readonly [Kind in StageKind]?: (stage: StageOf<Kind>) => string };

const words: Words = {
  breaker: ({ threshold, failures, cooldownMs, by = [], probe }) =>
    `opens for ${formatDuration(cooldownMs)} after ${formatCount(threshold, 'failure')} (${describeStatus(failures)}) within that time${by.map((division) => divisions[division]).join('')}${probe === undefined ? '' : `; then asks for ${probe.path} every ${formatDuration(probe.everyMs)} until it answers`}`,
  'input-checks': ({ hooks }) => hooks.map(describeHook).join('; '),
  cache: ({ mode, maxAgeS }) => `${mode}, for ${formatDuration(maxAgeS * 1000)}`,
  retry: ({ attempts, on, useRetryAfter }) =>
    `up to ${formatCount(attempts, 'retry', 'retries')} on ${formatList(on.map(String), 'or')}${useRetryAfter ? ', waiting as long as the provider requests' : ''}`,
  'output-checks': ({ hooks }) => hooks.map(describeHook).join('; '),
};

/** Describes the members of a stage that has no text of its own. */
const describePlain = ({ kind: _, ...members }: Stage): string =>
  Object.entries(members)
    .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
    .join(', ');

const toWords = <Kind extends StageKind>(kind: Kind, stage: StageOf<Kind>): string =>
  words[kind]?.(stage) ?? describePlain(stage);

/** Describes a stage in one line. */
export const describeStage = (stage: Stage): string => `${stage.kind.replace('-', ' ')}: ${toWords(stage.kind, stage)}`;
