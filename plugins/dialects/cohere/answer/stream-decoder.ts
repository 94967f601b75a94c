import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { DecodeAnswer, Frame, StreamDecoder } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { streamCut } from '../../shared/parts/stream-cut.ts';
import { CallArguments } from '../../shared/request/call-arguments.ts';
import { readCallId } from '../../shared/request/call-ids.ts';
import { HeldCall } from '../../shared/request/held-call.ts';
import { callMembers } from '../parts/calls.ts';
import { decodeCitation, isOfText } from '../parts/citations.ts';
import { decodeStreamError } from '../parts/errors.ts';
import { decodeThinking } from '../parts/thinking.ts';
import { decodeFinish, hasFailed } from './finish-reasons.ts';
import { decodeLogprob } from './logprobs.ts';
import { decodeUsage } from './usage.ts';

const readArguments = (call: JsonObject): string => findText(findObject(call.function)?.arguments) ?? '';

/** https://docs.cohere.com/reference/chat-stream */
class CohereStreamDecoder implements StreamDecoder {
  readonly #options: DecodeAnswer;
  /** Index of a block of content → block of the conversation. */
  readonly #content = new Map<number, number>();
  readonly #calls = new Map<number, HeldCall>();
  /** The arguments of the calls whose end has not come yet. */
  readonly #unended = new Map<number, CallArguments>();
  #begun = 0;
  /** The index of the last event of a call. Events without an index belong to that call. */
  #lastCall = 0;
  #plan: number | undefined;
  #firstText: number | undefined;
  #id = '';
  #started = false;
  #ended = false;

  constructor(options: DecodeAnswer) {
    this.#options = options;
  }

  push(frame: Frame): readonly AnswerEvent[] {
    if (this.#ended) return [];
    const event = parseObject(frame.data);
    if (event === undefined)
      return this.#close({ kind: 'error', error: { message: 'An event is not a JSON object.' } });
    const delta = findObject(event.delta) ?? {};
    const message = findObject(delta.message) ?? {};
    const index = findNumber(event.index) ?? 0;
    switch (findText(event.type) ?? frame.event) {
      case 'message-start':
        return this.#start(findText(event.id) ?? '');
      case 'content-start':
        this.#content.set(index, this.#nextBlock());
        return this.#piece(index, findObject(message.content) ?? {}, event);
      case 'content-delta':
        return this.#piece(index, findObject(message.content) ?? {}, event);
      case 'tool-plan-delta':
        return this.#planPiece(findText(message.tool_plan) ?? findText(delta.tool_plan) ?? '');
      case 'tool-call-start':
        return this.#startCall(this.#callIndex(event), toolCall(message));
      case 'tool-call-delta':
        return this.#growCall(this.#callIndex(event), readArguments(toolCall(message)));
      case 'tool-call-end':
        return this.#endCall(this.#callIndex(event));
      case 'citation-start':
        return this.#cite(findObject(message.citations) ?? findObject(toObjects(message.citations)[0]) ?? {});
      case 'message-end':
        return this.#finish(frame, delta);
      default:
        return [];
    }
  }

  end(): readonly AnswerEvent[] {
    return this.#ended ? [] : this.#close({ kind: 'error', error: streamCut });
  }

  #close(last: AnswerEvent): readonly AnswerEvent[] {
    this.#ended = true;
    return [last];
  }

