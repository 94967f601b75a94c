import type { Step, StreamStage, StreamStageFactory } from '../../plugins/sdk/hooks/hooks.ts';
import type { AnswerEvent } from '../../schema/conversation/answer.ts';
import { type ErrorReport, errorReport } from '../../schema/errors/errors.ts';
import { inOrder, type Work } from './in-order.ts';
import { madeItem, type StreamItem } from './stream-item.ts';

/** A stage of a stream, and its declaration. */
export interface LinkedStage extends StreamStage, Pick<StreamStageFactory, 'reads' | 'holds'> {
  /** Set if it releases everything unchanged. */
  readonly onlyReads?: true;
  /**
   * Called if it throws, or returns what it may not return. Returns the error that ends the stream. If absent, the error counts as
   * one of the answer.
   */
  failed?(error: unknown): ErrorReport;
}

/** The maximum number of characters that one stage may hold of a stream. */
const maxHeld = 1024 * 1024;

/** Thrown if a stage ended the stream. */
export class StreamRefused extends Error {
  readonly report: ErrorReport;

  constructor(report: ErrorReport) {
    super(report.message);
    this.report = report;
  }
}

const decisions: readonly unknown[] = ['release', 'hold', 'replace', 'refuse'];

/** Returns the step of a stage. Throws a `TypeError` if a plugin that is not type-checked returned something else. */
const checkedStep = (step: Step): Step => {
  const { do: decision, events }: Partial<Record<string, unknown>> = Object(step);
  if (decisions.includes(decision) && (decision !== 'replace' || Array.isArray(events))) return step;
  throw new TypeError("A stage of the stream, which is a plugin's, returned something other than a step.");
};

interface Held {
  readonly item: StreamItem;
  /** Whether the stage received it. */
  readonly isGiven: boolean;
}

/** The items that one stage holds, in order of arrival. Throws, or rejects with, `StreamRefused` if the stream ends here. */
export class StageQueue {
  readonly #stage: LinkedStage;
  readonly #reads: ReadonlySet<AnswerEvent['kind']>;
  readonly #pass: (item: StreamItem) => Work;
  readonly #passHeld: (held: Held) => Work;
  #held: Held[] = [];
  /** How many of them the stage received. */
  #given = 0;
  heldSize = 0;
  readonly #fail = (error: unknown): never => {
    const { failed } = this.#stage;
    throw failed === undefined ? error : new StreamRefused(failed(error));
  };

  constructor(stage: LinkedStage, pass: (item: StreamItem) => Work) {
    this.#stage = stage;
    this.#reads = new Set(stage.reads);
    this.#pass = pass;
    this.#passHeld = ({ item }) => pass(item);
  }

  push(item: StreamItem): Work {
    const { event } = item;
    const isGiven = event !== undefined && this.#reads.has(event.kind);
    if (!isGiven && this.#held.length === 0 && !this.#isWithheld(item)) return this.#pass(item);
    this.#held.push({ item, isGiven });
    this.heldSize += item.size;
    if (this.heldSize > maxHeld) throw new StreamRefused(errorReport('answer-too-large', { limit: maxHeld }));
    if (!isGiven) return undefined;
    this.#given += 1;
    return this.#follow(event);
  }

  end(): Work {
    return this.#follow(undefined);
  }

  /** Content that no event reports may be reported by a later one. Until that is released, the content stays with the stage. */
  #isWithheld({ event, opens }: StreamItem): boolean {
    return event === undefined && opens && this.#stage.holds !== 'none';
  }

  /** Gives the stage an event, or the end, and does as it decides. */
  #follow(event: AnswerEvent | undefined): Work {
    const step = this.#ask(event);
    return step instanceof Promise ? step.then((taken) => this.#obey(taken, event)) : this.#obey(step, event);
  }

  #ask(event: AnswerEvent | undefined): Step | Promise<Step> {
    try {
      const step = event === undefined ? this.#stage.end() : this.#stage.push(event);
      return step instanceof Promise
        ? step.then((taken) => this.#checked(taken, event)).catch(this.#fail)
        : this.#checked(step, event);
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Returns the step of a stage. Throws a `TypeError` if the stage may not return it. */
  #checked(returned: Step, event: AnswerEvent | undefined): Step {
    const step = checkedStep(returned);
    const isHolding = step.do === 'hold';
    if (event === undefined && (isHolding || ('keep' in step && step.keep !== undefined && step.keep > 0)))
      throw new TypeError('A stage of the stream holds something back after its end.');
    if (isHolding && this.#stage.holds === 'none')
      throw new TypeError('A stage of the stream holds events, but declared that it does not.');
    return step;
  }

  #obey(step: Step, event: AnswerEvent | undefined): Work {
    if (step.do === 'hold') return undefined;
    if (event === undefined) return this.#take(step, this.#held.length);
    return this.#take(step, step.do === 'refuse' ? 0 : this.#endPattern(this.#given - (step.keep ?? 0)));
  }

  #take(step: Exclude<Step, { readonly do: 'hold' }>, end: number): Work {
    if (step.do === 'refuse') throw new StreamRefused(step.report);
    const taken = this.#held.splice(0, end);
    for (const { item, isGiven } of taken) {
      this.heldSize -= item.size;
      if (isGiven) this.#given -= 1;
    }
    if (step.do === 'release') return inOrder(taken, this.#passHeld);
    const opens = taken.some(({ item }) => item.opens);
    const made = step.events.map((event) => madeItem(event, opens));
    const unread = taken.filter(({ item, isGiven }) => !isGiven && item.event !== undefined);
    return inOrder([...made, ...unread.map(({ item }) => madeItem(item.event, item.opens))], this.#pass);
  }

  /** Returns the end of the first `count` events that the stage received, and of what came before them. */
  #endPattern(count: number): number {
    let left = count;
    let end = 0;
    for (const { isGiven } of this.#held) {
      if (left <= 0) break;
      if (isGiven) left -= 1;
      end += 1;
    }
    return end;
  }
}
