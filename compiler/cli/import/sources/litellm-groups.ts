import { isJsonObject } from '../../../../schema/json/json.ts';
import { formatCount } from '../../../../schema/text/format-count.ts';
import { type Draft, type Loss, toSlug } from '../draft/draft.ts';
import { findMisspelt } from '../draft/litellm-members.ts';
import { findModelKind, type ModelKind } from '../draft/model-kind.ts';
import { SourceObject } from '../draft/read-source.ts';
import {
  loseParamsOfRefused,
  loseUnreadEntry,
  loseUnreadParams,
  noteDefaults,
  noteModelInfo,
} from './litellm-losses.ts';
import type { SameTarget } from './litellm-policies.ts';
import { addPrices } from './litellm-prices.ts';
import { loseShares, readShares, type Shares, toWeights } from './litellm-shares.ts';
import {
  type Deployment,
  readTarget,
  type TargetContext,
  type TargetParts,
  toTarget,
  withNamedCredential,
  withStatedPlace,
} from './litellm-target.ts';
import { toWildcard, type Wildcard } from './litellm-wildcards.ts';

/** Describes the consequence of deployments that are no targets: what the config of their model does without them. */
const withoutThem = (model: string, left: readonly Deployment[]): string => {
  if (left.length === 0) return `Until then, "${model}" is not a config.`;
  const alone = left.length === 1 ? ' alone, without a load balance' : '';
  return `Until then, this target is left out, and "${model}" calls ${formatCount(left.length, 'target')}${alone}.`;
};

/** The entries of `model_list`. */
interface ModelList {
  /** The deployments of each model, by its name. */
  readonly groups: ReadonlyMap<string, readonly Deployment[]>;
  /** The wildcards, each for any model of a provider. */
  readonly wildcards: readonly Wildcard[];
}

/** An entry of `model_list` that can be called. */
interface Entry {
  readonly shares: Shares;
  readonly params: SourceObject;
  readonly parts: TargetParts;
  readonly kind: ModelKind;
}

/** Entries that are the same target: one deployment, with the sum of their weights and of their limits. */
type SameEntries = readonly [Entry, ...Entry[]];

const joinSame = (entries: readonly Entry[]): readonly SameEntries[] => [
  ...entries
    .reduce((all, entry) => {
      const { shares, parts } = entry;
      const key = JSON.stringify([shares.model, shares.order, parts]);
      const known = all.get(key);
      return all.set(key, known === undefined ? [entry] : [...known, entry]);
    }, new Map<string, SameEntries>())
    .values(),
];

const modelOf = ([{ parts }]: SameEntries): string => JSON.stringify([parts.provider, parts.model]);

const isLimited = (same: SameEntries): boolean =>
  same.some(({ params }) => ['rpm', 'tpm', 'max_budget'].some((name) => typeof params.peek(name) === 'number'));

/**
 * Names the deployments that have a limit and share their provider and model with others. Each becomes a saved provider, so that
 * a policy counts only its requests.
 */
const namesOfLimited = (all: readonly SameEntries[]): ReadonlyMap<SameEntries, string> => {
  const byModel = Map.groupBy(all, modelOf);
  const ofModels = Map.groupBy(all, ([{ shares }]) => shares.model);
  return new Map(
    all.flatMap((same) => {
      if (!isLimited(same) || byModel.get(modelOf(same))?.length === 1) return [];
      const { model } = same[0].shares;
      const number = (ofModels.get(model)?.indexOf(same) ?? 0) + 1;
      return [[same, `${toSlug(model)}-${number}`] as const];
    }),
  );
};

/** Returns the deployments of each model, and notes what has no place in a target. */
const toGroups = (
  entries: readonly Entry[],
  weightOf: (shares: Shares) => number,
  draft: Draft,
): ReadonlyMap<string, readonly Deployment[]> => {
  const all = joinSame(entries);
  const names = namesOfLimited(all);
  const groups = new Map<string, readonly Deployment[]>();
  for (const [model, same] of Map.groupBy(entries, ({ shares }) => shares.model))
    noteDefaults(
      draft,
      model,
      same.map(({ params, parts }) => ({ params, names: Object.keys(parts.parameters) })),
    );
  for (const same of all) {
    const [{ parts, shares, kind, params }, ...others] = same;
    const { target, provider } = toTarget(parts, names.get(same), draft);
    const sources: SameTarget = [params, ...others.map((each) => each.params)];
    loseUnreadParams(draft, sources, { provider, model: parts.model });
    const weight = same.reduce((sum, each) => sum + weightOf(each.shares), 0);
    const deployment = { target, pointer: shares.pointer, weight, order: shares.order, kind };
    groups.set(shares.model, [...(groups.get(shares.model) ?? []), deployment]);
  }
  return groups;
};

