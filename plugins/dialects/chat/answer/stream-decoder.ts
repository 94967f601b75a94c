import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { DecodeAnswer, Frame, StreamDecoder } from '../../../sdk/dialect/dialect.ts';
import { findCreated } from '../../shared/answer/find-created.ts';
import { NewMembers } from '../../shared/answer/new-members.ts';
import { defined } from '../../shared/json/defined.ts';
import { streamCut } from '../../shared/parts/stream-cut.ts';
import { ChoiceDecoder } from './choice-decoder.ts';
import { readChunk } from './read-chunk.ts';
import { decodeUsage } from './usage.ts';

/** https://platform.openai.com/docs/api-reference/chat-streaming */
class ChatStreamDecoder implements StreamDecoder {
  readonly #choices = new Map<number, ChoiceDecoder>();
  readonly #scope: string;
  readonly #found = new NewMembers();
  /** Only some chunks name the tier, and the one with the usage might not. */
  #tier: string | undefined;
  #id = '';
  #started = false;
  #ended = false;

  constructor({ scope }: DecodeAnswer) {
    this.#scope = scope;
  }

  push(frame: Frame): readonly AnswerEvent[] {
    if (this.#ended) return [];
    const read = readChunk(frame);
    return 'last' in read ? this.#close(read.last) : this.#chunkEvents(read.chunk);
  }

  /**
   * Ends the stream. If a provider sends no [DONE], the answer is complete when every choice that began has its finish reason.
   */
  end(): readonly AnswerEvent[] {
    if (this.#ended) return [];
    const choices = [...this.#choices.values()];
    const whole = choices.length > 0 && choices.every(({ finished }) => finished);
    return this.#close(whole ? { kind: 'end' } : { kind: 'error', error: streamCut });
  }

  #close(last: AnswerEvent): readonly AnswerEvent[] {
    this.#ended = true;
    return last.kind === 'end' ? this.#endEvents(last) : [last];
  }

  /** Returns the events of the end. A call without a name cannot be run, so its arguments mean that the stream was cut. */
  #endEvents(end: AnswerEvent): readonly AnswerEvent[] {
    const choices = [...this.#choices.values()];
    if (choices.some(({ isTorn }) => isTorn)) return [{ kind: 'error', error: streamCut }];
    const events: AnswerEvent[] = [];
    for (const choice of choices) choice.close(events);
    events.push(end);
    return events;
  }

  #chunkEvents(chunk: JsonObject): readonly AnswerEvent[] {
    const events: AnswerEvent[] = [];
    const choices = toObjects(chunk.choices);
    this.#tier = findText(chunk.service_tier) ?? this.#tier;
    const usage = decodeUsage(findObject(chunk.usage), this.#tier);
    // A chunk without choices may precede the answer, without its id and its model.
    if (!this.#started && choices.length > 0) events.push(this.#start(chunk));
    this.#addFound(chunk, events);
    for (const choice of choices) this.#choiceAt(findNumber(choice.index) ?? 0).push(choice, events);
    if (usage !== undefined) events.push({ kind: 'usage', usage });
    return events;
  }

  /** Adds what Perplexity has found. Each chunk has everything found so far. */
  #addFound({ search_results: found, related_questions: related }: JsonObject, events: AnswerEvent[]): void {
    if (found === undefined && related === undefined) return;
    const value = this.#found.of(defined({ search_results: found, related_questions: related }) as JsonObject);
    if (value !== undefined) events.push({ kind: 'extension', dialect: 'chat', value });
  }

  #start(chunk: JsonObject): AnswerEvent {
    this.#started = true;
    this.#id = findText(chunk.id) ?? '';
    const created = findCreated(chunk.created);
    return defined({
      kind: 'start' as const,
      id: this.#id,
      model: findText(chunk.model) ?? '',
      created,
    });
  }

  #choiceAt(index: number): ChoiceDecoder {
    const known = this.#choices.get(index);
    if (known !== undefined) return known;
    const choice = new ChoiceDecoder(index, { scope: this.#scope, answer: this.#id });
    this.#choices.set(index, choice);
    return choice;
  }
}

export const streamDecoder = (options: DecodeAnswer): StreamDecoder => new ChatStreamDecoder(options);
