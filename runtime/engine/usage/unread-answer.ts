import type { UnreadAnswer } from '../../../plugins/sdk/hooks/unread-answer.ts';
import { toBuffer } from '../../../plugins/sdk/http/to-buffer.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { backslash } from '../../../schema/json/json-bytes.ts';
import type { LeafCall } from '../call/leaf-call.ts';

/** The longest body that plugins are given to read. */
const longest = 16 * 1024;
/** It occurs in every request that asks for a stream. */
const streamMember = Buffer.from('"stream"');
/** Its end, which is rarer than its beginning: bodies are searched for it in less than half the time. */
const streamMemberEnd = Buffer.from('ream"');

/** How escapes of characters begin that are rarely escaped, and those of its letters: a name may be written with them. */
const rareEscape = Buffer.from('\\u00');
const letterEscapes = [Buffer.from('\\u006'), Buffer.from('\\u007')];

const mayAskForStream = (body: Buffer): boolean =>
  (body.includes(streamMemberEnd) && body.includes(streamMember)) ||
  (body.includes(backslash) && body.includes(rareEscape) && letterEscapes.some((letter) => body.includes(letter)));

/**
 * Whether the usage of a request in its provider's dialect may be left to plugins to read. Nothing may be edited, and a request
 * that may ask for a stream is read.
 */
export const mayStayUnread = (
  { exchange: { route, request, overrides }, run, target, isMetered }: LeafCall,
  edits: JsonObject | undefined,
): boolean =>
  isMetered &&
  edits === undefined &&
  route.model === undefined &&
  route.stream === undefined &&
  run.limited === undefined &&
  run.costs === undefined &&
  overrides.usage !== true &&
  target.prices === undefined &&
  request.body.kind === 'bytes' &&
  request.body.bytes.length <= longest &&
  !mayAskForStream(toBuffer(request.body.bytes));

/**
 * Whether nothing but the caller's own report may want to know the model of a request in its provider's dialect, so that it is read
 * when that does. A request that may ask for a stream is read before it is sent.
 */
export const mayBeReadLate = (
  { exchange: { route, request }, run, isUsageTapped }: LeafCall,
  edits: JsonObject | undefined,
): boolean =>
  !isUsageTapped &&
  edits === undefined &&
  route.model === undefined &&
  route.stream === undefined &&
  run.limited === undefined &&
  run.costs === undefined &&
  request.body.kind === 'bytes' &&
  !mayAskForStream(toBuffer(request.body.bytes));

/** Whether a whole answer is left unread. */
export const staysUnread = ({ outgoing }: LeafCall, answer: Uint8Array): boolean =>
  outgoing?.unread !== undefined && answer.length <= longest;

/** A whole answer as it is left to plugins; undefined if it was read. */
export const unreadAnswer = (call: LeafCall, target: string): UnreadAnswer | undefined => {
  const { exchange, leaf, attempts: attempt, unreadBytes: answer } = call;
  const dialect = call.outgoing?.unread;
  const { body } = exchange.request;
  if (dialect === undefined || answer === undefined || body.kind !== 'bytes') return undefined;
  const { id, listedAs = id } = call.target.provider;
  return { path: leaf.path, target, attempt, dialect, listedAs, request: toBuffer(body.bytes), answer };
};