/** Notes what is lost of a deployment that is left out now, so that everything to correct in it is reported at once. */
const loseRest = (
  draft: Draft,
  { parts, draft: apart }: { readonly parts: TargetParts; readonly draft: Draft },
  { params, info }: { readonly params: SourceObject; readonly info: SourceObject },
): void => {
  const kind = findModelKind(parts.model, info.text('mode'));
  for (const section of [params, info]) addPrices(apart, section, { ...parts, kind });
  loseParamsOfRefused(apart, params);
  noteModelInfo(apart, info);
  draft.losses.push(...apart.losses);
};

const correct = (meant: string): string =>
  `Did you mean "${meant}"? Correct it, and import the file again into another folder.`;

/** Notes an entry that clients cannot request, because the member with its name is absent or misspelt. */
const loseUnnamed = (draft: Draft, entry: SourceObject, number: number): void => {
  const misspelt = findMisspelt('entry', 'model_name', entry.names());
  draft.models.add((misspelt === undefined ? undefined : entry.text(misspelt)) ?? `number ${number} of model_list`);
  draft.leftOut.push(entry.pointer);
  if (misspelt === undefined)
    draft.lose(entry.pointer, 'The model has no name.', 'Give it a "model_name", by which clients request it.');
  else draft.lose(entry.at(misspelt), `The model has no name, but a "${misspelt}".`, correct('model_name'));
};

/** Returns why a deployment has no model, if the member with the model or with its parameters is misspelt. */
const findMisspeltModel = (entry: SourceObject, params: SourceObject): readonly Loss[] | undefined => {
  if (entry.peek('litellm_params') === undefined) {
    const misspelt = findMisspelt('entry', 'litellm_params', entry.names());
    if (misspelt === undefined) return undefined;
    entry.get(misspelt);
    const why = `The model has no "litellm_params", but "${misspelt}".`;
    return [{ pointer: entry.at(misspelt), why, instead: correct('litellm_params') }];
  }
  if (!isJsonObject(entry.peek('litellm_params'))) {
    const instead = 'Write an object there, such as {"model": "PROVIDER/MODEL"}.';
    return [
      { pointer: entry.at('litellm_params'), why: 'The "litellm_params" of the model are not an object.', instead },
    ];
  }
  const misspelt =
    params.peek('model') === undefined ? findMisspelt('litellm_params', 'model', params.names()) : undefined;
  if (misspelt === undefined) return undefined;
  const why = `The deployment has no model, but a "${misspelt}".`;
  return [{ pointer: params.at(misspelt), why, instead: correct('model') }];
};

export const readModels = (source: SourceObject, context: TargetContext): ModelList => {
  const { draft, providers } = context;
  const wildcards: (Omit<Wildcard, 'weight'> & { readonly shares: Shares })[] = [];
  const drawn: Shares[] = [];
  const entries: Entry[] = [];
  const refused: (readonly [model: string, losses: readonly Loss[]])[] = [];
  const environment = source.peek('environment_variables');
  const credentials = source.list('credential_list');
  for (const [index, item] of source.list('model_list').entries()) {
    const entry = new SourceObject(item);
    const name = entry.text('model_name') ?? '';
    if (name === '') {
      loseUnnamed(draft, entry, index + 1);
      continue;
    }
    const params = new SourceObject({
      value: withStatedPlace(withNamedCredential(entry.get('litellm_params'), credentials), environment, providers),
      pointer: entry.at('litellm_params'),
    });
    const info = entry.object('model_info');
    const order = params.number('order') ?? entry.number('order') ?? 1;
    const shares = readShares(params, { model: name, order, pointer: item.pointer });
    drawn.push(shares);
    const wildcard = toWildcard(params, { name, pointer: item.pointer }, context);
    const made = wildcard === undefined ? readTarget(params, context) : undefined;
    if (wildcard !== undefined) wildcards.push({ ...wildcard, shares });
    else draft.models.add(name);
    if (made !== undefined && 'refusals' in made) {
      refused.push([name, findMisspeltModel(entry, params) ?? made.refusals]);
      draft.leftOut.push(item.pointer);
      if (made.mended !== undefined) loseRest(draft, made.mended, { params, info });
    }
    if (made !== undefined && 'parts' in made) {
      const { parts } = made;
      const kind = findModelKind(parts.model, info.text('mode'));
      for (const section of [params, info]) addPrices(draft, section, { ...parts, kind });
      entries.push({ shares, params, parts, kind });
    }
    loseUnreadEntry(draft, entry);
    if (made === undefined || 'parts' in made) noteModelInfo(draft, info);
  }
  const weights = toWeights(drawn);
  const weightOf = (shares: Shares): number => weights.get(shares) ?? 1;
  const groups = toGroups(entries, weightOf, draft);
  for (const [model, losses] of refused)
    for (const { pointer, why, instead } of losses)
      draft.lose(pointer, why, `${instead} ${withoutThem(model, groups.get(model) ?? [])}`);
  loseShares(draft, drawn);
  return { groups, wildcards: wildcards.map(({ shares, ...each }) => ({ ...each, weight: weightOf(shares) })) };
};
