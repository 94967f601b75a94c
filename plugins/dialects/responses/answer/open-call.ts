import type { AnswerEventOf } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import type { BlockEvent } from '../../shared/answer/block-event.ts';
import { GrowingObject } from '../../shared/json/growing-object.ts';
import { callItem } from '../parts/calls.ts';
import type { ItemWriter } from './event-writer.ts';
import type { OpenItem } from './open-item.ts';
import type { ItemStatus } from './output-items.ts';

/** A call of a function or of a custom tool. */
export class OpenCall implements OpenItem {
  readonly #writer: ItemWriter;
  readonly #call: AnswerEventOf<'tool-call'>;
  readonly #arguments = new GrowingObject();
  #text = '';
  #isEnded = false;

  constructor(writer: ItemWriter, call: AnswerEventOf<'tool-call'>) {
    this.#writer = writer;
    this.#call = call;
  }

  /** Whether more pieces may come: those of parallel calls may alternate, and plain text may always continue. */
  get isWaiting(): boolean {
    return !this.#isEnded && (this.#isCustom || !this.#arguments.isWhole);
  }

  get #isCustom(): boolean {
    return this.#call.input === 'text';
  }

  begin(): readonly Frame[] {
    return [this.#writer.added(this.#item('in_progress'))];
  }

  push(event: BlockEvent): readonly Frame[] | undefined {
    if (event.block !== this.#call.block) return undefined;
    if (event.kind === 'block-end') this.#isEnded = true;
    if (event.kind !== 'tool-arguments') return [];
    this.#text += event.text;
    this.#arguments.push(event.text);
    const type = this.#isCustom ? 'custom_tool_call_input.delta' : 'function_call_arguments.delta';
    return event.text === '' ? [] : [this.#writer.part(type, { delta: event.text })];
  }

  end(status: ItemStatus): { readonly frames: readonly Frame[]; readonly item: JsonObject } {
    const text = this.#text;
    const item = this.#item(status);
    const done = this.#isCustom
      ? this.#writer.part('custom_tool_call_input.done', { input: text })
      : this.#writer.part('function_call_arguments.done', { name: this.#call.name, arguments: text });
    return { frames: [done, this.#writer.done(item)], item };
  }

  #item(status: ItemStatus): JsonObject {
    return callItem({ ...this.#call, arguments: this.#text }, { id: this.#writer.id, status });
  }
}
