import { gatewayError } from '../../schema/errors/errors.ts';
import { namedModel } from '../body/read/named-model.ts';
import type { HttpExchange } from '../http/exchange/http-exchange.ts';
import type { SavedMember } from './complete/with-saved.ts';

/** The longest possible slug, in characters. */
const longestSlug = 200;

/** The saved provider named in the model, of the path or of the body, as `@slug/model`. Throws the `GatewayError` `invalid-model`. */
export const modelMember = (exchange: HttpExchange): SavedMember | undefined => {
  const slug = namedModel(exchange)?.slug;
  if (slug === undefined) return undefined;
  if (slug.length > longestSlug)
    throw gatewayError('invalid-model', { slug: `${slug.slice(0, longestSlug)}…`, reason: 'it is too long.' });
  return { name: 'provider', value: `@${slug}` };
};
