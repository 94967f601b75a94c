import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { findEncoding } from '../../json-bodies/read/decoder-for.ts';
import { connectionNames, headerClass } from './header-class.ts';
import { headerText } from './header-text.ts';

/** An upstream's header lines as the client receives them, and how to read the body. */
export interface AnswerHead {
  /** Without hop-by-hop and framing headers, in the provider's order and spelling. */
  readonly headers: string[];
  /** In lower case, with its parameters. */
  readonly contentType: string;
  /** In lower case. Empty if the body is not encoded. Its line is not among the headers. */
  readonly contentEncoding: string;
}

const contentTypeLength = 'content-type'.length;
const contentEncodingLength = 'content-encoding'.length;

/** Returns the set with names added. Hardly any answer has such names, so the set is created on first use. */
const withNames = (set: Set<string> | undefined, names: readonly string[]): Set<string> | undefined =>
  names.length === 0 ? set : new Set([...(set ?? []), ...names]);

/** Whether a line is about the origin that answered, which is not the one that the client called (RFC 7838 §3, RFC 6797 §6.1). */
const isOfOrigin = (name: string): boolean => {
  if (name.length === 'alt-svc'.length) return name.toLowerCase() === 'alt-svc';
  return name.length === 'strict-transport-security'.length && name.toLowerCase() === 'strict-transport-security';
};

/**
 * Returns the head of a modelled operation's answer. The body is read here, so its length and encoding headers are written anew.
 */
export const answerHead = (lines: RawHeaders): AnswerHead => {
  const headers: string[] = [];
  let contentType = '';
  let contentEncoding = '';
  let hops: Set<string> | undefined;
  for (let at = 0; at < lines.length; at += 2) {
    const name = headerText(lines, at);
    const value = headerText(lines, at + 1);
    if (name.length === contentTypeLength && name.toLowerCase() === 'content-type') contentType = value.toLowerCase();
    if (name.length === contentEncodingLength && name.toLowerCase() === 'content-encoding') {
      if (contentEncoding === '') contentEncoding = findEncoding(lines);
      continue;
    }
    if (isOfOrigin(name)) continue;
    if (headerClass(name) === 'end-to-end') headers.push(name, value);
    else if (name.toLowerCase() === 'connection') hops = withNames(hops, connectionNames(value));
  }
  return { headers: hops === undefined ? headers : withoutNames(headers, hops), contentType, contentEncoding };
};

/** Returns the lines of a passed-through answer: all but the hop-by-hop ones. */
export const passedHeaders = (lines: RawHeaders): RawHeaders => {
  const headers: string[] = [];
  let hops: Set<string> | undefined;
  for (let at = 0; at < lines.length; at += 2) {
    const name = headerText(lines, at);
    const value = headerText(lines, at + 1);
    const kind = headerClass(name);
    if (kind === 'end-to-end' || kind === 'framing') headers.push(name, value);
    else if (name.toLowerCase() === 'connection') hops = withNames(hops, connectionNames(value));
  }
  return hops === undefined ? headers : withoutNames(headers, hops);
};

const bodyType: ReadonlySet<string> = new Set(['content-type']);

/** Returns the lines without the content type, which has changed. */
export const withoutContentType = (lines: RawHeaders): string[] => withoutNames(lines, bodyType);

/** Returns the lines whose names, in lower case, are not in `names`. */
const withoutNames = (lines: RawHeaders, names: ReadonlySet<string>): string[] =>
  lines.filter((_, at) => !names.has(headerText(lines, at - (at % 2)).toLowerCase()));
