import type { AnswerEvent } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import type { Frame, StreamDecoder } from '../../sdk/dialect.ts';
import { decodeStreamError } from '../chat/errors.ts';
import { decodeFinish } from '../chat/finish-reasons.ts';
import { decodeUsage } from '../chat/usage.ts';
import { defined } from '../wire/defined.ts';
import { numberOf, objectOf, objectsOf, textOf } from '../wire/loose.ts';
import { parseObject } from '../wire/parse-json.ts';
import { streamCut } from '../wire/stream-cut.ts';

const choiceEvents = (wire: JsonObject): readonly AnswerEvent[] => {
  const choice = numberOf(wire.index) ?? 0;
  const text = textOf(wire.text) ?? '';
  const finish = textOf(wire.finish_reason);
  return [
    ...(text === '' ? [] : [{ kind: 'text' as const, choice, block: 0, text }]),
    ...(finish === undefined ? [] : [{ kind: 'finish' as const, choice, finish: decodeFinish(finish) }]),
  ];
};

/** The chunks of a text completion are whole objects, each with the next piece of its choices' texts. */
export class CompletionsDecoder implements StreamDecoder {
  #started = false;
  #ended = false;

  push(frame: Frame): readonly AnswerEvent[] {
    if (this.#ended) return [];
    if (frame.data.startsWith('[DONE]')) return this.#close({ kind: 'end' });
    const chunk = parseObject(frame.data);
    if (chunk === undefined) return this.#close({ kind: 'error', error: { message: 'A chunk is not a JSON object.' } });
    if (frame.event === 'error' || (chunk.error !== undefined && chunk.error !== null))
      return this.#close({ kind: 'error', error: decodeStreamError(frame) });
    const usage = objectOf(chunk.usage);
    return [
      ...this.#start(chunk),
      ...objectsOf(chunk.choices).flatMap(choiceEvents),
      ...(usage === undefined ? [] : [{ kind: 'usage' as const, usage: decodeUsage(usage) }]),
    ];
  }

  end(): readonly AnswerEvent[] {
    return this.#ended ? [] : this.#close({ kind: 'error', error: streamCut });
  }

  #start(chunk: JsonObject): readonly AnswerEvent[] {
    if (this.#started) return [];
    this.#started = true;
    const [id, model] = [textOf(chunk.id) ?? '', textOf(chunk.model) ?? ''];
    return [defined({ kind: 'start' as const, id, model, created: numberOf(chunk.created) })];
  }

  #close(last: AnswerEvent): readonly AnswerEvent[] {
    this.#ended = true;
    return [last];
  }
}
