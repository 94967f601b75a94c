import type { AnswerEvent } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { customInput, customMember } from '../wire/custom-tool.ts';
import { objectOf, textOf } from '../wire/loose.ts';
import { parseJson, parseObject } from '../wire/parse-json.ts';

/** How the input of a custom tool begins. */
const customBeginning = `{"${customMember}"`;

/** What a tool is, as far as the beginning of its input says; undefined if it does not say yet. */
const kindOf = (said: string): 'function' | 'custom' | undefined => {
  const begun = said.slice(0, 100).replace(/^\s*\{\s*/, '{');
  if (begun.startsWith(customBeginning)) return 'custom';
  return customBeginning.startsWith(begun) ? undefined : 'function';
};

/**
 * The call of a tool. Whether it is a custom one shows in the beginning of its input: until then the call waits, and the
 * text of a custom tool waits until it is complete. Some providers send the whole input at the start; a call without input
 * has an empty object.
 */
export class ToolBlock {
  readonly block: number;
  readonly #wire: JsonObject;
  #said = '';
  #kind: 'function' | 'custom' | undefined;

  constructor(block: number, wire: JsonObject) {
    this.block = block;
    this.#wire = wire;
  }

  get isTorn(): boolean {
    return this.#said !== '' && parseJson(this.#said) === undefined;
  }

  start(): readonly AnswerEvent[] {
    return [];
  }

  delta(delta: JsonObject): readonly AnswerEvent[] {
    const piece = textOf(delta.partial_json) ?? '';
    this.#said += piece;
    if (this.#kind === 'function') return this.#arguments(piece);
    this.#kind ??= kindOf(this.#said);
    return this.#kind === 'function' ? [this.#call(), ...this.#arguments(this.#said)] : [];
  }

  stop(): readonly AnswerEvent[] {
    if (this.#kind === 'function') return [];
    const whole = this.#said === '' ? JSON.stringify(objectOf(this.#wire.input) ?? {}) : this.#said;
    const text = customInput(parseObject(whole));
    return text === undefined
      ? [this.#call(), ...this.#arguments(whole)]
      : [{ ...this.#call(), input: 'text' }, ...this.#arguments(text)];
  }

  #call(): Extract<AnswerEvent, { kind: 'tool-call' }> {
    const { id, name } = this.#wire;
    return { kind: 'tool-call', choice: 0, block: this.block, id: textOf(id) ?? '', name: textOf(name) ?? '' };
  }

  #arguments(text: string): readonly AnswerEvent[] {
    return text === '' ? [] : [{ kind: 'tool-arguments', choice: 0, block: this.block, text }];
  }
}
