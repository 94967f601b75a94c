import { gatewayError } from '../../../../schema/errors/errors.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { objectSchema, ok, titled } from '../../kernel/requests/replies.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { listedPricing } from './listed-pricing.ts';

const longestName = 255;

const reply = titled(
  'ModelPricing',
  objectSchema({
    object: { const: 'pricing' },
    currency: { const: 'USD' },
    pay_as_you_go: {
      type: 'object',
      additionalProperties: true,
      description: 'By what is charged: { price }, in US cents for one, and tiers of requests with more tokens.',
    },
  }),
);

/** The route of public prices. */
export const pricingRoutes = ({ catalogue, now }: Pick<ControlParts, 'catalogue' | 'now'>): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/model-configs/pricing/{provider}/{model}',
    operationId: 'get_model_pricing',
    summary: 'The public prices of a model, which hold where neither an integration nor the gateway file has others.',
    scope: null,
    replies: { 200: reply },
    handle: async ({ params: { provider, model } }) => {
      const { id, listedAs = id } = catalogue.providers.get(provider) ?? { id: provider };
      const pay_as_you_go = await listedPricing(listedAs, { model: model.slice(0, longestName), at: now() });
      if (pay_as_you_go === undefined)
        throw gatewayError('not-found', {
          what: 'listed price of the model',
          name: model.slice(0, longestName),
          suggestion: 'Say what it costs with pricing_config: PUT /v1/integrations/{slug}/models.',
        });
      return ok({ object: 'pricing', currency: 'USD', pay_as_you_go });
    },
  }),
];
