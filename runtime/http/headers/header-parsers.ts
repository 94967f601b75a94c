import { isLabels, labelsError } from '../../../schema/config/labels-error.ts';
import { awsSignatureHeaders } from '../../../schema/credentials/credential-headers.ts';
import { withoutServiceKeys } from '../../../schema/credentials/without-service-keys.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import { isJsonObject, isTexts, type JsonObject } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { isCostBound, isDeadline, maxBoundUsd, maxDeadlineMs } from '../../../schema/plan/request-bounds.ts';
import { percentDecoded } from '../../../schema/text/percent-decoded.ts';
import { wireText } from './wire-text.ts';

/** Parses one header's text. Returns undefined if it has no meaning. Throws the `GatewayError` `invalid-header`. */
export type HeaderParser<Value> = (text: string, header: string) => Value | undefined;

export const asText: HeaderParser<string> = (text) => (text === '' ? undefined : text);

/** Parses a base URL. An empty one would send the request's credential to another host than intended. */
export const asHost: HeaderParser<string> = (text, header) => {
  if (text === '') throw gatewayError('invalid-header', { header, reason: 'it is empty. Omit it, or send a URL.' });
  return text;
};

/** Parses a PEM key. Headers cannot contain its line breaks, so they are written as in JSON. */
export const asPem: HeaderParser<string> = (text) => (text === '' ? undefined : text.replaceAll(String.raw`\n`, '\n'));

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Parses `true` and `false`, also in capitals, as Python writes them. Anything else is refused. */
export const asFlag: HeaderParser<boolean> = (text, header) => {
  const flag = flags.get(text.toLowerCase());
  if (flag === undefined) throw gatewayError('invalid-header', { header, reason: 'it must be true or false.' });
  return flag;
};

/** Parses a number of milliseconds, with at most nine digits. 0 is the same as no header. */
export const asMilliseconds: HeaderParser<number> = (text, header) => {
  if (!/^\d{1,9}$/.test(text))
    throw gatewayError('invalid-header', {
      header,
      reason: 'it must be a whole number of milliseconds, at most 999999999.',
    });
  return Number(text) || undefined;
};

/** Parses the milliseconds of a whole request. No value means no deadline, so 0 is refused. */
export const asDeadline: HeaderParser<number> = (text, header) => {
  const ms = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (!isDeadline(ms))
    throw gatewayError('invalid-header', {
      header,
      reason: `it must be a whole number of milliseconds, from 1 to ${maxDeadlineMs}.`,
    });
  return ms;
};

/** Parses the US dollars of a whole request. */
export const asCost: HeaderParser<number> = (text, header) => {
  const usd = /^\d{1,7}(?:\.\d{1,12})?$/.test(text) ? Number(text) : 0;
  if (!isCostBound(usd))
    throw gatewayError('invalid-header', {
      header,
      reason: `it must be a number of US dollars above 0, of at most ${maxBoundUsd}, such as 0.05.`,
    });
  return usd;
};

const scheme = 'bearer ';

/** Parses the token of `Bearer <token>`. Other schemes are not credentials of a provider. */
export const asBearer: HeaderParser<string> = (text) => {
  if (text.slice(0, scheme.length).toLowerCase() !== scheme) return undefined;
  return text.slice(scheme.length).trim() || undefined;
};

/** Clients send the same labels repeatedly, and comparing two strings costs less than parsing one. */
let lastLabels: { readonly text: string; readonly value: JsonObject } | undefined;

/**
 * Parses a JSON object of labels. Anything else is refused, because conditions on it would silently choose the wrong branch. A
 * service key among the labels is omitted, because labels are logged, and sent to checks.
 */
export const asLabels: HeaderParser<JsonObject> = (text, header) => {
  if (lastLabels?.text === text) return lastLabels.value;
  const value = parseJson(withoutServiceKeys(wireText(text)));
  if (!isLabels(value)) throw gatewayError('invalid-header', { header, reason: `it ${labelsError(value)}.` });
  lastLabels = { text, value };
  return value;
};

/** The maximum number of members of a header that are read: https://www.w3.org/TR/baggage/#limits */
const maxBaggage = 64;

/** A member of the header without its properties: `name = value`, with a percent-encoded value. */
const baggageMember = /^[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*([^\s",;\\]*)[ \t]*(?:;|$)/;

/** Parses the pairs of `baggage` as labels, without service keys. Invalid members are skipped: https://www.w3.org/TR/baggage/ */
export const asBaggage: HeaderParser<JsonObject> = (text) => {
  const pairs = withoutServiceKeys(text)
    .split(',', maxBaggage)
    .flatMap((member) => {
      const [, name, value] = baggageMember.exec(member) ?? [];
      return name === undefined || value === undefined
        ? []
        : [[name, withoutServiceKeys(percentDecoded(value) ?? value)] as const];
    });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
};

/** Parses a JSON object. Any other text is refused. */
export const asObject: HeaderParser<JsonObject> = (text, header) => {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw gatewayError('invalid-header', { header, reason: 'it must be a JSON object.' });
  return value;
};

/** Returns the owner of a header that is never forwarded. */
const findOwner = (name: string): string | undefined => {
  if (/^x-gw-/i.test(name)) return 'is a header of the gateway itself';
  return awsSignatureHeaders.includes(name.toLowerCase()) ? 'belongs to a signature of AWS' : undefined;
};

const namesIn = (text: string, header: string): readonly string[] => {
  const list = text.trimStart().startsWith('[') ? parseJson(text) : text.split(',');
  if (!isTexts(list))
    throw gatewayError('invalid-header', {
      header,
      reason: 'it must be a comma-separated list or a JSON array of header names.',
    });
  return list.map((name) => name.trim()).filter((name) => name !== '');
};

/** Parses header names, as a comma-separated list or a JSON array of strings. Headers that are never forwarded are refused. */
export const asHeaderNames: HeaderParser<readonly string[]> = (text, header) => {
  const names = namesIn(text, header);
  for (const name of names) {
    const whose = findOwner(name);
    if (whose !== undefined)
      throw gatewayError('invalid-header', { header, reason: `${name} ${whose} and is never forwarded.` });
  }
  return names;
};

/** Parses names of headers of any kind, in lower case. */
export const asLowerCaseNames: HeaderParser<readonly string[]> = (text, header) =>
  namesIn(text, header).map((name) => name.toLowerCase());
