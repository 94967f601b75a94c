import type { AnswerEvent } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { customInput, startsCustom } from '../wire/custom-tool.ts';
import { objectOf, textOf } from '../wire/loose.ts';
import { parseJson, parseObject } from '../wire/parse-json.ts';

/**
 * One tool call of a stream. It is told once it is known what its arguments are: none, which stands for an empty object,
 * the input of a custom tool, or any others.
 */
export class CallDecoder {
  readonly #at: { readonly choice: 0; readonly block: number };
  readonly #call: JsonObject;
  #text = '';
  #isCustom: ReturnType<typeof startsCustom> = 'maybe';
  #isTold = false;

  constructor(block: number, call: JsonObject) {
    this.#at = { choice: 0, block };
    this.#call = call;
  }

  /** Whether the arguments so far are incomplete. */
  get isTorn(): boolean {
    return this.#text !== '' && parseJson(this.#text) === undefined;
  }

  start(): readonly AnswerEvent[] {
    return [];
  }

  delta({ toolUse }: JsonObject): readonly AnswerEvent[] {
    const piece = textOf(objectOf(toolUse)?.input) ?? '';
    this.#text += piece;
    if (this.#isTold) return this.#says(piece);
    if (this.#isCustom === 'maybe') this.#isCustom = startsCustom(this.#text);
    if (this.#isCustom !== 'no') return [];
    this.#isTold = true;
    return [this.#begin(), ...this.#says(this.#text)];
  }

  stop(): readonly AnswerEvent[] {
    if (this.#isTold) return [];
    this.#isTold = true;
    const custom = customInput(parseObject(this.#text));
    if (custom !== undefined) return [this.#begin('text'), ...this.#says(custom)];
    return [this.#begin(), ...this.#says(this.#text.trim() === '' ? '{}' : this.#text)];
  }

  #begin(input?: 'text'): AnswerEvent {
    const id = textOf(this.#call.toolUseId) ?? '';
    return { kind: 'tool-call', ...this.#at, id, name: textOf(this.#call.name) ?? '', ...(input && { input }) };
  }

  #says(text: string): readonly AnswerEvent[] {
    return text === '' ? [] : [{ kind: 'tool-arguments', ...this.#at, text }];
  }
}
