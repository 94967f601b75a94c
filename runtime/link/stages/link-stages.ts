import { type LeafNode, type StageKind, type StageOf, stageOrder, type Target } from '../../../schema/plan.ts';
import { stageOf } from '../../../schema/stage-of.ts';
import type { LinkContext } from '../context.ts';
import type { LeafStep } from '../leaf-call.ts';
import { linkAdmit } from './admit.ts';
import { linkBreaker } from './breaker.ts';
import { linkInputChecks } from './input-checks.ts';
import { linkOutputChecks } from './output-checks.ts';
import { refuseStreams } from './refuse-streams.ts';
import { linkRetry } from './retry.ts';
import { showHookResults } from './show-hook-results.ts';

interface LeafParts {
  readonly leaf: LeafNode;
  readonly target: Target;
  readonly context: LinkContext;
}

type LinkStage<Kind extends StageKind> = (stage: StageOf<Kind>, inner: LeafStep, parts: LeafParts) => LeafStep;

/** What runs each kind of stage; nothing for those that this gateway has not, whose plans are refused by name. */
const linkers: { readonly [Kind in StageKind]: LinkStage<Kind> | undefined } = {
  breaker: (stage, inner, { context }) => linkBreaker(stage, inner, context),
  'input-checks': linkInputChecks,
  cache: undefined,
  retry: (stage, inner, { context }) => linkRetry(stage, inner, context),
  'output-checks': linkOutputChecks,
};

/** The stages of plans that this gateway runs. */
export const linkedStages: ReadonlySet<string> = new Set(stageOrder.filter((kind) => linkers[kind] !== undefined));

type Around = (inner: LeafStep, parts: LeafParts) => LeafStep;

const admission: Around = (inner, { context }) => (context.hooks.admit.isUsed() ? linkAdmit(inner, context) : inner);

const checkAnswers: Around = (inner, { leaf, target }) => {
  const output = stageOf(leaf, 'output-checks');
  const step = output === undefined && stageOf(leaf, 'input-checks') === undefined ? inner : showHookResults(inner);
  return output === undefined ? step : refuseStreams(output, step, target);
};

/** What stands around a stage without being one: limits outside the retries, the refusal of streams outside the checks. */
const around: { readonly [Kind in StageKind]?: Around } = { retry: admission, 'input-checks': checkAnswers };

const linkStage = <Kind extends StageKind>(kind: Kind, inner: LeafStep, parts: LeafParts): LeafStep => {
  const stage = stageOf(parts.leaf, kind);
  return (stage && linkers[kind]?.(stage, inner, parts)) ?? inner;
};

/** A leaf's stages around its attempt, in the order of plans. What is not configured is not there. */
export const linkStages =
  (leaf: LeafNode, target: Target, context: LinkContext) =>
  (attempt: LeafStep): LeafStep => {
    const parts = { leaf, target, context };
    return stageOrder.reduceRight((inner, kind) => {
      const step = linkStage(kind, inner, parts);
      return around[kind]?.(step, parts) ?? step;
    }, attempt);
  };
