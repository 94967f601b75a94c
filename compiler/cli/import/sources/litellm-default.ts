import { rootPointer } from '../../../../schema/json/pointer.ts';
import { type LitellmContext, makeConfig, nextOf } from './litellm-configs.ts';
import type { MadeNode } from './litellm-nodes.ts';
import type { SavedWildcard } from './litellm-wildcards.ts';

/** Notes what requests that reach a saved provider by their model do without. */
const loseFallbacks = (wildcards: readonly SavedWildcard[], { settings, draft, source }: LitellmContext): void => {
  for (const { name } of wildcards)
    if ((settings.fallbacks.get(name) ?? settings.fallbacks.get('*')) !== undefined)
      draft.lose(
        source.at('router_settings'),
        `Requests for "${name}" find a saved provider by their model, and have no fallback.`,
        'Write a config with a fallback for each model that needs one, and name it under "models" in gateway.json.',
      );
};

/** Notes the requests that the default config does not serve, because a saved provider can be called by its name. */
const loseUnguarded = ({ name, pointer }: SavedWildcard, { guardrails, draft }: LitellmContext): void => {
  if (Object.keys(guardrails).length > 0)
    draft.loseCheck(
      pointer,
      `Requests for "${name}" that name the saved provider in a header, or include a config, bypass the guardrails of this file.`,
      'If clients are not trusted with that, set "input_guardrails" of a workspace in a store, which check all its requests: gw workspaces update.',
    );
};

/**
 * Returns the nodes of the default config: those of the only provider with its fallbacks, or one that leaves the provider to the
 * model.
 */
const toNodes = (only: SavedWildcard | undefined, context: LitellmContext): readonly MadeNode[] => {
  if (only === undefined) return [{ node: {}, origins: [] }];
  const { models, settings } = context;
  const next = nextOf('*', context).map((each) => models.node(each, settings));
  return [{ node: { provider: `@${only.slug}` }, origins: [[rootPointer, only.pointer]] }, ...next];
};

/**
 * Builds the default config for requests whose model belongs to a saved provider. It has the settings and guardrails of all
 * models, and a provider if the file has one for any model.
 */
export const makeDefault = (wildcards: readonly SavedWildcard[], context: LitellmContext): void => {
  const { settings, guardrails, draft } = context;
  const star = wildcards.find(({ prefix }) => prefix === undefined);
  const others = wildcards.filter(({ prefix }) => prefix !== undefined);
  const only = others.length === 0 ? star : undefined;
  loseFallbacks(others, context);
  if (star !== undefined && only === undefined)
    draft.lose(
      star.pointer,
      'A model that does not begin with a provider finds none here, because the file has other names with a star as well.',
      `Clients write "@${star.slug}/MODEL".`,
    );
  const [first] = wildcards;
  const says = Object.keys({ ...settings.common, ...guardrails }).length > 0;
  if (first === undefined || (only === undefined && !says)) return;
  loseUnguarded(first, context);
  const { default_config: known } = draft.gateway;
  const alone = wildcards.every(({ prefix }) => prefix !== undefined && prefix === first.prefix);
  const name = makeConfig(alone ? first.slug : 'any-model', toNodes(only, context), context);
  if (known === undefined) {
    draft.gateway.default_config = name;
    return;
  }
  const why = `Requests for "${first.name}" use the default config of another file, and not the settings and guardrails of this one.`;
  const instead = `Compare configs/${name}.json with it, and add what is missing.`;
  if (Object.keys(guardrails).length > 0) draft.loseCheck(first.pointer, why, instead);
  else draft.lose(first.pointer, why, instead);
};
