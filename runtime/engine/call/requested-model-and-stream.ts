import type { Exchange, Route } from '../../../plugins/sdk/exchange/exchange.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { backslash } from '../../../schema/json/json-bytes.ts';
import { findText } from '../../../schema/json/loose.ts';
import type { OutgoingCall } from './outgoing-call.ts';

interface Asking {
  readonly exchange: Pick<Exchange, 'route' | 'json'>;
}

/** Returns the model that a leaf calls, after its edits. Reads the body only if nothing else names a model. */
export const askedModel = ({ exchange }: Asking, edits: JsonObject | undefined): string | undefined => {
  if (edits?.model !== undefined) return findText(edits.model);
  return exchange.route.model ?? findText(exchange.json().model);
};

/** Returns the model that a leaf calls, after its edits, if the path names one. No member if the body does. */
export const calledInPath = (call: Asking, edits: JsonObject | undefined): { readonly pathModel?: string } => {
  const pathModel = call.exchange.route.model === undefined ? undefined : askedModel(call, edits);
  return pathModel === undefined ? {} : { pathModel };
};

/** Whether a leaf's answer is to be a stream, after its edits. */
export const asksForStream = ({ exchange }: Asking, edits: JsonObject | undefined): boolean => {
  if (edits?.stream !== undefined) return edits.stream === true;
  return exchange.route.stream ?? exchange.json().stream === true;
};

/** Occurs in every request that asks for a stream. */
const streamMember = Buffer.from('"stream"');
/** The end of that, which is rarer than its beginning: searching for it takes less than half the time. */
const streamMemberEnd = Buffer.from('ream"');

/**
 * The beginning of escapes for characters that are rarely escaped, such as the letters of the name, which might be written with
 * them.
 */
const rareEscape = Buffer.from('\\u00');
const letterEscapes = [Buffer.from('\\u006'), Buffer.from('\\u007')];

/** Whether a JSON body might ask for a stream. The bytes are searched without decoding them. */
export const mayAskForStream = (body: Buffer): boolean =>
  (body.includes(streamMemberEnd) && body.includes(streamMember)) ||
  (body.includes(backslash) && body.includes(rareEscape) && letterEscapes.some((letter) => body.includes(letter)));

/**
 * Whether the client of a request that was sent is to receive a stream. The body is parsed only if it might ask for one. A body that
 * cannot be read asks for none.
 */
export const awaitsStream = ({ exchange }: Pick<Called, 'exchange'>, edits: JsonObject | undefined): boolean => {
  const { route, request } = exchange;
  const isRead = edits?.stream !== undefined || route.stream !== undefined;
  if (!isRead && !(request.body.kind === 'bytes' && mayAskForStream(toBuffer(request.body.bytes)))) return false;
  try {
    return asksForStream({ exchange }, edits);
  } catch {
    return false;
  }
};

/** Returns the model and the kind of answer that a leaf asks for, whether the path or the body contains them. */
export const requestedModelAndStream = (
  call: Asking,
  edits: JsonObject | undefined,
): { readonly model?: string; readonly stream: boolean } => {
  const model = askedModel(call, edits);
  const stream = asksForStream(call, edits);
  return model === undefined ? { stream } : { model, stream };
};

/** Returns the edits of what the path contains. */
export const pathEdits = (edits: JsonObject, { model, stream }: Route): JsonObject => ({
  ...(model !== undefined && edits.model !== undefined ? { model: edits.model } : {}),
  ...(stream !== undefined && edits.stream !== undefined ? { stream: edits.stream } : {}),
});

/** Returns the edits of the body, without those of what the path contains. Undefined if none are left. */
export const bodyEdits = (edits: JsonObject, { model, stream }: Route): JsonObject | undefined => {
  if (model === undefined && stream === undefined) return edits;
  const { model: _model, stream: _stream, ...rest } = edits;
  const kept = {
    ...rest,
    ...(model === undefined && edits.model !== undefined ? { model: edits.model } : {}),
    ...(stream === undefined && edits.stream !== undefined ? { stream: edits.stream } : {}),
  };
  return Object.keys(kept).length === 0 ? undefined : kept;
};

/** The parts of a call that determine its model. */
interface Called {
  readonly outgoing: OutgoingCall | undefined;
  readonly exchange: Exchange;
}

const readModel = (exchange: Exchange): string | undefined => {
  try {
    return findText(exchange.json().model);
  } catch {
    // The provider will reject it.
    return undefined;
  }
};

/** Returns the model of a call's request. It is read now if nothing has needed it so far. */
export const outgoingModel = ({ outgoing, exchange }: Called): string | undefined =>
  outgoing?.isReadLate === true ? readModel(exchange) : outgoing?.model;

/** Does the same, also for a request that is left unread. */
export const calledModel = (call: Called): string | undefined =>
  call.outgoing?.unread === undefined ? outgoingModel(call) : readModel(call.exchange);
