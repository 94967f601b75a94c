import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { rootPointer, toPointer } from '../../../../schema/json/pointer.ts';
import { type Draft, gatewayFile } from '../draft/draft.ts';
import { SourceObject } from '../draft/read-source.ts';
import type { ImportSource } from './import-source.ts';
import { Models, makeModel } from './litellm-configs.ts';
import { makeDefault } from './litellm-default.ts';
import { readModels } from './litellm-groups.ts';
import { readGuardrails } from './litellm-guardrails.ts';
import { noteUnread } from './litellm-losses.ts';
import { loseRetries } from './litellm-retry-losses.ts';
import { readGeneral, readSettings } from './litellm-settings.ts';
import type { Deployment } from './litellm-target.ts';
import { saveWildcards } from './litellm-wildcards.ts';

/** Notes the models whose requests are rejected where a guardrail would mask something in them. */
const loseMasks = (
  draft: Draft,
  {
    groups,
    guardrails,
  }: { readonly groups: ReadonlyMap<string, readonly Deployment[]>; readonly guardrails: JsonObject },
): void => {
  const { guardrails: saved } = draft.gateway;
  const masking = (Array.isArray(guardrails.input_guardrails) ? guardrails.input_guardrails : []).find(
    (slug) =>
      typeof slug === 'string' && isJsonObject(saved) && JSON.stringify(saved[slug]).includes('"action":"redact'),
  );
  if (masking === undefined) return;
  for (const [model, deployments] of groups)
    if (deployments.some(({ kind }) => kind === 'embeddings'))
      draft.lose(
        deployments[0]?.pointer ?? rootPointer,
        `"${model}" creates embeddings, whose input is not changed here: a text in which the guardrail "${masking}" finds something to mask is refused with 446.`,
        'Remove the guardrail from the config of this model, or let its clients mask their texts.',
      );
};

/** Reads LiteLLM's `config.yaml`: each model becomes a config, and clients request it by the config's name. */
export const fromLitellm: ImportSource = (value, { draft, providers }) => {
  const source = new SourceObject({ value, pointer: rootPointer });
  const { groups, wildcards } = readModels(source, { draft, providers });
  const saved = saveWildcards(wildcards, { draft, providers });
  const settings = readSettings(source, { draft, providers });
  readGeneral(source, draft);
  const models = new Models(groups, saved);
  const context = { settings, models, guardrails: readGuardrails(draft, source), draft, source };
  const named: Record<string, Json> = isJsonObject(draft.gateway.models) ? { ...draft.gateway.models } : {};
  loseRetries(groups, context);
  loseMasks(draft, { groups, guardrails: context.guardrails });
  for (const [model, [first]] of groups) {
    named[model] = `config:${makeModel(model, context)}`;
    draft.recordOrigin(gatewayFile, toPointer(['models', model]), first?.pointer ?? rootPointer);
  }
  const aliasesAt = source.object('router_settings').at('model_group_alias');
  for (const [alias, of] of Object.entries(settings.aliases)) {
    // An alias may be an object that contains the model.
    const meant = isJsonObject(of) ? of.model : of;
    const found = typeof meant === 'string' ? lookUp(named, meant) : undefined;
    draft.recordOrigin(gatewayFile, toPointer(['models', alias]), aliasesAt);
    if (found !== undefined) named[alias] = found;
    else if (typeof meant === 'string' && models.has(meant)) named[alias] = `config:${makeModel(meant, context)}`;
    else
      draft.lose(
        aliasesAt,
        `The alias "${alias}" refers to no model of this file.`,
        'Write it under "models" of the gateway file.',
      );
  }
  draft.gateway.models = named;
  makeDefault(saved, context);
  noteUnread(draft, source, '');
};
