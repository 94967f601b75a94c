import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import type { DecodeAnswer, Frame, StreamDecoder } from '../../../sdk/dialect/dialect.ts';
import { streamCut } from '../../shared/parts/stream-cut.ts';
import { decodeStreamError } from '../parts/errors.ts';
import { type BlockDecoder, blockDecoder, plainBlock } from './block-decoder.ts';
import { isError } from './classify.ts';
import { decodeFinish } from './finish-reasons.ts';
import { findUsage } from './usage.ts';

const none: readonly AnswerEvent[] = [];

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html */
class ConverseStreamDecoder implements StreamDecoder {
  readonly #blocks = new Map<number, BlockDecoder>();
  readonly #options: DecodeAnswer;
  #begun = 0;
  /** The index of the last event of a block. Events without an index belong to that block. */
  #last = 0;
  #started = false;
  /** The usage usually comes after the message has stopped. */
  #stopped = false;
  #counted = false;
  #ended = false;

  constructor(options: DecodeAnswer) {
    this.#options = options;
  }

  push(frame: Frame): readonly AnswerEvent[] {
    if (this.#ended) return none;
    if (isError(frame)) return this.#close([{ kind: 'error', error: decodeStreamError(frame) }]);
    const event = parseObject(frame.data);
    if (event === undefined)
      return this.#close([{ kind: 'error', error: { message: 'An event is not a JSON object.' } }]);
    const events = this.#read(frame.event, event);
    return this.#stopped && this.#counted ? this.#close(events, { kind: 'end' }) : events;
  }

  end(): readonly AnswerEvent[] {
    if (this.#ended) return none;
    return this.#stopped ? this.#close([{ kind: 'end' }]) : this.#cut();
  }

  #close(events: readonly AnswerEvent[], ...last: readonly AnswerEvent[]): readonly AnswerEvent[] {
    this.#ended = true;
    return events.some(({ kind }) => kind === 'error') ? events : [...events, ...last];
  }

  #read(name: string | undefined, event: JsonObject): readonly AnswerEvent[] {
    const index = findNumber(event.contentBlockIndex) ?? this.#last;
    this.#last = index;
    switch (name) {
      case 'messageStart':
        return this.#start();
      case 'contentBlockStart':
        return [...this.#start(), ...this.#startBlock(index, findObject(event.start) ?? {})];
      case 'contentBlockDelta':
        return [...this.#start(), ...this.#growBlock(index, findObject(event.delta) ?? {})];
      case 'contentBlockStop':
        return this.#stopBlock(index);
      case 'messageStop':
        return [...this.#start(), ...this.#stop(event)];
      case 'metadata':
        return this.#count(event);
      default:
        return none;
    }
  }

  #start(): readonly AnswerEvent[] {
    if (this.#started) return none;
    this.#started = true;
    return [{ kind: 'start', id: '', model: this.#options.model ?? '' }];
  }

  /** Starts a block. It ends the one before it with the same index. */
  #startBlock(index: number, start: JsonObject): readonly AnswerEvent[] {
    if (this.#blocks.get(index)?.isTorn === true) return this.#cut();
    const before = this.#stopBlock(index);
    return [...before, ...this.#open(index, blockDecoder(this.#begun, start, this.#options.scope)).start()];
  }

  /** Grows the block with an index, and creates one for text or reasoning, which have no start. A call cannot be run without one. */
  #growBlock(index: number, delta: JsonObject): readonly AnswerEvent[] {
    const block = this.#blocks.get(index);
    if (block === undefined && delta.toolUse !== undefined) return this.#cut();
    return (block ?? this.#open(index, plainBlock(this.#begun, this.#options.scope))).delta(delta);
  }

  #cut(): readonly AnswerEvent[] {
    return this.#close([{ kind: 'error', error: streamCut }]);
  }

  #open(index: number, block: BlockDecoder): BlockDecoder {
    this.#begun += 1;
    this.#blocks.set(index, block);
    return block;
  }

  #stopBlock(index: number): readonly AnswerEvent[] {
    const block = this.#blocks.get(index);
    this.#blocks.delete(index);
    return block?.stop() ?? none;
  }

  /** Blocks may be left open. A call with incomplete input means that the message was cut. */
  #stop({ stopReason, additionalModelResponseFields }: JsonObject): readonly AnswerEvent[] {
    const open = [...this.#blocks.values()];
    if (open.some(({ isTorn }) => isTorn === true)) return this.#cut();
    this.#stopped = true;
    const finish = decodeFinish(findText(stopReason), findObject(additionalModelResponseFields));
    return [...open.flatMap((block) => block.stop()), { kind: 'finish', choice: 0, finish }];
  }

  #count(event: JsonObject): readonly AnswerEvent[] {
    this.#counted = true;
    const usage = findUsage(event);
    return usage === undefined ? none : [...this.#start(), { kind: 'usage', usage }];
  }
}

export const streamDecoder = (options: DecodeAnswer): StreamDecoder => new ConverseStreamDecoder(options);
