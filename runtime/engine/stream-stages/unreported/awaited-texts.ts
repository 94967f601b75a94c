import type { FrameTexts, TextSpan } from '../../../../plugins/sdk/dialect/text-span.ts';
import { stringsIn } from '../../../../plugins/sdk/texts/strings-in.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { parseExactJson } from '../../../../schema/json/parse-json.ts';
import { fromPointer, type JsonPointer } from '../../../../schema/json/pointer.ts';

/** The members by which the frames of all dialects say of which text they have a piece. */
const numbers = ['index', 'output_index', 'content_index', 'summary_index', 'item_id', 'contentBlockIndex', 'jsonPath'];

/** The most texts that are kept apart; those after them are one. */
const maxTexts = 256;

/** How much longer than its strings a JSON text is taken to be at most. */
const maxEscaped = 8;

interface Awaited {
  readonly span: TextSpan;
  text: string;
  isSaid: boolean;
}

const findMember = (value: Json | undefined, name: string): Json | undefined => {
  if (Array.isArray(value)) return value[Number(name)];
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
};

/** The text of which a place in a frame has a piece: the place, and what the objects around it say. */
const toName = (frame: Json | undefined, at: JsonPointer): string => {
  let value = frame;
  const names: string[] = [at];
  const note = (): void => {
    if (!isJsonObject(value)) return;
    for (const name of numbers) {
      const number = findMember(value, name);
      if (typeof number === 'string' || typeof number === 'number') names.push(`${name} ${number}`);
    }
  };
  note();
  for (const token of fromPointer(at)) {
    // The name of an event that is not in its data is part of the place all the same.
    value = findMember(value, token) ?? value;
    note();
  }
  return names.join('\n');
};

const unescaped = (text: string): string =>
  text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The ways to read what may be JSON text: its strings, or itself where it is not complete. */
const toReadings = (text: string): readonly string[] => {
  const value = parseExactJson(text);
  if (typeof value === 'object' && value !== null) return [stringsIn(value).join('\n')];
  const plain = unescaped(text);
  return plain === text ? [text] : [text, plain];
};

/**
 * The texts of frames that later events have to report, such as arguments that come before the name of their call. The pieces
 * of one text are joined. Nothing of it may go on until an event says all of it.
 */
export class AwaitedTexts {
  readonly #texts = new Map<string, Awaited>();

  get areOpen(): boolean {
    for (const { isSaid } of this.#texts.values()) if (!isSaid) return true;
    return false;
  }

  /** Adds the texts of a frame, whose data this is. */
  add(data: string, texts: FrameTexts['reported']): void {
    const frame = parseExactJson(data);
    for (const { span, written } of texts) {
      const own = toName(frame, span.at);
      const name = this.#texts.has(own) || this.#texts.size < maxTexts ? own : '';
      const known = this.#texts.get(name);
      if (known === undefined) this.#texts.set(name, { span, text: written, isSaid: false });
      else {
        known.text += written;
        known.isSaid = false;
      }
    }
  }

  /** Events have come that say this. */
  note(forms: readonly string[]): void {
    let left = forms.reduce((sum, form) => sum + form.length, 0) * maxEscaped;
    for (const awaited of this.#texts.values()) {
      if (awaited.isSaid) continue;
      awaited.isSaid = forms.some((form) => form.includes(awaited.text));
      // No more is parsed than these forms can say, however many texts there are.
      if (awaited.isSaid || awaited.text.length > left) continue;
      left -= awaited.text.length;
      awaited.isSaid = this.#isSaidIn(forms, awaited.text);
    }
  }

  /** Those that no event has said. */
  rest(): readonly TextSpan[] {
    const open = [...this.#texts.values()].filter(({ isSaid }) => !isSaid);
    return open.flatMap(({ span, text }) => toReadings(text).map((read) => ({ ...span, text: read })));
  }

  /** Whether all strings of a JSON text are said. */
  #isSaidIn(forms: readonly string[], text: string): boolean {
    const value = parseExactJson(text);
    if (value === null) return true;
    if (typeof value !== 'object') return false;
    return stringsIn(value).every((line) => forms.some((form) => form.includes(line)));
  }
}
