import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { RequestBody } from '../../../../plugins/sdk/http/http.ts';
import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findJsonObject } from '../../../body/read/find-json-object.ts';
import { SplitRequest } from '../../call/split-request.ts';

/** The most requests that one request of a client becomes. Lists that OpenAI takes fit, where each text needs a request. */
const maxParts = 2048;

/** The bytes of the shortest text in a list, with what separates it from the next. */
const shortestText = 3;

type Splitting = Pick<Provider, 'id' | 'maxTexts'>;

const maxTextsOf = ({ maxTexts }: Splitting, model: string | undefined): number | undefined =>
  typeof maxTexts === 'function' ? maxTexts(model) : maxTexts;

/** The parts in which the body is sent; undefined if it goes as one. Throws the `GatewayError` `too-many-texts`. */
export const findSplit = (
  body: JsonObject,
  {
    provider,
    dialect: { split },
    model,
  }: { readonly provider: Splitting; readonly dialect: Pick<Dialect, 'split'>; readonly model: string | undefined },
): SplitRequest | undefined => {
  if (split === undefined) return undefined;
  const size = maxTextsOf(provider, model);
  const count = size === undefined ? undefined : split.count(body);
  if (size === undefined || count === undefined || count <= size) return undefined;
  if (count > size * maxParts)
    throw gatewayError('too-many-texts', { provider: provider.id, count, limit: size * maxParts });
  return new SplitRequest(split, body, { count, size });
};

/** The same for a body in the provider's own dialect, which is read only if it is long enough to have too many texts. */
export const findOwnSplit = (
  body: RequestBody,
  {
    provider,
    dialect,
    askedModel,
  }: {
    readonly provider: Splitting;
    readonly dialect: Pick<Dialect, 'split'>;
    /** The model that is called, which the body need not name. */
    readonly askedModel: () => string | undefined;
  },
): SplitRequest | undefined => {
  const { maxTexts } = provider;
  if (maxTexts === undefined || dialect.split === undefined || body.kind !== 'bytes') return undefined;
  if (typeof maxTexts === 'number' && body.bytes.length < maxTexts * shortestText) return undefined;
  const json = findJsonObject(body.bytes);
  return json && findSplit(json, { provider, dialect, model: askedModel() });
};
