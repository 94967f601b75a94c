import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { childPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import type { Draft } from '../draft/draft.ts';
import { SourceObject } from '../draft/read-source.ts';
import type { ImportSource } from './import-source.ts';
import { readGroups, toChain, toNode } from './litellm-groups.ts';
import { readGuardrails } from './litellm-guardrails.ts';
import { loseUnread } from './litellm-losses.ts';
import { readGeneral, readSettings, type Settings } from './litellm-settings.ts';

type Groups = ReturnType<typeof readGroups>;

/** The groups that are asked after a model. One that is not in the file is a loss. */
const nextOf = (
  model: string,
  { fallbacks }: Settings,
  { groups, draft, source }: { readonly groups: Groups; readonly draft: Draft; readonly source: SourceObject },
): readonly string[] => {
  const next = (fallbacks.get(model) ?? fallbacks.get('*') ?? []).filter((each) => each !== model);
  for (const each of next)
    if (!groups.has(each))
      draft.lose(
        source.at('router_settings'),
        `The fallback "${each}" of "${model}" is no model of this file.`,
        'Add a target for it.',
      );
  return next.filter((each) => groups.has(each));
};

/** LiteLLM's `config.yaml`: each model is a config, by whose name clients ask for it. */
export const fromLitellm: ImportSource = (value, { draft, providers }) => {
  const source = new SourceObject({ value, pointer: rootPointer });
  const groups = readGroups(source, { draft, providers });
  const settings = readSettings(source, draft);
  readGeneral(source, draft);
  const guardrails = readGuardrails(draft, source);
  const models: Record<string, Json> = isJsonObject(draft.gateway.models) ? { ...draft.gateway.models } : {};
  for (const model of groups.keys()) {
    const asked = [model, ...nextOf(model, settings, { groups, draft, source })];
    const { node, origins } = toChain(asked.map((each) => toNode(groups.get(each) ?? [], each, settings.balance)));
    const { name: _name, ...alone } = node;
    const name = draft.configName(model);
    const isGroup = Object.hasOwn(alone, 'targets');
    draft.configs.set(name, { ...settings.common, ...guardrails, ...(isGroup ? settings.ofGroups : {}), ...alone });
    draft.comesFrom(name, rootPointer, childPointer(rootPointer, 'model_list'));
    for (const [made, from] of origins) draft.comesFrom(name, made, from);
    models[model] = `config:${name}`;
  }
  for (const [alias, of] of Object.entries(settings.aliases)) {
    // An alias may be an object with the model that it stands for.
    const meant = isJsonObject(of) ? of.model : of;
    const found = typeof meant === 'string' ? lookUp(models, meant) : undefined;
    if (found !== undefined) models[alias] = found;
    else
      draft.lose(
        source.object('router_settings').at('model_group_alias'),
        `The alias "${alias}" stands for no model of this file.`,
        'Write it under "models" of the gateway file.',
      );
  }
  draft.gateway.models = models;
  loseUnread(draft, source, '');
};
