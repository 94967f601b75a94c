import type { FrameTexts, TextSpan } from '../../../../plugins/sdk/dialect/text-span.ts';
import { stringsIn } from '../../../../plugins/sdk/texts/strings-in.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { parseExactJson } from '../../../../schema/json/parse-json.ts';
import { fromPointer, type JsonPointer } from '../../../../schema/json/pointer.ts';

/** The members that identify, in the frames of all dialects, which text a piece belongs to. */
const numbers = ['index', 'output_index', 'content_index', 'summary_index', 'item_id', 'contentBlockIndex', 'jsonPath'];

/** The maximum number of texts that are kept apart. Those after them are treated as one. */
const maxTexts = 256;

/** How many times longer than its strings a JSON text is assumed to be at most. */
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

/**
 * Returns the name of the text that a place in a frame has a piece of: the place, and the identifying members of the objects
 * around it.
 */
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
    // An event name that is not in the data is part of the place anyway.
    value = findMember(value, token) ?? value;
    note();
  }
  return names.join('\n');
};

const unescaped = (text: string): string =>
  text.replaceAll(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Returns the ways to read what may be JSON text: its strings, or the text itself if it is incomplete. */
const toReadings = (text: string): readonly string[] => {
  const value = parseExactJson(text);
  if (typeof value === 'object' && value !== null) return [stringsIn(value).join('\n')];
  const plain = unescaped(text);
  return plain === text ? [text] : [text, plain];
};

/**
 * Texts of frames that later events have to report, such as arguments that come before the name of their call. The pieces of one
 * text are joined. None of it may be released until an event reports all of it.
 */
export class AwaitedTexts {
  readonly #texts = new Map<string, Awaited>();

  get areOpen(): boolean {
    for (const { isSaid } of this.#texts.values()) if (!isSaid) return true;
    return false;
  }

  /** Adds the texts of a frame with this data. */
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

  /** Notes that events have reported these texts. */
  note(forms: readonly string[]): void {
    let left = forms.reduce((sum, form) => sum + form.length, 0) * maxEscaped;
    for (const awaited of this.#texts.values()) {
      if (awaited.isSaid) continue;
      awaited.isSaid = forms.some((form) => form.includes(awaited.text));
      // Only as much is parsed as these forms can report, however many texts there are.
      if (awaited.isSaid || awaited.text.length > left) continue;
      left -= awaited.text.length;
      awaited.isSaid = this.#isSaidIn(forms, awaited.text);
    }
  }

  /** Returns the texts that no event has reported. */
  rest(): readonly TextSpan[] {
    const open = [...this.#texts.values()].filter(({ isSaid }) => !isSaid);
    return open.flatMap(({ span, text }) => toReadings(text).map((read) => ({ ...span, text: read })));
  }

  /** Whether all strings of a JSON text were reported. */
  #isSaidIn(forms: readonly string[], text: string): boolean {
    const value = parseExactJson(text);
    if (value === null) return true;
    if (typeof value !== 'object') return false;
    return stringsIn(value).every((line) => forms.some((form) => form.includes(line)));
  }
}