  #nextBlock(): number {
    const block = this.#begun;
    this.#begun += 1;
    return block;
  }

  #start(id: string): readonly AnswerEvent[] {
    if (this.#started) return [];
    this.#started = true;
    this.#id = id;
    return [{ kind: 'start', id, model: this.#options.model ?? '' }];
  }

  #blockAt(index: number): number {
    const known = this.#content.get(index);
    if (known !== undefined) return known;
    const block = this.#nextBlock();
    this.#content.set(index, block);
    return block;
  }

  /** Decodes the start of a block, or a piece of it: text, thinking, or content that only this format has, which comes whole. */
  #piece(index: number, content: JsonObject, event: JsonObject): readonly AnswerEvent[] {
    const block = this.#blockAt(index);
    const at = { choice: 0, block };
    const isThinking = content.text === '' && typeof content.thinking === 'string';
    if (typeof content.text === 'string' && !isThinking) {
      this.#firstText ??= index;
      const { text } = content;
      const logprobs = [findObject(event.logprobs) ?? {}].flatMap(decodeLogprob);
      return [
        ...(text === '' ? [] : [{ kind: 'text' as const, ...at, text }]),
        ...(logprobs.length === 0 ? [] : [{ kind: 'logprobs' as const, ...at, logprobs }]),
      ];
    }
    const isWhole = typeof content.type === 'string' && content.type !== 'thinking' && content.type !== 'text';
    if (isWhole) return [{ kind: 'part', ...at, part: { kind: 'other', dialect: 'cohere', value: content } }];
    const thinking = decodeThinking(content, this.#options.scope);
    if (thinking === undefined) return [];
    const { text, bound } = thinking;
    return [defined({ kind: 'reasoning' as const, ...at, text: text === '' ? undefined : text, bound })];
  }

  #planPiece(text: string): readonly AnswerEvent[] {
    if (text === '') return [];
    this.#plan ??= this.#nextBlock();
    return [{ kind: 'reasoning', choice: 0, block: this.#plan, text }];
  }

  #callIndex({ index }: JsonObject): number {
    this.#lastCall = findNumber(index) ?? this.#lastCall;
    return this.#lastCall;
  }

  #startCall(index: number, call: JsonObject): readonly AnswerEvent[] {
    // Some services give every call the same index.
    const before = this.#calls.get(index)?.end() ?? [];
    const block = this.#nextBlock();
    const id = readCallId(call.id, { answer: this.#id, number: block });
    const name = findText(findObject(call.function)?.name) ?? '';
    const held = new HeldCall({ block, id, name, extensions: ownMembers(call, 'cohere', callMembers) });
    this.#calls.set(index, held);
    this.#unended.set(index, new CallArguments());
    return [...before, ...this.#growCall(index, readArguments(call))];
  }

  /** Grows a call. One that has not begun has no name, so that it cannot be run. */
  #growCall(index: number, piece: string): readonly AnswerEvent[] {
    const call = this.#calls.get(index);
    if (call === undefined && piece !== '') return this.#close({ kind: 'error', error: streamCut });
    this.#unended.get(index)?.push(piece);
    return call?.push(piece) ?? [];
  }

  #endCall(index: number): readonly AnswerEvent[] {
    this.#unended.delete(index);
    return this.#calls.get(index)?.end() ?? [];
  }

  #cite(wire: JsonObject): readonly AnswerEvent[] {
    const index = findNumber(wire.content_index) ?? this.#firstText;
    const block = index === undefined ? undefined : this.#content.get(index);
    if (block === undefined || !isOfText(wire)) return [];
    return decodeCitation(wire).map((citation) => ({ kind: 'citation', choice: 0, block, citation }));
  }

  /** Whether the answer is said to end with calls, although one has neither its end nor whole arguments. */
  #isTorn(raw: string | undefined): boolean {
    return decodeFinish(raw).reason === 'tool-calls' && [...this.#unended.values()].some((call) => call.isTorn);
  }

  #finish(frame: Frame, delta: JsonObject): readonly AnswerEvent[] {
    if (hasFailed(delta)) return this.#close({ kind: 'error', error: decodeStreamError(frame) });
    const raw = findText(delta.finish_reason);
    if (this.#isTorn(raw)) return this.#close({ kind: 'error', error: streamCut });
    const reported = findObject(delta.usage);
    const usage = reported === undefined ? undefined : decodeUsage(reported);
    return [
      ...[...this.#calls.values()].flatMap((call) => call.end()),
      { kind: 'finish', choice: 0, finish: decodeFinish(raw) },
      ...(usage === undefined ? [] : [{ kind: 'usage' as const, usage }]),
      ...this.#close({ kind: 'end' }),
    ];
  }
}

/** Returns one call, which is sent as an object or as a list with one object. */
const toolCall = ({ tool_calls: calls }: JsonObject): JsonObject => findObject(calls) ?? toObjects(calls)[0] ?? {};

export const streamDecoder = (options: DecodeAnswer): StreamDecoder => new CohereStreamDecoder(options);
