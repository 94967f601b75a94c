import type { Step, StreamStage } from '../../../plugins/sdk/hooks/hooks.ts';
import { replacedTexts } from '../../../plugins/sdk/texts/replaced-texts.ts';
import type { AnswerEvent, AnswerEventOf } from '../../../schema/conversation/answer.ts';
import { findEventText } from '../../../schema/conversation/answer-parts.ts';
import type { Part } from '../../../schema/conversation/conversation.ts';
import { partEvents } from '../../../schema/conversation/unfold-answer.ts';
import { errorReport } from '../../../schema/errors/errors.ts';
import type { CheckResult } from '../../../schema/trail/trail.ts';
import { type MaybePromise, thenMaybe } from '../../async/maybe-promise.ts';
import { mergeReplacements } from '../guardrail-verdicts/merge-replacements.ts';
import type { ExtensionEvent } from './answer-coding.ts';
import { type HeldEvent, heldEvent } from './held-event.ts';
import { HeldEvents } from './held-events.ts';
import { OpenCalls } from './open-calls.ts';
import { quotedWords, replaceQuotedWords } from './quoted-words.ts';
import { refersToChangedText } from './refers-to-changed-text.ts';
import { ReleasedEvents } from './released-events.ts';
import type { RunningText } from './running-text.ts';
import { RunningTexts, type TextEvent } from './running-texts.ts';
import type { StreamJudge, WindowFound } from './stream-judge.ts';
import { endsWaiting, isAwaiting, isUnreadable, isUnreported } from './unreported/unreported-texts.ts';

export interface WindowOptions {
  readonly judge: StreamJudge;
  readonly overlap: number;
  /** Whether clients receive the texts of a choice joined. */
  readonly joined: boolean;
  /** The text of another stream that this one continues. */
  readonly said?: string | undefined;
  /** Called before a denial. */
  readonly onDenied: () => void;
}

/** A judgement to make. Returns whether the stream may continue, synchronously if all of its checks are synchronous. */
type Judgement = () => MaybePromise<boolean>;

const nothingDue: readonly Judgement[] = [];

const denied: Step = { do: 'refuse', report: errorReport('checks-failed', { phase: 'answer' }) };

type Whole = AnswerEventOf<'part' | 'reasoning'>;

const wholePart = (event: Whole): Part =>
  event.kind === 'part'
    ? event.part
    : { kind: 'reasoning', text: event.text ?? '', summary: event.summary === undefined ? [] : [event.summary.text] };

const goOn = (passes: Promise<boolean>, judgements: readonly Judgement[], from: number): Promise<boolean> =>
  passes.then((does) => does && allLetPass(judgements, from));

/** Makes judgements one after the other. Returns whether all of them let the stream continue. */
const allLetPass = (judgements: readonly Judgement[], from = 0): MaybePromise<boolean> => {
  for (let at = from; at < judgements.length; at += 1) {
    const passes = judgements[at]?.() ?? true;
    if (passes instanceof Promise) return goOn(passes, judgements, at + 1);
    if (!passes) return false;
  }
  return true;
};

/**
 * Judges the texts of a stream window by window: releases what cannot be part of a later finding, and holds the rest. Calls and
 * parts that come whole are judged whole. When another text of the choice begins, the one before it is taken to have ended, but
 * if it continues, its end is judged again. At the end, the whole answer is judged once more.
 */
