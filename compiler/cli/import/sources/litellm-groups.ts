import type { JsonPointer } from '../../../../schema/json/pointer.ts';
import { formatCount } from '../../../../schema/text/format-count.ts';
import type { Loss } from '../draft/draft.ts';
import { SourceObject } from '../draft/read-source.ts';
import { loseModelInfo } from './litellm-losses.ts';
import { type Deployment, type TargetContext, toTarget, withStatedPlace } from './litellm-target.ts';
import { toWildcard, type Wildcard } from './litellm-wildcards.ts';

/** Deployments that are the same target are one, with the sum of their weights. */
const withoutRepeats = (deployments: readonly Deployment[]): readonly Deployment[] => {
  const byTarget = new Map<string, Deployment>();
  for (const deployment of deployments) {
    const key = JSON.stringify([deployment.order, deployment.target]);
    const known = byTarget.get(key);
    byTarget.set(key, known === undefined ? deployment : { ...known, weight: known.weight + deployment.weight });
  }
  return [...byTarget.values()];
};

/** The consequence of deployments that are no targets: what the config of their model does without them. */
const withoutThem = (model: string, left: readonly Deployment[]): string => {
  if (left.length === 0) return `Until then "${model}" is no config.`;
  const alone = left.length === 1 ? ' alone, without a load balance' : '';
  return `Until then this target is left out, and "${model}" asks ${formatCount(left.length, 'target')}${alone}.`;
};

/** A deployment with the share of the requests of its model that the source names, as its weight or as a limit. */
interface Share {
  readonly model: string;
  readonly pointer: JsonPointer;
  readonly share: number | undefined;
}

/**
 * LiteLLM draws by the shares where the first deployment of a model names one, and never asks another that names none:
 * `router_strategy/simple_shuffle.py`.
 */
const loseMissingShares = (context: TargetContext, groups: Iterable<readonly Share[]>): void => {
  for (const all of groups) {
    if (all.every(({ share }) => share === undefined)) continue;
    for (const { model, pointer, share } of all)
      if (share === undefined)
        context.draft.lose(
          pointer,
          `Others of "${model}" have a weight, rpm or tpm, and this one has none: it is drawn with the weight 1 beside theirs.`,
          'Write a "weight" for each of them.',
        );
  }
};

/** The entries of `model_list`. */
interface ModelList {
  /** The deployments of each model, by its name. */
  readonly groups: ReadonlyMap<string, readonly Deployment[]>;
  /** Those of any model of a provider. */
  readonly wildcards: readonly Wildcard[];
}

export const readModels = (source: SourceObject, context: TargetContext): ModelList => {
  const groups = new Map<string, readonly Deployment[]>();
  const wildcards: Wildcard[] = [];
  const shares: (Share & { readonly order: number })[] = [];
  const refused: (readonly [model: string, losses: readonly Loss[]])[] = [];
  const environment = source.peek('environment_variables');
  for (const item of source.list('model_list')) {
    const entry = new SourceObject(item);
    const name = entry.text('model_name') ?? '';
    if (name === '') {
      context.draft.lose(
        item.pointer,
        'The model has no name.',
        'Give it a "model_name", by which clients ask for it.',
      );
      continue;
    }
    const params = new SourceObject({
      value: withStatedPlace(entry.get('litellm_params'), environment, context.providers),
      pointer: entry.at('litellm_params'),
    });
    const order = params.number('order') ?? entry.number('order') ?? 1;
    const stated = params.number('weight') ?? entry.number('weight');
    const wildcard = toWildcard(params, { name, pointer: item.pointer }, context);
    const made = wildcard === undefined ? toTarget(params, context) : undefined;
    // A limit is a share as well, and is lost as a limit.
    const share = stated ?? params.number('rpm') ?? params.number('tpm');
    const weight = share ?? 1;
    loseModelInfo(context.draft, entry);
    if (wildcard !== undefined) wildcards.push({ ...wildcard, weight });
    else context.draft.models.add(name);
    if (made === undefined) continue;
    if ('refusals' in made) {
      refused.push([name, made.refusals]);
      continue;
    }
    const { target } = made;
    shares.push({ model: name, order, pointer: item.pointer, share });
    groups.set(name, withoutRepeats([...(groups.get(name) ?? []), { target, pointer: item.pointer, weight, order }]));
  }
  for (const [model, losses] of refused)
    for (const { pointer, why, instead } of losses)
      context.draft.lose(pointer, why, `${instead} ${withoutThem(model, groups.get(model) ?? [])}`);
  loseMissingShares(context, Map.groupBy(shares, ({ model, order }) => JSON.stringify([model, order])).values());
  return { groups, wildcards };
};
