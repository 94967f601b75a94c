import type { JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { Draft } from '../draft/draft.ts';
import type { ModelKind } from '../draft/model-kind.ts';
import type { SourceObject } from '../draft/read-source.ts';
import { type MadeNode, toChain, toNode } from './litellm-nodes.ts';
import { withoutZeroRetry } from './litellm-retries.ts';
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

  node(model: string, { attempts, ofSeveral }: Settings): MadeNode {
    const deployments = this.#deployments(model);
    const { node, origins } = toNode(deployments, model, attempts);
    return { node: deployments.length === 1 ? node : { ...ofSeveral, ...node }, origins };
  }

  /** Returns the kind of a model; undefined if the file has no such model. */
  kindOf(model: string): ModelKind | undefined {
    return this.#deployments(model)[0]?.kind;
  }

  #deployments(model: string): readonly Deployment[] {
    const known = this.#groups.get(model);
    if (known !== undefined) return known;
    const found = deploymentOf(model, this.#wildcards);
    return found === undefined ? [] : [found];
  }
}

/** The parts from which the configs of a file are built. */
export interface LitellmContext {
  readonly settings: Settings;
  readonly models: Models;
  readonly guardrails: JsonObject;
  readonly draft: Draft;
  readonly source: SourceObject;
}

/**
 * Returns the models that are called after a model. One that is not in the file is noted as a loss, and so is one that is for
 * something else.
 */
export const nextOf = (
  model: string,
  { settings: { fallbacks }, models, draft, source }: LitellmContext,
): readonly string[] => {
  const { of, pointer } = fallbacks.get(model) ?? fallbacks.get('*') ?? { of: [], pointer: source.pointer };
  const kind = models.kindOf(model);
  return of.filter((each) => {
    if (each === model) return false;
    const found = models.kindOf(each);
    if (found === undefined)
      draft.lose(pointer, `The fallback "${each}" of "${model}" is not a model of this file.`, 'Add a target for it.');
    else if (kind !== undefined && found !== kind)
      draft.lose(
        pointer,
        `The fallback "${each}" of "${model}" is left out: "${model}" is called for ${kind}, and "${each}" for ${found}.`,
        `If that is correct, there is nothing to do. If not, write "mode" into the "model_info" of both, and import the file again into another folder.`,
      );
    return found !== undefined && (kind === undefined || found === kind);
  });
};

const listAt = childPointer(rootPointer, 'model_list');

/** Builds the config of a node and of those that are called after it, and returns its name. */
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
    withoutZeroRetry({ ...settings.common, ...guardrails, ...(isGroup ? settings.ofGroups : {}), ...alone }),
  );
  draft.recordOrigin(name, rootPointer, listAt);
  for (const [made, from] of origins) draft.recordOrigin(name, made, from);
  return name;
};

/** Builds the config of one model. */
export const makeModel = (model: string, context: LitellmContext): string => {
  const { models, settings } = context;
  const asked = [model, ...nextOf(model, context)];
  return makeConfig(
    model,
    asked.map((each) => models.node(each, settings)),
    context,
  );
};
