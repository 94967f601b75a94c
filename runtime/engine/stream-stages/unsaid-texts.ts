import type { FrameTexts, TextSpan } from '../../../plugins/sdk/dialect/text-span.ts';
import { stringsIn } from '../../../plugins/sdk/texts/strings-in.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { fromJson } from '../../../schema/json/from-json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { SaidTexts } from '../../streams/said-texts.ts';
import { findText } from './held-event.ts';

/** Lists the texts of an event, in each form in which a frame may have sent them. */
const toForms = (event: AnswerEvent): readonly string[] => {
  const all = stringsIn(fromJson(JSON.stringify(event))).join('\n');
  if (event.kind !== 'tool-arguments') return [all];
  return [all, event.text, stringsIn(parseJson(event.text)).join('\n')];
};

const saysSomething = (event: AnswerEvent): boolean =>
  findText(event) !== undefined || ['tool-call', 'part', 'extension'].includes(event.kind);

const includes = (forms: readonly string[], text: string): boolean => forms.some((form) => form.includes(text));

const nothing: readonly TextSpan[] = [];

/**
 * Finds the documented texts of frames that no event has reported: a decoder that knows one of two members which say something
 * reports that one alone, and a frame that repeats what was said may say something else.
 */
export class UnsaidTexts {
  readonly #said = new SaidTexts();
  /** Texts that were not sent as a running text, such as the input of a server's tool. */
  readonly #others = new Set<string>();

  /** Those of the next frame, whose events these are. */
  next(reported: FrameTexts['reported'], events: readonly AnswerEvent[]): readonly TextSpan[] {
    for (const event of events) this.#said.note(event);
    // A frame without events is reported by later ones, and nearly all frames have one text, which their event reports.
    if (reported.length === 0 || events.length === 0) return nothing;
    if (reported.length === 1 && events.some(saysSomething)) return this.#noted(reported, events);
    const forms = events.flatMap(toForms);
    return reported.filter((each) => !this.#isSaid(each, forms)).map(({ span }) => span);
  }

  /** One text, that events report: some report it in another form. */
  #noted(reported: FrameTexts['reported'], events: readonly AnswerEvent[]): readonly TextSpan[] {
    if (events.every((event) => findText(event) === undefined))
      for (const { span } of reported) this.#others.add(span.text);
    return nothing;
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
