import { readBound } from '../../../schema/bound.ts';
import type { AnswerEvent } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { defined } from '../wire/defined.ts';
import { objectOf, textOf } from '../wire/loose.ts';
import { parseJson } from '../wire/parse-json.ts';
import { signatureOf } from './signature.ts';

/** One content block of a stream, from its start, its deltas and its stop. */
export interface BlockDecoder {
  start(): readonly AnswerEvent[];
  delta(delta: JsonObject): readonly AnswerEvent[];
  stop(): readonly AnswerEvent[];
  /** Whether the block is incomplete so far, for a message that ends before the block does. */
  readonly isTorn?: boolean;
}

const textBlock = (block: number, wire: JsonObject): BlockDecoder => {
  const says = (text: string | undefined): readonly AnswerEvent[] =>
    text === undefined || text === '' ? [] : [{ kind: 'text', choice: 0, block, text }];
  return { start: () => says(textOf(wire.text)), delta: (delta) => says(textOf(delta.text)), stop: () => [] };
};

const thinkingBlock = (block: number, wire: JsonObject, scope: string): BlockDecoder => {
  const says = (members: JsonObject): readonly AnswerEvent[] => {
    const text = textOf(members.thinking) ?? '';
    const bound = signatureOf(textOf(members.signature), scope);
    if (text === '' && bound === undefined) return [];
    return [defined({ kind: 'reasoning' as const, choice: 0, block, text: text === '' ? undefined : text, bound })];
  };
  return {
    // Sent even if it is empty, so that the block exists: its thinking may be withheld.
    start: () => [{ kind: 'reasoning', choice: 0, block, text: '' }, ...says(wire)],
    delta: says,
    stop: () => [],
  };
};

const redactedBlock = (block: number, wire: JsonObject, scope: string): BlockDecoder => ({
  start: () => [{ kind: 'reasoning', choice: 0, block, bound: readBound(textOf(wire.data) ?? '', 'encrypted', scope) }],
  delta: () => [],
  stop: () => [],
});

/** Some providers send the whole input at the start; a call without input has an empty object. */
const toolBlock = (block: number, wire: JsonObject): BlockDecoder => {
  const whole = objectOf(wire.input) ?? {};
  let said = '';
  const says = (text: string): readonly AnswerEvent[] => {
    if (text === '') return [];
    said += text;
    return [{ kind: 'tool-arguments', choice: 0, block, text }];
  };
  return {
    start: () => [{ kind: 'tool-call', choice: 0, block, id: textOf(wire.id) ?? '', name: textOf(wire.name) ?? '' }],
    delta: (delta) => says(textOf(delta.partial_json) ?? ''),
    stop: () => (said === '' ? says(JSON.stringify(whole)) : []),
    get isTorn() {
      return said !== '' && parseJson(said) === undefined;
    },
  };
};

/** A block that only this format has is emitted when it is complete. */
const otherBlock = (block: number, wire: JsonObject): BlockDecoder => {
  let input = '';
  return {
    start: () => [],
    delta: (delta) => {
      input += textOf(delta.partial_json) ?? '';
      return [];
    },
    stop: () => {
      const value = input === '' ? wire : { ...wire, input: parseJson(input) ?? input };
      return [{ kind: 'part', choice: 0, block, part: { kind: 'other', dialect: 'messages', value } }];
    },
  };
};

/** `scope` is that of bound values which name none. */
export const blockDecoder = (block: number, wire: JsonObject, scope: string): BlockDecoder => {
  switch (wire.type) {
    case 'text':
      return textBlock(block, wire);
    case 'thinking':
      return thinkingBlock(block, wire, scope);
    case 'redacted_thinking':
      return redactedBlock(block, wire, scope);
    case 'tool_use':
      return toolBlock(block, wire);
    default:
      return otherBlock(block, wire);
  }
};
