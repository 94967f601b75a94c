import type { AnswerEvent } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { objectOf, textOf } from '../../../../schema/json/loose.ts';
import { parseJson, parseObject } from '../../../../schema/json/parse-json.ts';
import { customInput, startsCustom } from '../../wire/tools/custom-tool.ts';

/**
 * The call of a tool. Whether it is a custom one shows in the beginning of its input: until then the call waits, and the
 * text of a custom tool waits until it is complete. Some providers send the whole input at the start; a call without input
 * has an empty object.
 */
export class ToolBlock {
  readonly block: number;
  readonly #wire: JsonObject;
  #said = '';
  #isCustom: ReturnType<typeof startsCustom> = 'maybe';

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
    if (this.#isCustom === 'no') return this.#arguments(piece);
    if (this.#isCustom === 'maybe') this.#isCustom = startsCustom(this.#said);
    return this.#isCustom === 'no' ? [this.#call(), ...this.#arguments(this.#said)] : [];
  }

  stop(): readonly AnswerEvent[] {
    if (this.#isCustom === 'no') return [];
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
