import type { JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { Draft } from '../draft/draft.ts';
import type { SourceObject } from '../draft/read-source.ts';
import { type MadeNode, toChain, toNode } from './litellm-nodes.ts';
import { type Attempts, withoutNoRetry } from './litellm-retries.ts';
import type { Settings } from './litellm-settings.ts';
import type { Deployment } from './litellm-target.ts';
import { deploymentOf, type SavedWildcard } from './litellm-wildcards.ts';

/** The models of a file. */
export class Models {
  readonly #groups: ReadonlyMap<string, readonly Deployment[]>;
  readonly #wildcards: readonly SavedWildcard[];

  constructor(groups: ReadonlyMap<string, readonly Deployment[]>, wildcards: readonly SavedWildcard[]) {
    this.#groups = groups;
    this.#wildcards = wildcards;
  }

  has(model: string): boolean {
    return this.#deployments(model).length > 0;
  }

  node(model: string, attempts: Attempts): MadeNode {
    return toNode(this.#deployments(model), model, attempts);
  }

  #deployments(model: string): readonly Deployment[] {
    const known = this.#groups.get(model);
    if (known !== undefined) return known;
    const found = deploymentOf(model, this.#wildcards);
    return found === undefined ? [] : [found];
  }
}

/** The parts that the configs of a file are made of. */
export interface LitellmContext {
  readonly settings: Settings;
  readonly models: Models;
  readonly guardrails: JsonObject;
  readonly draft: Draft;
  readonly source: SourceObject;
}

/** The models that are asked after one. One that is not in the file is a loss. */
export const nextOf = (
  model: string,
  { settings: { fallbacks }, models, draft, source }: LitellmContext,
): readonly string[] => {
  const next = (fallbacks.get(model) ?? fallbacks.get('*') ?? []).filter((each) => each !== model);
  for (const each of next)
    if (!models.has(each))
      draft.lose(
        source.at('router_settings'),
        `The fallback "${each}" of "${model}" is no model of this file.`,
        'Add a target for it.',
      );
  return next.filter((each) => models.has(each));
};

const listAt = childPointer(rootPointer, 'model_list');

/** Makes the config of a node and those that are asked after it, and gives its name. */
export const makeConfig = (
  hint: string,
  nodes: readonly MadeNode[],
  { settings, guardrails, draft }: LitellmContext,
): string => {
  const { node, origins } = toChain(nodes);
  const { name: _name, ...alone } = node;
  const name = draft.configName(hint);
  const isGroup = Object.hasOwn(alone, 'targets');
  draft.configs.set(
    name,
    withoutNoRetry({ ...settings.common, ...guardrails, ...(isGroup ? settings.ofGroups : {}), ...alone }),
  );
  draft.comesFrom(name, rootPointer, listAt);
  for (const [made, from] of origins) draft.comesFrom(name, made, from);
  return name;
};

/** The config of one model. */
export const makeModel = (model: string, context: LitellmContext): string => {
  const { models, settings } = context;
  const asked = [model, ...nextOf(model, context)];
  return makeConfig(
    model,
    asked.map((each) => models.node(each, settings.attempts)),
    context,
  );
};
