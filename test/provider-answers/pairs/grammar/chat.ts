import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { isAbsent, require, requireOneOf, toCount, toList, toName, toObject, toText } from './require.ts';

const reasons = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'];

/** A client that is not strict receives the words of the provider. */
const requireReason = (value: Json | undefined, isStrict: boolean): void => {
  if (isStrict) requireOneOf(value, reasons, 'finish_reason');
  else toName(value, 'finish_reason');
};

const requireUsage = (value: Json | undefined): void => {
  if (isAbsent(value)) return;
  const usage = toObject(value, 'usage');
  const counts = [usage.prompt_tokens, usage.completion_tokens, usage.total_tokens];
  // A provider may report only some of them.
  for (const each of counts) if (each !== undefined) toCount(each, 'a count of usage');
};

/** Requires the head that a chat completion and a text completion have, whole or as a chunk. */
export const requireHead = (body: JsonObject, object: string): void => {
  toName(body.id, 'id');
  toText(body.model, 'model');
  toCount(body.created, 'created');
  require(body.object === object, `object is ${JSON.stringify(body.object)}.`);
  requireUsage(body.usage);
};

const requireCall = (value: Json): void => {
  const call = toObject(value, 'a call');
  toName(call.id, 'the id of a call');
  if (call.type === 'custom') return;
  require(call.type === 'function', 'a call has another type.');
  const made = toObject(call.function, 'the function of a call');
  toName(made.name, 'the name of a call');
  toText(made.arguments, 'the arguments of a call');
};

/** Throws unless an answer has what https://platform.openai.com/docs/api-reference/chat/object requires. */
export const requireChat = (body: JsonObject, isStrict: boolean): void => {
  requireHead(body, 'chat.completion');
  const seen = new Set<number>();
  for (const each of toList(body.choices, 'choices')) {
    const choice = toObject(each, 'a choice');
    const index = toCount(choice.index, 'the index of a choice');
    require(!seen.has(index), 'two choices have the same index.');
    seen.add(index);
    requireReason(choice.finish_reason, isStrict);
    const message = toObject(choice.message, 'message');
    require(message.role === 'assistant', 'the role is another.');
    require(message.content === null || typeof message.content === 'string', 'content is neither a text nor null.');
    if (message.tool_calls === undefined) continue;
    const calls = toList(message.tool_calls, 'tool_calls');
    require(calls.length > 0, 'tool_calls is empty.');
    for (const call of calls) requireCall(call);
  }
};

/** Follows the calls of one choice. */
const callPiece = (value: Json, begun: Set<number>): void => {
  const piece = toObject(value, 'a piece of a call');
  const index = toCount(piece.index, 'the index of a call');
  const made = toObject(piece.function ?? piece.custom, 'the function of a call');
  if (begun.has(index)) {
    require(piece.id === undefined, 'a call is begun twice.');
    return;
  }
  require(index === begun.size, 'the indices of calls skip.');
  begun.add(index);
  toName(piece.id, 'the id of a call');
  toName(made.name, 'the name of a call');
};

/** Throws unless the frames are a whole stream of https://platform.openai.com/docs/api-reference/chat-streaming. */
export const requireChatStream = (frames: readonly Frame[], isStrict: boolean): void => {
  require(frames.at(-1)?.data === '[DONE]', 'the last frame is another than [DONE].');
  const calls = new Map<number, Set<number>>();
  const finished = new Set<number>();
  const ids = new Set<Json | undefined>();
  for (const { event, data } of frames.slice(0, -1)) {
    require(event === undefined, 'a chunk has an event.');
    const chunk = toObject(JSON.parse(data) as Json, 'a chunk');
    requireHead(chunk, 'chat.completion.chunk');
    ids.add(chunk.id);
    for (const each of toList(chunk.choices, 'choices')) {
      const choice = toObject(each, 'a choice');
      const index = toCount(choice.index, 'the index of a choice');
      const delta = toObject(choice.delta, 'delta');
      if (!isAbsent(delta.content)) toText(delta.content, 'content');
      if (!isAbsent(choice.finish_reason)) {
        requireReason(choice.finish_reason, isStrict);
        finished.add(index);
      }
      if (isAbsent(delta.tool_calls)) continue;
      const begun = calls.get(index) ?? new Set<number>();
      calls.set(index, begun);
      for (const piece of toList(delta.tool_calls, 'tool_calls')) callPiece(piece, begun);
    }
  }
  require(ids.size <= 1, 'the id changes.');
  require(finished.size > 0, 'no choice finishes.');
};
