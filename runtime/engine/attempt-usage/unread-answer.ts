import type { UnreadAnswer } from '../../../plugins/sdk/hooks/unread-answer.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { mayAskForStream } from '../call/requested-model-and-stream.ts';

/** The longest body that plugins receive to read. */
const longest = 16 * 1024;

/**
 * Whether a request in its provider's dialect can be sent without reading its body. Nothing may be edited. If a request might ask
 * for a stream, its body is parsed before it is sent.
 */
const canBeSentUnread = ({ exchange: { route, request }, run }: LeafCall, edits: JsonObject | undefined): boolean =>
  edits === undefined &&
  route.model === undefined &&
  route.stream === undefined &&
  run.limited === undefined &&
  run.costs === undefined &&
  request.body.kind === 'bytes' &&
  !mayAskForStream(toBuffer(request.body.bytes));

/** Whether reading the usage of a request in its provider's dialect may be left to plugins. */
export const mayStayUnread = (call: LeafCall, edits: JsonObject | undefined): boolean => {
  const { exchange, target, isMetered } = call;
  const { body } = exchange.request;
  return (
    isMetered &&
    exchange.overrides.usage !== true &&
    target.prices === undefined &&
    body.kind === 'bytes' &&
    body.bytes.length <= longest &&
    canBeSentUnread(call, edits)
  );
};

/**
 * Whether only the caller's usage report may need the model of a request in its provider's dialect, so that it can be read at
 * that time.
 */
export const mayBeReadLate = (call: LeafCall, edits: JsonObject | undefined): boolean =>
  !call.isUsageTapped && canBeSentUnread(call, edits);

/** Whether a whole answer is left unread. */
export const staysUnread = ({ outgoing }: LeafCall, answer: Uint8Array): boolean =>
  outgoing?.unread !== undefined && answer.length <= longest;

/** Returns a whole answer that is left to plugins. Undefined if it was read. */
export const unreadAnswer = (call: LeafCall, target: string): UnreadAnswer | undefined => {
  const { exchange, leaf, attempts: attempt, unreadBytes: answer } = call;
  const dialect = call.outgoing?.unread;
  const { body } = exchange.request;
  if (dialect === undefined || answer === undefined || body.kind !== 'bytes') return undefined;
  const { id, listedAs = id } = call.target.provider;
  return { path: leaf.path, target, attempt, dialect, listedAs, request: toBuffer(body.bytes), answer };
};
