import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { Usage } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../schema/json/loose.ts';
import { parseExactObject } from '../../../../schema/json/parse-json.ts';
import type { DecodeAnswer, Frame, StreamDecoder } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { streamCut } from '../../shared/parts/stream-cut.ts';
import { decodeClosing } from '../parts/closing-thought.ts';
import { decodeStreamError, findUntypedError } from '../parts/errors.ts';
import { type BlockDecoder, blockDecoder } from './block-decoder.ts';
import { decodeFinish } from './finish-reasons.ts';
import { findUsage } from './usage.ts';

/** The types of text deltas, with the types of blocks that they belong to. */
const typeOfDelta: ReadonlyMap<string | undefined, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
]);

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
class MessagesStreamDecoder implements StreamDecoder {
  readonly #blocks = new Map<number, BlockDecoder>();
  /** The blocks that have reported anything. Empty texts report nothing. */
  readonly #emitted = new Set<number>();
  /** The usage so far. The start has the usage of the input, the last delta that of the output. */
  #usage: Usage | undefined;
  #id = '';
  #started = false;
  #ended = false;
  #begun = 0;
  /** The index of the last event of a block. Events without an index belong to that block. */
  #last = 0;
  readonly #scope: string;

  constructor({ scope }: DecodeAnswer) {
    this.#scope = scope;
  }

  push(frame: Frame): readonly AnswerEvent[] {
    if (this.#ended) return [];
    const event = parseExactObject(frame.data);
    if (event === undefined)
      return frame.event === 'error'
        ? this.#close({ kind: 'error', error: decodeStreamError(frame) })
        : this.#close({ kind: 'error', error: { message: 'An event is not a JSON object.' } });
    switch (findText(event.type) ?? frame.event) {
      case 'message_start':
        return this.#start(findObject(event.message) ?? {});
      case 'content_block_start':
        return this.#startBlock(this.#indexOf(event), findObject(event.content_block) ?? {});
      case 'content_block_delta':
        return this.#growBlock(this.#indexOf(event), findObject(event.delta) ?? {});
      case 'content_block_stop':
        return this.#stopBlock(this.#indexOf(event));
      case 'message_delta':
        return this.#finish(event);
      case 'message_stop':
        return this.#stop();
      case 'error':
        return this.#close({ kind: 'error', error: decodeStreamError(frame) });
      case undefined:
      case 'message':
        return findUntypedError(event) === undefined
          ? []
          : this.#close({ kind: 'error', error: decodeStreamError(frame) });
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

  /** Starts the answer. Some services send the start twice. */
  #start(message: JsonObject): readonly AnswerEvent[] {
    if (this.#started) return [];
    this.#started = true;
    this.#usage = findUsage({ message });
    this.#id = findText(message.id) ?? '';
    const model = findText(message.model) ?? '';
    return [defined({ kind: 'start' as const, id: this.#id, model, usage: this.#usage })];
  }

  #indexOf({ index }: JsonObject): number {
    this.#last = findNumber(index) ?? this.#last;
    return this.#last;
  }

  /** Starts a block. Some services do not stop a block before they begin the next one with the same index. */
  #startBlock(index: number, wire: JsonObject): readonly AnswerEvent[] {
    if (this.#blocks.get(index)?.isTorn === true) return this.#close({ kind: 'error', error: streamCut });
    const before = this.#stopBlock(index);
    const block = blockDecoder({ answer: this.#id, number: this.#begun }, wire, this.#scope);
    this.#begun += 1;
    this.#blocks.set(index, block);
    return [...before, ...this.#emit(block, block.start())];
  }

  #growBlock(index: number, delta: JsonObject): readonly AnswerEvent[] {
    const block = this.#blocks.get(index);
    if (block !== undefined) return [...this.#emit(block, block.delta(delta)), ...this.#closing(delta)];
    // Clients treat a text whose block has not begun, or has stopped, as more of the answer.
    const type = typeOfDelta.get(findText(delta.type));
    return type === undefined ? [] : [...this.#startBlock(index, { type }), ...this.#growBlock(index, delta)];
  }

  /** Reports the value that closes a text, as separate reasoning. */
  #closing(delta: JsonObject): readonly AnswerEvent[] {
    if (delta.type !== 'text_delta' || delta.signature === undefined) return [];
    return decodeClosing(findText(delta.signature), this.#scope).map(({ bound }) => {
      this.#begun += 1;
      return defined({ kind: 'reasoning' as const, choice: 0, block: this.#begun - 1, bound });
    });
  }

  #stopBlock(index: number): readonly AnswerEvent[] {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    return block === undefined ? [] : this.#end(block);
  }

  #emit({ block }: BlockDecoder, events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    if (events.length > 0) this.#emitted.add(block);
    return events;
  }

  #end(block: BlockDecoder): readonly AnswerEvent[] {
    const last = this.#emit(block, block.stop());
    return this.#emitted.has(block.block) ? [...last, { kind: 'block-end', choice: 0, block: block.block }] : last;
  }

  /** Ends the blocks. Some services do not stop them. A call with incomplete input means that the message was cut. */
  #stop(): readonly AnswerEvent[] {
    const open = [...this.#blocks.values()];
    if (open.some(({ isTorn }) => isTorn === true)) return this.#close({ kind: 'error', error: streamCut });
    return [...open.flatMap((block) => this.#end(block)), ...this.#close({ kind: 'end' })];
  }

  /** Ends the open blocks that are whole, because none of their pieces comes after the finish reason. */
  #endWhole(): readonly AnswerEvent[] {
    const whole = [...this.#blocks].filter(([, { isTorn }]) => isTorn !== true);
    for (const [index] of whole) this.#blocks.delete(index);
    return whole.flatMap(([, block]) => this.#end(block));
  }

  #finish(event: JsonObject): readonly AnswerEvent[] {
    const delta = findObject(event.delta) ?? {};
    const raw = findText(delta.stop_reason);
    const finish: readonly AnswerEvent[] =
      raw === undefined ? [] : [...this.#endWhole(), { kind: 'finish', choice: 0, finish: decodeFinish(delta) }];
    const usage = findUsage(event, this.#usage);
    if (usage === undefined) return finish;
    this.#usage = usage;
    return [...finish, { kind: 'usage', usage }];
  }
}

export const streamDecoder = (options: DecodeAnswer): StreamDecoder => new MessagesStreamDecoder(options);
