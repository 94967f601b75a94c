import type { Exchange } from '../../../plugins/sdk/exchange.ts';
import { type SlugModel, slugModel } from '../../../schema/slug-model.ts';
import { mayNameSlug } from './may-name-slug.ts';

/**
 * What the body's `model` names where it has the form `@slug/model`. Throws the `GatewayError` `malformed-body` where the
 * body looks as if it did, and cannot be parsed.
 */
export const namedModel = (exchange: Exchange): SlugModel | undefined => {
  const { body } = exchange.request;
  if (body.kind !== 'bytes' || !mayNameSlug(body.bytes)) return undefined;
  const { model } = exchange.json();
  return typeof model === 'string' ? slugModel(model) : undefined;
};
