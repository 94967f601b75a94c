import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../schema/json/pointer.ts';
import { savedSlug } from '../../../../schema/text/slug-model.ts';
import { type Draft, toSlug } from '../draft/draft.ts';
import { SourceObject } from '../draft/read-source.ts';
import type { ImportSource } from './import-source.ts';

/** Parts of a request that are up to the client. */
const ofClients: ReadonlySet<string> = new Set([
  'messages',
  'prompt',
  'stream',
  'tools',
  'tool_choice',
  'user',
  'session_id',
]);

/** Whether OpenRouter may have a model with this name. Here, `@slug/model` is a model of a saved provider. */
const isModel = (name: Json | undefined): name is string =>
  typeof name === 'string' && name.trim() !== '' && savedSlug(name) === undefined;

/** Reads the models to call, in order, with their places. Anything that is not the name of a model is lost. */
const readModels = (
  source: SourceObject,
  draft: Draft,
): readonly (readonly [model: string, pointer: JsonPointer])[] => {
  const first = source.text('model');
  const stated = first === undefined ? [] : [{ value: first, pointer: source.at('model') }];
  const all = [...stated, ...source.list('models')].flatMap(({ value, pointer }) => {
    if (isModel(value)) return [[value, pointer] as const];
    draft.leftOut.push(pointer);
    draft.lose(
      pointer,
      'It is not the name of a model.',
      'Write a name of OpenRouter such as "openai/gpt-4o", or remove it.',
    );
    return [];
  });
  if (source.unread().includes('models')) {
    source.get('models');
    draft.lose(source.at('models'), 'It is not a list of models.', 'Write a list of names, or one name as "model".');
  }
  return [...new Map(all.toReversed())].toReversed();
};

/**
 * Reads the routing of a request to OpenRouter. Its models become targets in their order, and each of the providers in its
 * `order` becomes a separate target, so that a trail shows which of them failed.
 */
export const fromOpenRouter: ImportSource = (value, { draft, name }) => {
  const source = new SourceObject({ value, pointer: rootPointer });
  const configName = draft.configName(name);
  const routing = source.object('provider');
  const order = routing.texts('order');
  const mayFallBack = routing.get('allow_fallbacks') !== false;
  const rest: JsonObject = Object.fromEntries(
    routing.unread().map((member): readonly [string, Json] => [member, routing.get(member) ?? null]),
  );
  source.get('route');
  const params = Object.fromEntries(
    source
      .unread()
      .filter((member) => !ofClients.has(member) && member !== 'model' && member !== 'models')
      .map((member): readonly [string, Json] => [member, source.get(member) ?? null]),
  );
  const pinned: readonly JsonObject[] = order.map((slug) => ({ ...rest, order: [slug], allow_fallbacks: false }));
  const open: JsonObject = mayFallBack ? rest : { ...rest, allow_fallbacks: false };
  const ways = mayFallBack || pinned.length === 0 ? [...pinned, open] : pinned;
  const key = draft.variable('OPENROUTER_API_KEY');
  const leftOutBefore = draft.leftOut.length;
  const models = readModels(source, draft);
  // A config without a model would call whichever model a client names.
  if (models.length === 0 && draft.leftOut.length > leftOutBefore) {
    draft.lostConfigs.push(configName);
    return;
  }
  if (models.length === 0)
    draft.lose(
      source.at('models'),
      'It names no model.',
      'Set override_params.model of the target, or let clients name one.',
    );
  const asked = models.length === 0 ? [[undefined, rootPointer] as const] : models;
  const targets = asked.flatMap(([model, pointer]) =>
    ways.map((way) => {
      const [slug] = Array.isArray(way.order) && way.allow_fallbacks === false && pinned.includes(way) ? way.order : [];
      return { model, pointer, way, label: [model ?? 'any', ...(typeof slug === 'string' ? [slug] : [])].join('-') };
    }),
  );
  const toTarget = ({ model, way, label }: (typeof targets)[number]): JsonObject => ({
    name: toSlug(label),
    provider: 'openrouter',
    api_key: key,
    override_params: {
      ...(model === undefined ? {} : { model }),
      ...params,
      ...(Object.keys(way).length === 0 ? {} : { provider: way }),
    },
  });
  for (const member of source.unread())
    draft.lose(source.at(member), `"${member}" belongs to each request.`, 'Clients keep sending it.');
  draft.configs.set(configName, { strategy: { mode: 'fallback' }, targets: targets.map(toTarget) });
  draft.recordOrigin(configName, rootPointer, rootPointer);
  for (const [index, { pointer }] of targets.entries())
    draft.recordOrigin(configName, childPointer(rootPointer, 'targets', index), pointer);
  draft.gateway.default_config = configName;
  if (isJsonObject(value.provider) && routing.names().length === 0)
    draft.lose(source.at('provider'), 'It has no effect.', 'Leave it out.');
};
