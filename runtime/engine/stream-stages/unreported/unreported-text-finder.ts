import type { FrameTexts, TextSpan } from '../../../../plugins/sdk/dialect/text-span.ts';
import { stringsIn } from '../../../../plugins/sdk/texts/strings-in.ts';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import { findEventText } from '../../../../schema/conversation/answer-parts.ts';
import { exactText, fromExactJson } from '../../../../schema/json/exact-numbers.ts';
import { parseExactJson } from '../../../../schema/json/parse-json.ts';
import { StreamedTexts } from '../../../streams/streamed-texts.ts';
import { AwaitedTexts } from './awaited-texts.ts';

/** Lists what checks judge of an event, in each form in which a frame may have sent it. */
const toForms = (event: AnswerEvent): readonly string[] => {
  switch (event.kind) {
    case 'text':
    case 'refusal':
      return [event.text];
    case 'tool-arguments':
      return [event.text, stringsIn(parseExactJson(event.text)).join('\n')];
    case 'reasoning':
      return [event.text ?? '', event.summary?.text ?? ''];
    case 'tool-call':
    case 'part':
    case 'citation':
    case 'extension':
    case 'finish':
      return [stringsIn(fromExactJson(exactText(event))).join('\n')];
    default:
      return [];
  }
};

/** Whether an event is itself a text, and does not only mark the beginning or end of one. */
const hasText = (event: AnswerEvent): boolean =>
  findEventText(event) !== undefined || ['part', 'extension', 'citation'].includes(event.kind);

const includes = (forms: readonly string[], text: string): boolean => forms.some((form) => form.includes(text));

/** The findings in a frame. */
export interface UnreportedInFrame {
  /** The texts that no event reports. */
  readonly spans: readonly TextSpan[];
  /** Whether it has texts that a later event has to report. */
  readonly isAwaiting: boolean;
}

const nothing: UnreportedInFrame = { spans: [], isAwaiting: false };

/**
 * Finds the documented texts of frames that no event has reported. If two members say something and a decoder knows only one of
 * them, it reports only that one. A frame that repeats earlier content may say something else. A piece of a text that has not
 * begun may belong to a text that no decoder knows.
 */
export class UnreportedTextFinder {
  readonly #said = new StreamedTexts();
  /** Texts that were not sent as a running text, such as the input of a server's tool. */
  readonly #others = new Set<string>();
  readonly #awaited = new AwaitedTexts();

  /** Whether texts of earlier frames still have to be reported. */
  get areAwaited(): boolean {
    return this.#awaited.areOpen;
  }

  /** Returns the texts that no event has reported so far. */
  awaited(): readonly TextSpan[] {
    return this.#awaited.rest();
  }

  /** Returns the texts of the next frame, given its events. */
  next(data: string, reported: FrameTexts['reported'], events: readonly AnswerEvent[]): UnreportedInFrame {
    for (const event of events) this.#said.note(event);
    if (reported.length === 0 && !this.areAwaited) return nothing;
    const [first] = reported;
    // Nearly every frame has one text, which its event reports.
    if (reported.length === 1 && events.some((event) => findEventText(event) === first?.written) && !this.areAwaited)
      return nothing;
    const forms = events.flatMap(toForms);
    if (this.areAwaited) this.#awaited.note(forms);
    const unsaid = reported.filter((each) => !this.#isSaid(each, forms));
    if (unsaid.length === 0) return nothing;
    if (events.some(hasText)) return { spans: unsaid.map(({ span }) => span), isAwaiting: false };
    this.#awaited.add(data, unsaid);
    return { spans: [], isAwaiting: true };
  }

  #isSaid({ span: { text, kind }, written }: FrameTexts['reported'][number], forms: readonly string[]): boolean {
    if (this.#said.has(written) || this.#others.has(text)) return true;
    if (kind === 'citation' && this.#said.includes(text)) return true;
    if (!includes(forms, text) && !includes(forms, written) && !text.split('\n').every((line) => includes(forms, line)))
      return false;
    this.#others.add(text);
    return true;
  }
}
