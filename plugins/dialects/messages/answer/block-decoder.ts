import type { AnswerEvent, AnswerEventOf } from '../../../../schema/conversation/answer.ts';
import { readBound } from '../../../../schema/conversation/bound.ts';
import { exactText } from '../../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { parseJson, parseObject } from '../../../../schema/json/parse-json.ts';
import { defined } from '../../shared/json/defined.ts';
import { ownMembers } from '../../shared/parts/own-value.ts';
import { type CallPlace, readCallId } from '../../shared/request/call-ids.ts';
import { customInput, startsCustom } from '../../shared/request/custom-tool.ts';
import { callMembers } from '../parts/calls.ts';
import { decodeCitation } from '../parts/citations.ts';
import { decodeServerTool } from '../parts/server-tools.ts';
import { findSignature } from '../parts/signature.ts';

/**
 * Decodes a tool call. The beginning of its input shows whether it is a call of a custom tool: the call waits for that, and the
 * text of a custom tool waits until it is complete. Some providers send the whole input at the start. The input of a call without
 * one is an empty object.
 */
class ToolBlock {
  readonly block: number;
  readonly #id: string;
  readonly #wire: JsonObject;
  #said = '';
  #isCustom: ReturnType<typeof startsCustom> = 'maybe';

  constructor(place: CallPlace, wire: JsonObject) {
    this.block = place.number;
    this.#id = readCallId(wire.id, place);
    this.#wire = wire;
  }

  get isTorn(): boolean {
    return this.#said !== '' && parseJson(this.#said) === undefined;
  }

  start(): readonly AnswerEvent[] {
    return [];
  }

  delta(delta: JsonObject): readonly AnswerEvent[] {
    const piece = findText(delta.partial_json) ?? '';
    this.#said += piece;
    if (this.#isCustom === 'no') return this.#arguments(piece);
    if (this.#isCustom === 'maybe') this.#isCustom = startsCustom(this.#said);
    return this.#isCustom === 'no' ? [this.#call(), ...this.#arguments(this.#said)] : [];
  }

  stop(): readonly AnswerEvent[] {
    if (this.#isCustom === 'no') return [];
    const whole = this.#said === '' ? exactText(findObject(this.#wire.input) ?? {}) : this.#said;
    const text = customInput(parseObject(whole));
    return text === undefined
      ? [this.#call(), ...this.#arguments(whole)]
      : [{ ...this.#call(), input: 'text' }, ...this.#arguments(text)];
  }

  #call(): AnswerEventOf<'tool-call'> {
    const name = findText(this.#wire.name) ?? '';
    const extensions = ownMembers(this.#wire, 'messages', callMembers);
    return defined({ kind: 'tool-call' as const, choice: 0, block: this.block, id: this.#id, name, extensions });
  }

  #arguments(text: string): readonly AnswerEvent[] {
    return text === '' ? [] : [{ kind: 'tool-arguments', choice: 0, block: this.block, text }];
  }
}

/** Decodes one content block of a stream from its start, its deltas and its stop. */
export interface BlockDecoder {
  readonly block: number;
  start(): readonly AnswerEvent[];
  delta(delta: JsonObject): readonly AnswerEvent[];
  stop(): readonly AnswerEvent[];
  /** Whether the block is incomplete so far, for a message that ends before the block does. */
  readonly isTorn?: boolean;
}

const textBlock = (block: number, wire: JsonObject): BlockDecoder => {
  const says = (text: string | undefined): readonly AnswerEvent[] =>
    text === undefined || text === '' ? [] : [{ kind: 'text', choice: 0, block, text }];
  const cites = (citations: readonly JsonObject[]): readonly AnswerEvent[] =>
    citations.flatMap((each) => {
      const citation = decodeCitation(each);
      return citation === undefined ? [] : [{ kind: 'citation' as const, choice: 0, block, citation }];
    });
  return {
    block,
    start: () => [...says(findText(wire.text)), ...cites(toObjects(wire.citations))],
    delta: (delta) => [...says(findText(delta.text)), ...cites([findObject(delta.citation) ?? {}])],
    stop: () => [],
  };
};

const thinkingBlock = (block: number, wire: JsonObject, scope: string): BlockDecoder => {
  const says = (members: JsonObject): readonly AnswerEvent[] => {
    const text = findText(members.thinking) ?? '';
    const bound = findSignature(findText(members.signature), scope);
    if (text === '' && bound === undefined) return [];
    return [defined({ kind: 'reasoning' as const, choice: 0, block, text: text === '' ? undefined : text, bound })];
  };
  return {
    block,
    // Sent even if it is empty, so that the block exists, because its thinking may be withheld.
    start: () => [{ kind: 'reasoning', choice: 0, block, text: '' }, ...says(wire)],
    delta: says,
    stop: () => [],
  };
};

const redactedBlock = (block: number, wire: JsonObject, scope: string): BlockDecoder => ({
  block,
  start: () => [
    { kind: 'reasoning', choice: 0, block, bound: readBound(findText(wire.data) ?? '', 'encrypted', scope) },
  ],
  delta: () => [],
  stop: () => [],
});

/** Emits a block that only this format has once it is complete. Its deltas continue its texts, by their names. */
const otherBlock = (block: number, wire: JsonObject): BlockDecoder => {
  let input = '';
  const texts = new Map<string, string>();
  return {
    block,
    start: () => [],
    delta: ({ type: _type, partial_json: piece, ...members }) => {
      input += findText(piece) ?? '';
      for (const [name, value] of Object.entries(members))
        if (typeof value === 'string') texts.set(name, (texts.get(name) ?? findText(wire[name]) ?? '') + value);
      return [];
    },
    stop: () => {
      const said = { ...wire, ...Object.fromEntries(texts) };
      const value = input === '' ? said : { ...said, input: parseJson(input) ?? input };
      const part = decodeServerTool(value) ?? { kind: 'other' as const, dialect: 'messages', value };
      return [{ kind: 'part', choice: 0, block, part }];
    },
  };
};

/** Returns the decoder of the block with a number in its answer. `scope` applies to bound values that name none. */
export const blockDecoder = (place: CallPlace, wire: JsonObject, scope: string): BlockDecoder => {
  const block = place.number;
  switch (wire.type) {
    case 'text':
      return textBlock(block, wire);
    case 'thinking':
      return thinkingBlock(block, wire, scope);
    case 'redacted_thinking':
      return redactedBlock(block, wire, scope);
    case 'tool_use':
      return new ToolBlock(place, wire);
    default:
      return otherBlock(block, wire);
  }
};
