import { readBound } from '../../../schema/bound.ts';
import type { AnswerEvent } from '../../../schema/conversation.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf, numberOf, objectOf, objectsOf, textOf } from '../wire/loose.ts';
import { signatureOf, thinkingText } from './content-blocks.ts';
import { decodeFinish } from './finish-reasons.ts';
import { ToolCallAssembly } from './tool-call-assembly.ts';

/** One choice of a stream. Each kind of text is one block, whatever comes between its pieces, as in a whole answer. */
export class ChoiceDecoder {
  readonly #choice: number;
  /** Of bound values that name none. */
  readonly #scope: string;
  readonly #blocks = new Map<string, number>();
  readonly #calls: ToolCallAssembly;
  #next = 0;
  finished = false;

  constructor(choice: number, scope: string) {
    this.#choice = choice;
    this.#scope = scope;
    this.#calls = new ToolCallAssembly(choice, () => this.#nextBlock());
  }

  push(chunk: JsonObject): readonly AnswerEvent[] {
    const delta = objectOf(chunk.delta) ?? {};
    const legacy = objectOf(delta.function_call);
    const calls = legacy === undefined ? objectsOf(delta.tool_calls) : [{ index: 0, function: legacy }];
    return [
      ...this.#contentEvents(delta),
      ...this.#textEvents('refusal', delta.refusal),
      ...calls.flatMap((piece) => this.#calls.push(piece)),
      ...this.#finishEvents(textOf(chunk.finish_reason)),
    ];
  }

  #nextBlock(): number {
    const block = this.#next;
    this.#next += 1;
    return block;
  }

  #blockOf(name: string): number {
    const known = this.#blocks.get(name);
    if (known !== undefined) return known;
    const block = this.#nextBlock();
    this.#blocks.set(name, block);
    return block;
  }

  #textEvents(kind: 'text' | 'refusal' | 'reasoning', value: Json | undefined, name: string = kind): AnswerEvent[] {
    const text = textOf(value);
    if (text === undefined || text === '') return [];
    return [{ kind, choice: this.#choice, block: this.#blockOf(name), text }];
  }

  #contentEvents(delta: JsonObject): readonly AnswerEvent[] {
    const blocks = objectsOf(delta.content_blocks);
    if (blocks.length > 0) return blocks.flatMap((block) => this.#blockEvents(block));
    const reasoning = textOf(delta.reasoning_content) ?? delta.reasoning;
    const content =
      itemsOf(delta.content) === undefined
        ? this.#textEvents('text', delta.content)
        : objectsOf(delta.content).flatMap((part) =>
            part.type === 'thinking'
              ? this.#textEvents('reasoning', thinkingText(part))
              : this.#textEvents('text', part.text),
          );
    return [...this.#textEvents('reasoning', reasoning), ...content];
  }

  /** One item of a non-strict `delta.content_blocks`. */
  #blockEvents(item: JsonObject): readonly AnswerEvent[] {
    const delta = objectOf(item.delta) ?? {};
    const name = `block ${numberOf(item.index) ?? 0}`;
    const encrypted = textOf(delta.data);
    const bound =
      encrypted === undefined
        ? signatureOf(textOf(delta.signature), this.#scope)
        : readBound(encrypted, 'encrypted', this.#scope);
    const proof: readonly AnswerEvent[] =
      bound === undefined ? [] : [{ kind: 'reasoning', choice: this.#choice, block: this.#blockOf(name), bound }];
    return [
      ...this.#textEvents('reasoning', delta.thinking, name),
      ...this.#textEvents('text', delta.text, name),
      ...proof,
    ];
  }

  #finishEvents(raw: string | undefined): readonly AnswerEvent[] {
    if (raw === undefined || this.finished) return [];
    this.finished = true;
    return [{ kind: 'finish', choice: this.#choice, finish: decodeFinish(raw) }];
  }
}