export class WindowStage implements StreamStage {
  readonly #options: WindowOptions;
  readonly #released = new ReleasedEvents();
  readonly #held: HeldEvents;
  readonly #texts: RunningTexts;
  readonly #calls = new OpenCalls();
  /** Parts without any text. No check can read them until there is some text beside them. */
  #unread: HeldEvent[] = [];
  #hasText = false;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.#texts = new RunningTexts(options);
    this.#held = new HeldEvents((held) => refersToChangedText(held, this.#texts));
  }

  push(event: AnswerEvent): MaybePromise<Step> {
    this.#released.add(event);
    const held = heldEvent(event, event.kind === 'tool-arguments' ? '' : findEventText(event));
    // The end waits for the verdict on the whole answer, and so do words that explain why a choice has ended.
    if (event.kind === 'end' || (event.kind === 'finish' && event.finish.details !== undefined)) held.waits = true;
    this.#held.push(held);
    const judgements = this.#due(held);
    if (judgements.length === 0) return this.#held.step();
    return thenMaybe(allLetPass(judgements), this.#next);
  }

  end(): MaybePromise<Step> {
    return thenMaybe(allLetPass(this.#ends()), (passes) =>
      passes ? thenMaybe(this.#options.judge.whole(this.#released), ({ result }) => this.#close(result)) : this.#deny(),
    );
  }

  #close(result: CheckResult): Step {
    if (result === 'denied') return this.#deny();
    this.#held.openAll();
    const step = this.#held.step();
    return step.do === 'hold' ? { do: 'release' } : step;
  }

  readonly #next = (passes: boolean): Step => (passes ? this.#held.step() : this.#deny());

  #deny(): Step {
    this.#options.onDenied();
    return denied;
  }

  /** Lists the judgements that are due after this event. */
  #due(held: HeldEvent): readonly Judgement[] {
    const { event } = held;
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return this.#grown(event, held);
      case 'reasoning':
        if (event.text !== undefined && event.summary !== undefined) return [this.#whole(event, held)];
        return findEventText(event) === undefined ? nothingDue : this.#grown(event, held);
      case 'tool-call':
      case 'tool-arguments':
        this.#texts.divide(event.choice);
        this.#calls.add(event, held);
        return this.#others(event.choice);
      case 'part':
        this.#texts.divide(event.choice);
        return [...this.#others(event.choice), this.#whole(event, held)];
      case 'block-end':
        return this.#ends(event);
      case 'citation':
        return this.#quoted(held);
      case 'extension':
        return [this.#extension(event, held)];
      case 'finish':
        return [...this.#ends({ choice: event.choice }), ...this.#quoted(held)];
      default:
        return nothingDue;
    }
  }

  #grown(event: TextEvent, held: HeldEvent): readonly Judgement[] {
    const text = this.#texts.of(event);
    text.grow(held);
    if (text.hasRest) this.#noteText();
    const others = this.#others(event.choice, text);
    if (!text.isDue(this.#options.overlap)) return others;
    const window = this.#window(text, false);
    return others.length === 0 ? [window] : [...others, window];
  }

  /** Judges the other texts of the choice, which end here as far as is known. */
  #others(choice: number, text?: RunningText): readonly Judgement[] {
    const others = this.#texts.withRest({ choice, except: text });
    return others.length === 0 ? nothingDue : others.map((other) => this.#window(other, true));
  }

  #ends(where: { readonly choice?: number; readonly block?: number } = {}): readonly Judgement[] {
    return [
      ...this.#texts.withRest(where).map((text) => this.#window(text, true)),
      ...this.#calls.take(where).map(
        ({ part, choice, settle }) =>
          () =>
            thenMaybe(this.#options.judge.part(part, choice), (found) => {
              if (found === undefined) return false;
              settle(found.kind === 'tool-call' ? found : part);
              return true;
            }),
      ),
    ];
  }

  #window(text: RunningText, isLast: boolean): Judgement {
    const { judge, overlap } = this.#options;
    const settle = (replacements: WindowFound): boolean => {
      if (replacements === undefined) return false;
      text.settle(replacements, { overlap, isLast, context: overlap });
      return true;
    };
    const joined = (): MaybePromise<WindowFound> => judge.window(text.window, text.place);
    return () => {
      const { apart, window } = text;
      if (apart === undefined) return thenMaybe(joined(), settle);
      const before = window.length - apart.length;
      return thenMaybe(judge.window(apart, text.place), (found) => {
        if (found === undefined) return false;
        const own = found.map((one) => ({ ...one, from: one.from + before, to: one.to + before }));
        return thenMaybe(joined(), (both) => settle(both && mergeReplacements(own, both)));
      });
    };
  }

  #extension(event: ExtensionEvent, held: HeldEvent): Judgement {
    held.waits = true;
    held.isAwaiting = isAwaiting(event);
    held.endsWaiting = endsWaiting(event);
    const settle = (found: readonly ExtensionEvent[] | undefined): boolean => {
      if (found === undefined) return false;
      if (found[0] !== event) held.instead = found;
      held.waits = false;
      return true;
    };
    // What cannot be read waits for the verdict on the whole answer.
    if (isUnreported(event) && isUnreadable(event)) return () => true;
    return () => thenMaybe(this.#options.judge.extension(event), settle);
  }

  /** Judges words that come whole, apart from the texts. */
  #quoted(held: HeldEvent): readonly Judgement[] {
    return quotedWords(held.event).map((quoted) => {
      const { text, place } = quoted;
      const settle = (replacements: WindowFound): boolean => {
        if (replacements === undefined) return false;
        replaceQuotedWords(held, quoted, replacedTexts([{ text }], replacements)[0] ?? text);
        return true;
      };
      return () => thenMaybe(this.#options.judge.window(text, place), settle);
    });
  }

  #whole(event: Whole, held: HeldEvent): Judgement {
    const { judge } = this.#options;
    held.waits = true;
    held.pending = '';
    const part = wholePart(event);
    const settle = (found: Part | undefined): boolean => {
      if (found === undefined) return false;
      if (found !== part) held.instead = partEvents(found, event);
      const text = judge.read(part, event.choice);
      if (text !== undefined && text.text !== '') this.#noteText();
      if (text === undefined && !this.#hasText) this.#unread.push(held);
      else held.waits = false;
      return true;
    };
    return () => thenMaybe(judge.part(part, event.choice), settle);
  }

  #noteText(): void {
    if (this.#hasText) return;
    this.#hasText = true;
    for (const held of this.#unread) held.waits = false;
    this.#unread = [];
  }
}
