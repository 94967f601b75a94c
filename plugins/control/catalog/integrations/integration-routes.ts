import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { etagSchema, ifMatchSchema, readIfMatch, withEtag } from '../../kernel/requests/precondition.ts';
import { objectSchema, ok, titled } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { ResourceParts } from '../../kernel/resource/define-resource.ts';
import type { ResourceRow } from '../../kernel/resource/resource-queries.ts';
import { resourceCaller } from '../../kernel/resource/resource-routes.ts';
import { ResourceService } from '../../kernel/resource/resource-service.ts';
import type { IntegrationRow } from '../../kernel/store/tables.ts';
import { slugParams } from '../destinations/destination-body.ts';
import { readModels } from './integration-models.ts';
import { integrations, modelMembers } from './integrations.ts';

/** The names that price lists use for prices of a million tokens, and our names for prices of one. */
const tokenUnits: Readonly<Record<string, string>> = {
  input_mtok: 'request_token',
  output_mtok: 'response_token',
  cache_read_mtok: 'cache_read_input_token',
  cache_write_mtok: 'cache_write_input_token',
  input_audio_mtok: 'request_audio_token',
  output_audio_mtok: 'response_audio_token',
  input_image_mtok: 'request_image_token',
  output_image_mtok: 'response_image_token',
  output_reasoning_mtok: 'reasoning_token',
};

/** The same for what is charged besides tokens, per thousand. */
const additionalUnits: Readonly<Record<string, string>> = {
  web_searches_kcount: 'web_search',
  rerank_searches_kcount: 'search',
  input_document_kpages: 'page',
  input_annotated_document_kpages: 'annotated_page',
};

/**
 * Converts dollars per million, or per thousand, to cents per unit. Rounding removes the error of the floating-point division.
 */
const cents = (dollars: number, units: number): number => Number(((dollars * 100) / units).toPrecision(12));

type ListPrice =
  | number
  | { readonly base: number; readonly tiers: readonly { readonly start: number; readonly price: number }[] }
  | undefined;

const toPrice = (price: ListPrice, units: number): JsonObject | undefined => {
  if (price === undefined) return undefined;
  if (typeof price === 'number') return { price: cents(price, units) };
  const tiers = price.tiers.map(({ start, price: dearer }) => ({ above_tokens: start, price: cents(dearer, units) }));
  return { price: cents(price.base, units), tiers };
};

/**
 * Returns the public prices of a model at a time (milliseconds since the epoch), in US cents per unit; undefined if it has none.
 * The lists are loaded on first use.
 */
const listedPricing = async (
  listedAs: string,
  { model, at }: { readonly model: string; readonly at: number },
): Promise<JsonObject | undefined> => {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const found = calcPrice({}, model, { providerId: listedAs, timestamp: new Date(at) });
  if (found === null) return undefined;
  const shown = (units: Readonly<Record<string, string>>, of: number): JsonObject =>
    Object.fromEntries(
      Object.entries(found.model_price).flatMap(([name, price]) => {
        const [unit, each] = [units[name], toPrice(price, of)];
        return unit === undefined || each === undefined ? [] : [[unit, each] as const];
      }),
    );
  const additional = shown(additionalUnits, 1000);
  return {
    ...shown(tokenUnits, 1_000_000),
    ...(Object.keys(additional).length > 0 && { additional_units: additional }),
  };
};

const longestName = 255;

const reply = titled(
  'ModelPricing',
  objectSchema({
    object: { const: 'pricing' },
    currency: { const: 'USD' },
    pay_as_you_go: {
      type: 'object',
      additionalProperties: true,
      description: 'For each unit: { price }, in US cents, and tiers of requests with more tokens.',
    },
  }),
);

/** Creates the route of public prices. */
export const pricingRoutes = ({ catalogue, now }: Pick<ControlParts, 'catalogue' | 'now'>): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/model-configs/pricing/{provider}/{model}',
    operationId: 'get_model_pricing',
    summary: 'The public prices of a model, which apply unless an integration or the gateway file sets others.',
    scope: null,
    replies: { 200: reply },
    handle: async ({ params: { provider, model } }) => {
      const { id, listedAs = id } = catalogue.providers.get(provider) ?? { id: provider };
      const pay_as_you_go = await listedPricing(listedAs, { model: model.slice(0, longestName), at: now() });
      if (pay_as_you_go === undefined)
        throw gatewayError('not-found', {
          what: 'listed price of the model',
          name: model.slice(0, longestName),
          suggestion: 'Set its price with pricing_config: PUT /v1/integrations/{slug}/models.',
        });
      return ok({ object: 'pricing', currency: 'USD', pay_as_you_go });
    },
  }),
];

const modelsReply = {
  title: 'IntegrationModels',
  type: 'object',
  required: ['models', 'allow_all_models'],
  properties: { ...modelMembers, models: { type: 'array', items: modelMembers.models.items } },
} as const;

/** Returns the models of an integration's row, with its entity tag. */
const answerModels = (row: ResourceRow) => withEtag(row, readModels(row as unknown as IntegrationRow));

/** Creates the routes for the models of an integration, which are read and replaced separately. */
export const integrationModelRoutes = (parts: ResourceParts): readonly ControlRoute[] => {
  const service = new ResourceService(integrations, parts);
  return [
    defineRoute({
      method: 'GET',
      path: '/integrations/{slug}/models',
      operationId: 'get_integration_models',
      summary: 'Returns the models of an integration.',
      scope: 'integrations.read',
      params: slugParams,
      replies: { 200: modelsReply },
      replyHeaders: etagSchema,
      handle: async ({ params: { slug } }, context) =>
        answerModels(await service.get({ caller: resourceCaller(context, 'integrations.read'), name: slug })),
    }),
    defineRoute({
      method: 'PUT',
      path: '/integrations/{slug}/models',
      operationId: 'update_integration_models',
      summary: "Replaces the list of an integration's models.",
      scope: 'integrations.update',
      params: slugParams,
      headers: ifMatchSchema,
      body: { type: 'object', required: ['models'], properties: modelMembers },
      replies: { 200: modelsReply },
      replyHeaders: etagSchema,
      handle: async ({ params: { slug }, body }, context) => {
        const precondition = readIfMatch(context.headers);
        const caller = resourceCaller(context, 'integrations.update');
        return answerModels((await service.update({ caller, name: slug, precondition }, body)).row);
      },
    }),
  ];
};
