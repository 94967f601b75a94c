import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { findJsonObject } from '../../../body/read/find-json-object.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { SplitRequest } from '../../call/split-request.ts';

/** The most requests that one request of a client becomes. Lists that OpenAI takes fit, where each text needs a request. */
const maxParts = 2048;

export interface PartsOptions {
  readonly provider: Pick<Provider, 'id' | 'maxTexts'>;
  readonly dialect: Pick<Dialect, 'split'>;
  /** The model that is called, which the body need not name. */
  readonly model: () => string | undefined;
}

/**
 * The request with the parts in which it is sent, if it has more texts than its provider takes in one. What these use is read
 * by the gateway. Throws the `GatewayError` `too-many-texts`.
 */
export const withParts = (built: OutgoingCall, { provider, dialect: { split }, model }: PartsOptions): OutgoingCall => {
  const { body } = built.request;
  const json = split === undefined || body.kind !== 'bytes' ? undefined : findJsonObject(body.bytes);
  const count = json && split?.count(json);
  if (json === undefined || split === undefined || count === undefined) return built;
  const { maxTexts } = provider;
  const size = typeof maxTexts === 'function' ? maxTexts(model()) : maxTexts;
  if (size === undefined || count <= size) return built;
  if (count > size * maxParts)
    throw gatewayError('too-many-texts', { provider: provider.id, count, limit: size * maxParts });
  return { ...built, model: model(), unread: undefined, split: new SplitRequest(split, json, { count, size }) };
};
