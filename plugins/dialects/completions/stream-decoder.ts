import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../schema/json/loose.ts';
import type { Frame, StreamDecoder } from '../../sdk/dialect/dialect.ts';
import { decodeFinish } from '../chat/answer/finish-reasons.ts';
import { readChunk } from '../chat/answer/read-chunk.ts';
import { decodeUsage } from '../chat/answer/usage.ts';
import { findCreated } from '../shared/answer/find-created.ts';
import { defined } from '../shared/json/defined.ts';
import { streamCut } from '../shared/parts/stream-cut.ts';

const choiceEvents = (wire: JsonObject): readonly AnswerEvent[] => {
  const choice = findNumber(wire.index) ?? 0;
  const text = findText(wire.text) ?? '';
  const finish = findText(wire.finish_reason);
  return [
    ...(text === '' ? [] : [{ kind: 'text' as const, choice, block: 0, text }]),
    ...(finish === undefined || finish === ''
      ? []
      : [{ kind: 'finish' as const, choice, finish: decodeFinish(finish) }]),
  ];
};

/** Decodes the chunks of a text completion. Each is a whole object, with the next piece of the text of its choices. */
export class CompletionsDecoder implements StreamDecoder {
  #started = false;
  #ended = false;

  push(frame: Frame): readonly AnswerEvent[] {
    if (this.#ended) return [];
    const read = readChunk(frame);
    if ('last' in read) return this.#close(read.last);
    const { chunk } = read;
    const usage = decodeUsage(findObject(chunk.usage));
    return [
      ...this.#start(chunk),
      ...toObjects(chunk.choices).flatMap(choiceEvents),
      ...(usage === undefined ? [] : [{ kind: 'usage' as const, usage }]),
    ];
  }

  end(): readonly AnswerEvent[] {
    return this.#ended ? [] : this.#close({ kind: 'error', error: streamCut });
  }

  #start(chunk: JsonObject): readonly AnswerEvent[] {
    if (this.#started) return [];
    this.#started = true;
    const [id, model] = [findText(chunk.id) ?? '', findText(chunk.model) ?? ''];
    return [defined({ kind: 'start' as const, id, model, created: findCreated(chunk.created) })];
  }

  #close(last: AnswerEvent): readonly AnswerEvent[] {
    this.#ended = true;
    return [last];
  }
}
