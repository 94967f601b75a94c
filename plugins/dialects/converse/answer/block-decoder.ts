import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseJson, parseObject } from '../../../../schema/json/parse-json.ts';
import { append } from '../../shared/json/append.ts';
import { defined } from '../../shared/json/defined.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { readCallId } from '../../shared/request/call-ids.ts';
import { HeldCall } from '../../shared/request/held-call.ts';
import { findBound } from '../parts/bound-values.ts';
import { callMembers } from '../parts/calls.ts';
import { decodeCitation } from '../parts/citations.ts';
import { decodeMedia } from '../parts/decode-media.ts';
import { decodeServerCall, decodeServerResult, isServerCall } from '../parts/server-tools.ts';

/** Decodes the block of one tool call. */
class CallDecoder {
  readonly #call: HeldCall;
  #text = '';

  constructor(block: number, call: JsonObject, start: JsonObject) {
    const id = readCallId(call.toolUseId, { answer: '', number: block });
    const extensions = ownMembers(start, 'converse', callMembers);
    this.#call = new HeldCall({ block, id, name: findText(call.name) ?? '', extensions });
  }

  /** Whether the arguments so far are incomplete. */
  get isTorn(): boolean {
    return this.#text !== '' && parseJson(this.#text) === undefined;
  }

  start(): readonly AnswerEvent[] {
    return [];
  }

  delta({ toolUse }: JsonObject): readonly AnswerEvent[] {
    const piece = findText(findObject(toolUse)?.input) ?? '';
    this.#text += piece;
    return this.#call.push(piece);
  }

  stop(): readonly AnswerEvent[] {
    return this.#call.end();
  }
}

/** Decodes one content block of a stream from its start, its deltas and its stop. */
export interface BlockDecoder {
  start(): readonly AnswerEvent[];
  delta(delta: JsonObject): readonly AnswerEvent[];
  stop(): readonly AnswerEvent[];
  /** Whether the block is incomplete so far, for a message that ends before the block does. */
  readonly isTorn?: boolean;
}

const none: readonly AnswerEvent[] = [];

/** Decodes a text with its citations, or reasoning. Only the deltas show which it is, because neither has a start. */
export const plainBlock = (block: number, scope: string): BlockDecoder => ({
  start: () => none,
  delta: ({ text, citation, reasoningContent }) => {
    const cited = findObject(citation);
    if (cited !== undefined) return [{ kind: 'citation', choice: 0, block, citation: decodeCitation(cited) }];
    const reasoning = findObject(reasoningContent);
    if (reasoning === undefined) {
      const said = findText(text) ?? '';
      return said === '' ? none : [{ kind: 'text', choice: 0, block, text: said }];
    }
    const bound = findBound(reasoning, scope);
    return [defined({ kind: 'reasoning' as const, choice: 0, block, text: findText(reasoning.text), bound })];
  },
  stop: () => none,
});

/** Emits a call of a tool that Bedrock runs once it is complete. */
const serverCallBlock = (block: number, call: JsonObject): BlockDecoder => {
  let input = '';
  return {
    start: () => none,
    delta: ({ toolUse }) => {
      input += findText(findObject(toolUse)?.input) ?? '';
      return none;
    },
    stop: () => {
      const part = decodeServerCall({ toolUse: { ...call, input: parseObject(input) ?? {} } });
      return [{ kind: 'part', choice: 0, block, part }];
    },
  };
};

const serverResultBlock = (block: number, result: JsonObject): BlockDecoder => {
  const content: Json[] = [];
  return {
    start: () => none,
    delta: ({ toolResult }) => {
      append(content, toObjects(toolResult));
      return none;
    },
    stop: () => [{ kind: 'part', choice: 0, block, part: decodeServerResult({ toolResult: { ...result, content } }) }],
  };
};

/** Joins base64 pieces as bytes, because each may end with padding. */
const joined = (pieces: readonly string[]): string =>
  pieces.length === 1
    ? (pieces[0] ?? '')
    : Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))).toString('base64');

/** Decodes an image that the model made. */
const imageBlock = (block: number, image: JsonObject): BlockDecoder => {
  const pieces: string[] = [];
  return {
    start: () => none,
    delta: (delta) => {
      pieces.push(findText(findObject(findObject(delta.image)?.source)?.bytes) ?? '');
      return none;
    },
    stop: () => {
      const bytes = joined(pieces);
      const part = decodeMedia('image', { image: { ...image, source: { bytes } } });
      return part === undefined || bytes === '' ? none : [{ kind: 'part', choice: 0, block, part }];
    },
  };
};

/** Returns the decoder of a block. `scope` applies to bound values that name none. */
export const blockDecoder = (block: number, start: JsonObject, scope: string): BlockDecoder => {
  const call = findObject(start.toolUse);
  if (call !== undefined)
    return isServerCall(call) ? serverCallBlock(block, call) : new CallDecoder(block, call, start);
  const result = findObject(start.toolResult);
  if (result !== undefined) return serverResultBlock(block, result);
  const image = findObject(start.image);
  return image === undefined ? plainBlock(block, scope) : imageBlock(block, image);
};
