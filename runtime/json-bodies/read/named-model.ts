import type { Exchange } from '../../../plugins/sdk/exchange/exchange.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import type { Json } from '../../../schema/json/json.ts';
import { type SlugModel, slugModel } from '../../../schema/text/slug-model.ts';
import { mayNameSlug } from './may-name-slug.ts';

/** Returns the body's `model`. A body that is not a JSON object has none; its provider will reject it. */
const findModel = (exchange: Exchange): Json | undefined => {
  try {
    return exchange.json().model;
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
};

/** Returns the model of a request: that of the path if it has one, otherwise the body's. */
export const requestModel = (exchange: Exchange): string | undefined => {
  const { body } = exchange.request;
  const { model: inPath } = exchange.route;
  if (inPath !== undefined) return inPath;
  const model = body.kind === 'bytes' || body.kind === 'form' ? findModel(exchange) : undefined;
  return typeof model === 'string' ? model : undefined;
};

/**
 * Returns the names in the model of a request if it has the form `@slug/model`. The model is that of the path if it has one,
 * otherwise the body's.
 */
export const namedModel = (exchange: Exchange): SlugModel | undefined => {
  const { body } = exchange.request;
  const isPlain = body.kind === 'bytes' && exchange.route.model === undefined && !mayNameSlug(toBuffer(body.bytes));
  const model = isPlain ? undefined : requestModel(exchange);
  return model === undefined ? undefined : slugModel(model);
};
