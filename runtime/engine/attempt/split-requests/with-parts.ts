import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Provider } from '../../../../plugins/sdk/provider/provider.ts';
import { findJsonObject } from '../../../json-bodies/read/find-json-object.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';
import { partSize } from '../../call/part-size.ts';
import { SplitRequest } from '../../call/split-request.ts';

export interface PartsOptions {
  readonly provider: Pick<Provider, 'id' | 'maxTexts'>;
  readonly dialect: Pick<Dialect, 'split'>;
  /** Returns the model that is called, which the body need not name. */
  readonly model: () => string | undefined;
}

/**
 * Returns the request with the parts in which it is sent, if it has more texts than its provider accepts at once. The gateway
 * reads the usage of the parts. Throws the `GatewayError` `too-many-texts`.
 */
export const withParts = (built: OutgoingCall, { provider, dialect: { split }, model }: PartsOptions): OutgoingCall => {
  const { members, ...outgoing } = built;
  const { body } = built.request;
  if (split === undefined || body.kind !== 'bytes') return outgoing;
  const json = members ?? findJsonObject(body.bytes);
  const count = json && split.count(json);
  if (json === undefined || count === undefined) return outgoing;
  const size = partSize(provider, { count, model: model() });
  if (size === undefined || count <= size) return outgoing;
  return { ...outgoing, model: model(), unread: undefined, split: new SplitRequest(split, json, { count, size }) };
};
