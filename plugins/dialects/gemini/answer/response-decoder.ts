import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import type { DecodeAnswer } from '../../../sdk/dialect/dialect.ts';
import { defined } from '../../shared/json/defined.ts';
import { makeCallId } from '../../shared/request/call-ids.ts';
import { ChoiceDecoder } from './choice-decoder.ts';
import { findUsage } from './usage.ts';

const none: readonly AnswerEvent[] = [];

const findSeconds = (time: string | undefined): number | undefined => {
  const milliseconds = Date.parse(time ?? '');
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
};

/** Returns why the prompt was refused, if nothing was generated. */
export const findBlock = (response: JsonObject): JsonObject | undefined => {
  const feedback = findObject(response.promptFeedback);
  const isBlocked = findText(feedback?.blockReason) !== undefined && toObjects(response.candidates).length === 0;
  return isBlocked ? feedback : undefined;
};

/** Decodes an answer from `GenerateContentResponse`s: one, or one for each frame of a stream. */
export class ResponseDecoder {
  readonly #options: DecodeAnswer;
  readonly #candidates = new Map<number, ChoiceDecoder>();
  #id = '';
  #started = false;
  #blocked = false;
  #madeIds = 0;

  constructor(options: DecodeAnswer) {
    this.#options = options;
  }

  /** Whether every candidate that began has finished. */
  get isWhole(): boolean {
    const candidates = [...this.#candidates.values()];
    return this.#blocked || (candidates.length > 0 && candidates.every(({ finished }) => finished));
  }

  push(response: JsonObject): readonly AnswerEvent[] {
    const usage = findUsage(response);
    return [
      ...(this.#started ? none : [this.#start(response)]),
      ...toObjects(response.candidates).flatMap((candidate, position) =>
        this.#candidateAt(findNumber(candidate.index) ?? position).push(candidate),
      ),
      ...this.#block(findBlock(response)),
      ...(usage === undefined ? none : [{ kind: 'usage' as const, usage }]),
    ];
  }

  /** Ends a whole answer. */
  close(): readonly AnswerEvent[] {
    return [...this.#candidates.values()].flatMap((candidate) => candidate.close());
  }

  #start(response: JsonObject): AnswerEvent {
    this.#started = true;
    this.#id = findText(response.responseId) ?? '';
    return defined({
      kind: 'start' as const,
      id: this.#id,
      model: findText(response.modelVersion) ?? this.#options.model ?? '',
      created: findSeconds(findText(response.createTime)),
      usage: findUsage(response),
    });
  }

  #block(feedback: JsonObject | undefined): readonly AnswerEvent[] {
    if (feedback === undefined || this.#blocked) return none;
    this.#blocked = true;
    const [raw, details] = [findText(feedback.blockReason), findText(feedback.blockReasonMessage)];
    return [{ kind: 'finish', choice: 0, finish: defined({ reason: 'blocked-prompt' as const, raw, details }) }];
  }

  #candidateAt(choice: number): ChoiceDecoder {
    const known = this.#candidates.get(choice);
    if (known !== undefined) return known;
    const candidate = new ChoiceDecoder({ choice, scope: this.#options.scope, makeId: () => this.#makeId() });
    this.#candidates.set(choice, candidate);
    return candidate;
  }

  #makeId(): string {
    const id = makeCallId(this.#id, this.#madeIds);
    this.#madeIds += 1;
    return id;
  }
}
