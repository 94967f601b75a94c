import type { AnswerEvent } from '../../schema/conversation.ts';

/** The texts of a stream so far, for frames that repeat them. */
export class SaidTexts {
  /** By choice, block and kind. */
  readonly #texts = new Map<string, string>();

  note(event: AnswerEvent): void {
    switch (event.kind) {
      case 'text':
      case 'refusal':
      case 'tool-arguments':
        this.#grow(`${event.choice} ${event.block}`, event.text);
        break;
      case 'reasoning':
        if (event.text !== undefined) this.#grow(`${event.choice} ${event.block}`, event.text);
        if (event.summary !== undefined)
          this.#grow(`${event.choice} ${event.block} ${event.summary.index}`, event.summary.text);
        break;
      default:
    }
  }

  /** Whether one of them is exactly this text. */
  has(text: string): boolean {
    for (const said of this.#texts.values()) if (said === text) return true;
    return false;
  }

  #grow(name: string, text: string): void {
    this.#texts.set(name, (this.#texts.get(name) ?? '') + text);
  }
}
