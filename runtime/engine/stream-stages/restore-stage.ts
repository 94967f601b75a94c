import type { Step, StreamStage } from '../../../plugins/sdk/hooks/hooks.ts';
import type { AnswerEvent, AnswerEventOf } from '../../../schema/conversation/answer.ts';
import { findEventText } from '../../../schema/conversation/answer-parts.ts';
import type { Restorer } from '../guardrail-verdicts/restorer.ts';
import { type HeldEvent, heldEvent } from './held-event.ts';
import { HeldEvents } from './held-events.ts';
import { quotedWords, replaceQuotedWords } from './quoted-words.ts';
import { refersToChangedText } from './refers-to-changed-text.ts';
import type { RunningText } from './running-text.ts';
import { RunningTexts, type TextEvent } from './running-texts.ts';
import { textDifference } from './text-difference.ts';
import { isUnreported } from './unreported/unreported-texts.ts';

const restoredPart = ({ part }: AnswerEventOf<'part'>, restorer: Restorer): AnswerEventOf<'part'>['part'] => {
  switch (part.kind) {
    case 'server-tool-call':
      return {
        ...part,
        arguments: restorer.text(part.arguments, { inJson: true }),
        value: restorer.json(part.value),
      };
    case 'server-tool-result':
      return { ...part, text: restorer.text(part.text), value: restorer.json(part.value) };
    case 'other':
      return { ...part, value: restorer.json(part.value) };
    default:
      return part;
  }
};

/** Restores values in place of their placeholders in a stream, even if a placeholder is split across events. */
export class RestoreStage implements StreamStage {
  readonly #restorer: Restorer;
  readonly #texts: RunningTexts;
  readonly #held: HeldEvents;
  /** Calls whose input is plain text, by choice and block. */
  readonly #plain = new Set<string>();

  constructor(restorer: Restorer, joined: boolean) {
    this.#restorer = restorer;
    this.#texts = new RunningTexts({ joined });
    this.#held = new HeldEvents((held) => refersToChangedText(held, this.#texts));
  }

  push(event: AnswerEvent): Step {
    const held = heldEvent(event, findEventText(event));
    this.#held.push(held);
    this.#take(held);
    return this.#held.step();
  }

  end(): Step {
    for (const text of this.#texts.withRest()) this.#settle(text, true);
    const step = this.#held.step();
    return step.do === 'hold' ? { do: 'release' } : step;
  }

  #take(held: HeldEvent): void {
    const { event } = held;
    switch (event.kind) {
      case 'text':
      case 'refusal':
      case 'reasoning':
      case 'tool-arguments':
        this.#grow(event, held);
        break;
      case 'tool-call':
        if (event.input === 'text') this.#plain.add(`${event.choice} ${event.block}`);
        this.#restoreOwn(event, held);
        break;
      case 'part':
        held.instead = [{ ...event, part: restoredPart(event, this.#restorer) }];
        break;
      case 'extension': {
        // Content that no event reports is sent as it came, or not at all.
        const value = isUnreported(event) ? event.value : this.#restorer.object(event.value);
        if (value !== event.value) held.instead = [{ ...event, value }];
        break;
      }
      case 'block-end':
        for (const text of this.#texts.withRest(event)) this.#settle(text, true);
        break;
      case 'citation':
        this.#restoreQuoted(held);
        break;
      case 'finish':
        for (const text of this.#texts.withRest({ choice: event.choice })) this.#settle(text, true);
        this.#restoreQuoted(held);
        break;
      default:
    }
  }

  /** Restores the members of a call that only one dialect has. */
  #restoreOwn(event: AnswerEventOf<'tool-call'>, held: HeldEvent): void {
    const { extensions = {} } = event;
    const restored = Object.entries(extensions).map(([dialect, own]) => [dialect, this.#restorer.object(own)] as const);
    if (restored.some(([dialect, own]) => own !== extensions[dialect]))
      held.instead = [{ ...event, extensions: Object.fromEntries(restored) }];
  }

  #restoreQuoted(held: HeldEvent): void {
    for (const quoted of quotedWords(held.event)) replaceQuotedWords(held, quoted, this.#restorer.text(quoted.text));
  }

  #grow(event: TextEvent, held: HeldEvent): void {
    if (findEventText(event) === undefined) return;
    if (event.kind === 'reasoning' && event.text !== undefined && event.summary !== undefined) {
      const { text, index } = event.summary;
      const summary = { index, text: this.#restorer.text(text) };
      held.instead = [{ ...event, text: this.#restorer.text(event.text), summary }];
      held.pending = '';
      return;
    }
    const text = this.#texts.of(event);
    for (const other of this.#texts.withRest({ choice: event.choice, except: text })) this.#settle(other, true);
    text.grow(held);
    this.#settle(text, false, this.#plain.has(`${event.choice} ${event.block}`));
  }

  #settle(text: RunningText, isLast: boolean, isPlain = false): void {
    const whole = text.rest;
    const open = isLast ? whole.length : this.#restorer.openFrom(whole);
    const before = whole.slice(0, open);
    const inJson = text.place.kind === 'tool-arguments' && !isPlain;
    const replacements = textDifference(before, this.#restorer.text(before, { inJson }));
    text.settle(replacements, { overlap: whole.length - open, isLast });
  }
}
