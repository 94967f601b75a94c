import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { TextReading } from '../../../plugins/sdk/dialect/text-span.ts';
import type { Catalogue } from '../../../plugins/sdk/plugin/catalogue.ts';
import { readMaxTexts } from '../../../plugins/sdk/provider/provider.ts';
import type { ModelFacts } from '../../../schema/model-facts/model-facts.ts';
import { mayDeny } from '../../../schema/plan/may-deny.ts';
import type { LeafNode, Target } from '../../../schema/plan/plan.ts';
import { isCheckStage } from '../../../schema/plan/stages.ts';
import { targetModel, targetProvider } from '../../../schema/plan/target-model.ts';
import { formatCount } from '../../../schema/text/format-count.ts';
import type { TargetModel } from '../command-line/services.ts';
import { describeDialect } from './describe-dialect.ts';
import { describeModel } from './describe-model.ts';
import { describeNeeds } from './describe-needs.ts';
import { describePromptCache } from './describe-prompt-cache.ts';
import { describeStage } from './describe-stage.ts';
import { describeTarget } from './describe-target.ts';

/** The gateway file's `pass_through`; `judged` if absent. */
export type PassThrough = 'judged' | 'allow';

/** Context of a plan that the plan itself does not contain. */
export interface PlanWorld {
  readonly catalogue: Catalogue;
  /** The dialect of the clients in question. */
  readonly client?: Dialect | undefined;
  /** The gateway file's `pass_through`. */
  readonly passThrough?: PassThrough | undefined;
  /** The gateway file's `judged_turns` and `unjudged_members`. */
  readonly reading?: TextReading | undefined;
  /** The gateway file's `prompt_cache`. */
  readonly promptCache?: 'off' | 'auto' | undefined;
  /** The names of the virtual models that stand for the plan. */
  readonly virtualModels?: readonly string[] | undefined;
  /** The facts of the models of targets. */
  readonly models?: ReadonlyMap<Target, TargetModel> | undefined;
  /** Whether the gateway file names a store. */
  readonly hasStore?: boolean | undefined;
}

/** Describes when limits are checked. Without a store there are no limits. */
const describeLimit = 'limits are checked before each attempt, and those of the request before it is routed (store)';

/** Describes what happens to bodies that the leaf's checks cannot read, if one of the checks may deny. */
const describeUnchecked = (leaf: LeafNode, passThrough: PassThrough | undefined): readonly string[] => {
  if (!mayDeny(leaf)) return [];
  return passThrough === 'allow'
    ? ['a body on a path that is not modelled passes unjudged (pass_through: "allow" in the gateway file)']
    : ['a body on a path that is not modelled is refused (403), since no check can judge it'];
};

/** Describes what the leaf's checks read of bodies, if the gateway file changes the default. */
const describeReading = (leaf: LeafNode, reading: TextReading | undefined): readonly string[] => {
  if (!leaf.stages.some(isCheckStage)) return [];
  return [
    ...(reading?.turns === 'all'
      ? ['checks judge every turn of a request (judged_turns: "all" in the gateway file)']
      : []),
    ...(reading?.unknown === 'allow'
      ? ['members that a format does not document pass unjudged (unjudged_members: "allow" in the gateway file)']
      : []),
  ];
};

/** Describes what checks cannot do if a model answers with numbers about the text that it gets: vectors or scores. */
const describeUnchanged = (leaf: LeafNode, facts: ModelFacts | undefined): readonly string[] => {
  const figures = facts?.capabilities.some((each) => each === 'embeddings' || each === 'moderation') === true;
  if (!figures || facts.capabilities.includes('chat') || !leaf.stages.some(({ kind }) => kind === 'input-checks'))
    return [];
  return [
    'a check replaces nothing in requests for embeddings or a moderation: where it would, it reports an error, and one that denies refuses them',
  ];
};

/** Describes how long lists of texts are sent, if the model makes vectors and its provider limits their number. */
const describeTexts = (target: Target, { catalogue: { providers }, models }: PlanWorld): readonly string[] => {
  const provider = providers.get(targetProvider(target) ?? '');
  const facts = models?.get(target)?.facts;
  if (facts?.capabilities.includes('embeddings') !== true) return [];
  const limit = provider && readMaxTexts(provider, targetModel(target));
  if (limit === undefined) return [];
  return [`a list of more than ${formatCount(limit, 'text')} is sent in several calls, which count as one`];
};

/**
 * Describes everything about a leaf below its name, one line each: its target, its dialects, its stages, and what it needs of
 * bodies.
 */
export const leafLines = (leaf: LeafNode, target: Target, world: PlanWorld): readonly string[] => [
  ...describeTarget(target),
  ...describeModel(target, world.models),
  ...describeTexts(target, world),
  ...describeDialect(target, world.catalogue, world.client),
  ...(world.promptCache === 'auto' ? describePromptCache(target, world.catalogue) : []),
  ...leaf.stages.map(describeStage),
  ...(world.hasStore === true ? [describeLimit] : []),
  ...describeNeeds(leaf.needs, target),
  ...describeUnchecked(leaf, world.passThrough),
  ...describeReading(leaf, world.reading),
  ...describeUnchanged(leaf, world.models?.get(target)?.facts),
];
