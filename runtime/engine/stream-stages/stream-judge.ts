import type { Replacement } from '../../../plugins/sdk/guardrail/guardrail.ts';
import type { HookResult } from '../../../plugins/sdk/hooks/hook-result.ts';
import type { Answer } from '../../../schema/conversation/answer.ts';
import type { Part } from '../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { rootPointer } from '../../../schema/json/pointer.ts';
import { type MaybePromise, thenMaybe } from '../../async/maybe-promise.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { hasHookErred } from '../guardrail-checks/checked-event.ts';
import type { ChecksFound, RunChecks } from '../guardrail-checks/link-checks.ts';
import { toLines } from '../guardrail-verdicts/check-text.ts';
import type { CheckedPart } from '../guardrail-verdicts/checked-part.ts';
import type { AnswerCoding, ExtensionEvent, ReadTexts } from './answer-coding.ts';
import type { PieceFound, RunPieceChecks } from './link-piece-checks.ts';
import type { ReleasedEvents } from './released-events.ts';
import type { TextPlace } from './running-text.ts';
import { textDifference } from './text-difference.ts';
import { isUnreported, UnreportedWindows } from './unreported/unreported-texts.ts';

export interface JudgeOptions {
  readonly call: LeafCall;
  readonly coding: AnswerCoding;
  /** The request's body, with overrides applied. */
  readonly params: JsonObject;
  /** Runs all hooks on the whole answer. */
  readonly whole: RunChecks;
  /** Runs the hooks that the client's text waits for on a piece of it. */
  readonly piece: RunPieceChecks;
  /** Called before the whole answer is judged. */
  readonly onWhole: () => void;
  /** Called when a piece is denied. The whole answer is then not judged. */
  readonly onDenied: (results: readonly HookResult[]) => void;
}

/** The results for a whole answer, and the answer as checks changed it. */
export interface WholeFound extends Pick<ChecksFound, 'result'> {
  readonly changed?: Answer;
}

/** The replacements in a window. Undefined if it is denied. */
export type WindowFound = readonly Replacement[] | undefined;

const nothingReplaced: readonly Replacement[] = [];

/** Judges one stream, and collects what is reported to its client and in its trail. */
export class StreamJudge {
  readonly #options: JudgeOptions;
  readonly #windows = new UnreportedWindows();

  constructor(options: JudgeOptions) {
    this.#options = options;
  }

  whole(released: ReleasedEvents): MaybePromise<WholeFound> {
    const { call, coding, whole, onWhole } = this.#options;
    onWhole();
    const part = released.isTooLarge
      ? { unreadable: 'The answer is too large to be judged.' }
      : this.#wholePart(released.answer());
    return thenMaybe(whole(call, part), ({ result, results, changed, retry }) => {
      this.#keep(results);
      call.askedRetry = retry;
      const answer = changed?.part.answer;
      return answer === undefined ? { result } : { result, changed: coding.decode(answer) };
    });
  }

  /** Judges the next window of a running text, synchronously if all of its checks are synchronous. */
  window(text: string, { kind, choice }: TextPlace): MaybePromise<WindowFound> {
    const { params } = this.#options;
    const replaced = (found: PieceFound | undefined): WindowFound => {
      if (found?.changed === undefined) return found === undefined ? undefined : nothingReplaced;
      const { change, part } = found.changed;
      return change?.kind === 'replace' ? change.replacements : textDifference(text, part.text);
    };
    return thenMaybe(this.#piece({ params, text, spans: [{ at: rootPointer, text, kind, choice }] }), replaced);
  }

  /** Judges a part that came whole. Returns undefined if it is denied, or the part as checks left it. */
  part(part: Part, choice: number): MaybePromise<Part | undefined> {
    return this.#released(part, this.#options.coding.readPart(part, choice), ({ choices }) => {
      return choices.find(({ index }) => index === choice)?.parts[0];
    });
  }

  /**
   * Like `part`, for content that only one dialect has. Content of frames that no event reports is dropped if a check changes it.
   */
  extension(event: ExtensionEvent): MaybePromise<readonly ExtensionEvent[] | undefined> {
    if (isUnreported(event)) return this.#unreported(event);
    return thenMaybe(this.#extension(event), (found) => found && [found]);
  }

  #unreported(event: ExtensionEvent): MaybePromise<readonly ExtensionEvent[] | undefined> {
    const { params } = this.#options;
    const spans = this.#windows.next(event);
    if (spans.length === 0) return [event];
    const judged = this.#piece({ params, ...toLines(spans) });
    return thenMaybe(judged, (found) => found && (found.changed === undefined ? [event] : []));
  }

  #extension(event: ExtensionEvent): MaybePromise<ExtensionEvent | undefined> {
    const { choice, dialect } = event;
    return this.#released(event, this.#options.coding.readExtension(event), ({ choices, extensions }) => {
      const all = choice === undefined ? extensions : choices.find(({ index }) => index === choice)?.extensions;
      const value = all?.[dialect];
      return value === undefined ? undefined : { ...event, value };
    });
  }

  /** Judges something that came whole, as the only content of an answer, and reads it back from the answer as checks left it. */
  #released<Whole>(
    whole: Whole,
    { answer, text }: ReadTexts,
    reread: (changed: Answer) => Whole | undefined,
  ): MaybePromise<Whole | undefined> {
    const { coding, params } = this.#options;
    if (text === undefined || text.text === '') return whole;
    const judged = this.#piece({ params, ...text, answer, read: (changed) => coding.reread(changed) });
    return thenMaybe(judged, (found) => {
      if (found === undefined) return undefined;
      const changed = found.changed?.part.answer;
      return changed === undefined ? whole : (reread(coding.decode(changed)) ?? whole);
    });
  }

  /** Returns the texts of one part. */
  read(part: Part, choice: number): ReadTexts['text'] {
    return this.#options.coding.readPart(part, choice).text;
  }

  #wholePart(answer: Answer): CheckedPart | { readonly unreadable: string } {
    const { coding, params } = this.#options;
    const { answer: given, text } = coding.read(answer);
    if (text === undefined)
      return { unreadable: `The answer is not valid in the ${coding.client.id} dialect, or has no text.` };
    return { params, ...text, answer: given, read: (changed) => coding.reread(changed) };
  }

  #piece(part: CheckedPart): MaybePromise<PieceFound | undefined> {
    const { call, piece } = this.#options;
    return thenMaybe(piece(call, part), this.#passing);
  }

  /** Records the results for a piece. Returns undefined if it is denied. */
  readonly #passing = (found: PieceFound): PieceFound | undefined => {
    const { call, onDenied } = this.#options;
    if (found.results.some(hasHookErred)) call.hasUnjudgedPart = true;
    if (!found.isDenied) return found;
    this.#keep(found.results);
    onDenied(found.results);
    return undefined;
  };

  #keep(results: readonly HookResult[] | undefined): void {
    this.#options.call.outputResults = results;
  }
}
