import { formatCount } from '../../../../schema/text/format-count.ts';
import type { Loss } from '../draft/draft.ts';
import { SourceObject } from '../draft/read-source.ts';
import { loseModelInfo } from './litellm-losses.ts';
import { loseShares, readShares, type Shares, toWeights } from './litellm-shares.ts';
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

/** The entries of `model_list`. */
interface ModelList {
  /** The deployments of each model, by its name. */
  readonly groups: ReadonlyMap<string, readonly Deployment[]>;
  /** Those of any model of a provider. */
  readonly wildcards: readonly Wildcard[];
}

export const readModels = (source: SourceObject, context: TargetContext): ModelList => {
  const groups = new Map<string, readonly Deployment[]>();
  const wildcards: (Omit<Wildcard, 'weight'> & { readonly shares: Shares })[] = [];
  const drawn: Shares[] = [];
  const targets: (readonly [shares: Shares, deployment: Omit<Deployment, 'weight'>])[] = [];
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
    const shares = readShares(params, { model: name, order, pointer: item.pointer });
    drawn.push(shares);
    const wildcard = toWildcard(params, { name, pointer: item.pointer }, context);
    const made = wildcard === undefined ? toTarget(params, context) : undefined;
    loseModelInfo(context.draft, entry);
    if (wildcard !== undefined) wildcards.push({ ...wildcard, shares });
    else context.draft.models.add(name);
    if (made === undefined) continue;
    if ('refusals' in made) {
      refused.push([name, made.refusals]);
      context.draft.leftOut.push(item.pointer);
    }
    if ('target' in made) targets.push([shares, { target: made.target, pointer: item.pointer, order }]);
  }
  const weights = toWeights(drawn);
  const weightOf = (shares: Shares): number => weights.get(shares) ?? 1;
  for (const [shares, deployment] of targets) {
    const known = groups.get(shares.model) ?? [];
    groups.set(shares.model, withoutRepeats([...known, { ...deployment, weight: weightOf(shares) }]));
  }
  for (const [model, losses] of refused)
    for (const { pointer, why, instead } of losses)
      context.draft.lose(pointer, why, `${instead} ${withoutThem(model, groups.get(model) ?? [])}`);
  loseShares(context.draft, drawn);
  return { groups, wildcards: wildcards.map(({ shares, ...each }) => ({ ...each, weight: weightOf(shares) })) };
};
