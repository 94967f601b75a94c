import { isUtf8 } from 'node:buffer';
import type { Json } from '../../../schema/json/json.ts';
import { closeBrace, closeBracket, comma, openBrace, openBracket, quote } from '../../../schema/json/json-bytes.ts';
import { JsonText } from '../../json-bodies/read/json-text.ts';
import { readString, readValue } from '../../json-bodies/read/read-value.ts';
import type { PlainBytes } from '../call/run.ts';
import { findFunctions, keepFunctions } from './known-functions.ts';
import { callMembers, plainMembers, textMembers } from './plain-request.ts';

/** How many objects and lists surround the value of a member of a body, and of a turn or a tool. */
const ofBody = 1;
const ofItem = 3;

const letterN = 0x6e;

/** Returned instead of the offset after a value: the request is not plain, and reading stops. */
const notPlain = -1;

class PlainReader {
  model: Json = null;
  stream: Json = null;
  maxTokens: Json = null;
  maxCompletionTokens: Json = null;
  parallelCalls: Json = null;
  hasFunctions = false;
  #hasTurns = false;
  #at = 0;
  /** Whether there is something that only a request with functions may have. */
  #asksOfFunctions = false;
  readonly #text: JsonText;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#text = new JsonText(bytes);
    this.#bytes = bytes;
  }

  /** Reads the whole text. Throws if it is not JSON. Returns false if it is not a plain request. */
  isPlain(): boolean {
    const text = this.#text;
    const bytes = this.#bytes;
    const from = text.spaceEnd(0);
    if (bytes[from] !== openBrace) return false;
    text.count(1);
    let at = from;
    do {
      at = text.spaceEnd(at + 1);
      const nameEnd = text.stringEnd(at);
      text.count(1);
      const end = this.#memberEnd(readString(bytes, at, nameEnd), text.spaceEnd(text.colonEnd(nameEnd)));
      if (end === notPlain) return false;
      at = text.spaceEnd(end);
    } while (bytes[at] === comma);
    if (bytes[at] !== closeBrace || text.spaceEnd(at + 1) < bytes.length) return false;
    return this.#hasTurns && (this.hasFunctions || !this.#asksOfFunctions);
  }

  #memberEnd(name: string, from: number): number {
    switch (name) {
      case 'model':
        this.model = this.#value(from);
        return this.#at;
      case 'messages':
        this.#hasTurns = true;
        return this.#itemsEnd(from, true);
      case 'tools':
        return this.#functionsEnd(from);
      case 'stream':
        this.stream = this.#value(from);
        return this.#at;
      case 'max_tokens':
        this.maxTokens = this.#value(from);
        return this.#at;
      case 'max_completion_tokens':
        this.maxCompletionTokens = this.#value(from);
        return this.#at;
      case 'parallel_tool_calls':
        this.#asksOfFunctions = true;
        this.parallelCalls = this.#value(from);
        return this.#at;
      case 'tool_choice':
        this.#asksOfFunctions = true;
        break;
      case 'system':
        if (this.#bytes[from] !== quote) return notPlain;
        break;
      default:
        if (!plainMembers.has(name)) return notPlain;
    }
    return this.#text.valueEnd(from, ofBody);
  }

  /** Returns the value of a member of the body, and stores the offset of its end in `#at`. */
  #value(from: number): Json {
    this.#at = this.#text.valueEnd(from, ofBody);
    return readValue(this.#bytes, from, this.#at);
  }

  /** Skips the turns or the functions of a request. */
  #itemsEnd(from: number, areTurns: boolean): number {
    const text = this.#text;
    const bytes = this.#bytes;
    if (bytes[from] !== openBracket) return notPlain;
    text.count(1);
    let at = text.spaceEnd(from + 1);
    if (bytes[at] === closeBracket) return areTurns ? at + 1 : notPlain;
    for (;;) {
      const end = areTurns ? this.#turnEnd(at) : this.#functionEnd(at);
      if (end === notPlain) return notPlain;
      at = text.spaceEnd(end);
      if (bytes[at] !== comma) break;
      at = text.spaceEnd(at + 1);
    }
    return bytes[at] === closeBracket ? at + 1 : notPlain;
  }

  #functionsEnd(from: number): number {
    const text = this.#text;
    const bytes = this.#bytes;
    const found = findFunctions(bytes, from);
    if (found !== undefined) {
      text.count(found.values);
      this.hasFunctions = true;
      return from + found.bytes.length;
    }
    const before = text.values;
    const end = this.#itemsEnd(from, false);
    if (end === notPlain) return notPlain;
    keepFunctions(bytes, from, end, text.values - before);
    this.hasFunctions = true;
    return end;
  }

  #turnEnd(from: number): number {
    const text = this.#text;
    const bytes = this.#bytes;
    if (bytes[from] !== openBrace) return notPlain;
    text.count(1);
    let hasContent = false;
    let at = from;
    do {
      at = text.spaceEnd(at + 1);
      const nameEnd = text.stringEnd(at);
      text.count(1);
      const name = readString(bytes, at, nameEnd);
      at = text.spaceEnd(text.colonEnd(nameEnd));
      if (name === 'content') {
        hasContent = bytes[at] === quote || bytes[at] === letterN;
        if (!hasContent) return notPlain;
        if (bytes[at] === letterN) this.#asksOfFunctions = true;
      } else if (!textMembers.has(name)) {
        if (!callMembers.has(name)) return notPlain;
        this.#asksOfFunctions = true;
      }
      at = text.spaceEnd(text.valueEnd(at, ofItem));
    } while (bytes[at] === comma);
    return hasContent && bytes[at] === closeBrace ? at + 1 : notPlain;
  }

  #functionEnd(from: number): number {
    const text = this.#text;
    const bytes = this.#bytes;
    if (bytes[from] !== openBrace) return notPlain;
    text.count(1);
    let isFunction = false;
    let at = from;
    do {
      at = text.spaceEnd(at + 1);
      const nameEnd = text.stringEnd(at);
      text.count(1);
      const name = readString(bytes, at, nameEnd);
      at = text.spaceEnd(text.colonEnd(nameEnd));
      const end = text.valueEnd(at, ofItem);
      if (name === 'type') isFunction = readValue(bytes, at, end) === 'function';
      at = text.spaceEnd(end);
    } while (bytes[at] === comma);
    return isFunction && bytes[at] === closeBrace ? at + 1 : notPlain;
  }
}

/**
 * Reads what a plain request needs from its bytes, which are checked but not parsed. Undefined for any other request, or if they
 * are not JSON. A request is plain if `isPlainRequest` and `hasPlainFunctions` say so of the parsed bytes; a law compares them.
 */
export const readPlainBytes = (bytes: Buffer): PlainBytes | undefined => {
  if (!isUtf8(bytes)) return undefined;
  const reader = new PlainReader(bytes);
  try {
    if (!reader.isPlain()) return undefined;
  } catch {
    return undefined;
  }
  const { model, stream, maxTokens, maxCompletionTokens, parallelCalls, hasFunctions } = reader;
  return {
    body: {
      model,
      stream,
      max_tokens: maxTokens,
      max_completion_tokens: maxCompletionTokens,
      parallel_tool_calls: parallelCalls,
    },
    hasFunctions,
  };
};
