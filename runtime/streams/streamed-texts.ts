import type { AnswerEvent } from '../../schema/conversation/answer.ts';

interface SaidText {
  readonly choice: number;
  readonly block: number;
  /** The number of a summary. */
  readonly index: number | undefined;
  text: string;
}

/** The texts of a stream so far, for frames that repeat them. */
export class StreamedTexts {
  /** By choice, block and number of the summary. */
  readonly #texts = new Map<string, SaidText>();
  /** The titles and the passages that citations have reported. */
  readonly #quoted = new Set<string | undefined>();
  /** The one that grew last, which is nearly always the one that grows next. */
  #last: SaidText | undefined;

  note(event: AnswerEvent): void {
    switch (event.kind) {
      case 'text':
      case 'refusal':
      case 'tool-arguments':
        this.#toText(event).text += event.text;
        break;
      case 'reasoning':
        if (event.text !== undefined) this.#toText(event).text += event.text;
        if (event.summary !== undefined) this.#toText(event, event.summary.index).text += event.summary.text;
        break;
      case 'citation':
        this.#quoted.add(event.citation.title).add(event.citation.quote);
        break;
      default:
    }
  }

  /** Whether one of them, or the words of a citation, are exactly this text. */
  has(text: string): boolean {
    if (this.#quoted.has(text)) return true;
    for (const said of this.#texts.values()) if (said.text === text) return true;
    return false;
  }

  /** Whether one of them contains a text. */
  includes(text: string): boolean {
    for (const said of this.#texts.values()) if (said.text.includes(text)) return true;
    return false;
  }

  #toText({ choice, block }: { readonly choice: number; readonly block: number }, index?: number): SaidText {
    const last = this.#last;
    if (last?.choice === choice && last.block === block && last.index === index) return last;
    const name = `${choice} ${block} ${index ?? ''}`;
    const said = this.#texts.get(name) ?? { choice, block, index, text: '' };
    this.#texts.set(name, said);
    this.#last = said;
    return said;
  }
}
