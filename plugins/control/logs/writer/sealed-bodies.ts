import { isUtf8 } from 'node:buffer';
import {
  awsSignatureHeaders,
  cloudCredentials,
  credentialHeaders,
} from '../../../../schema/credentials/credential-headers.ts';
import { isForeignKeyHeader } from '../../../../schema/http/foreign-key-headers.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { parseJson, parseObject } from '../../../../schema/json/parse-json.ts';
import type { RawHeaders, StreamBody } from '../../../sdk/http/http.ts';
import { PassedStream } from '../../../sdk/http/passed-stream.ts';
import { toBuffer } from '../../../sdk/http/to-buffer.ts';
import type { Sealed, SealedAt } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { LoggedBodies } from '../encoding/noted-request.ts';
import type { LogSettings } from '../settings/log-settings.ts';
import type { RecordRow } from './log-store.ts';

const never: ReadonlySet<string> = new Set([
  ...credentialHeaders,
  ...awsSignatureHeaders,
  ...cloudCredentials.map((field) => `x-gw-${field.replaceAll('_', '-')}`),
  ...['cookie', 'proxy-authorization', 'x-gw-api-key', 'x-gw-config'],
]);

interface HeaderChoice {
  /** The names of stored headers, in lower case. */
  readonly allowed: readonly string[];
  /** The names of headers whose values are not stored, in lower case. */
  readonly sensitive: readonly string[];
}

/** Picks the headers that the log stores, with names in lower case. Credentials are never among them. */
export const loggedHeaders = (headers: RawHeaders, { allowed, sensitive }: HeaderChoice): RawHeaders => {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase();
    if (!allowed.includes(name) || never.has(name) || isForeignKeyHeader(name)) continue;
    kept.push(name, sensitive.includes(name) ? '[masked]' : (headers[at + 1] ?? ''));
  }
  return kept;
};

/** A stream that is sent as it arrives, and whose beginning is recorded. */
export class RecordedBody extends PassedStream {
  readonly #max: number;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(body: StreamBody, max: number) {
    super(body);
    this.#max = max;
  }

  /** The recorded bytes: those sent so far, up to the limit. */
  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks, this.#length);
  }

  override write(chunk: Uint8Array): boolean {
    const room = this.#max - this.#length;
    if (room > 0) {
      // A copy, because the chunk's memory may be reused.
      const part = new Uint8Array(chunk.subarray(0, room));
      this.#chunks.push(part);
      this.#length += part.length;
    }
    return super.write(chunk);
  }
}

/** The text that replaces a value that is not stored. */
export const mask = '[redacted]';

/** Masks what is at a pointer in a value, where `*` stands for any member or item. */
const masked = (value: Json, [token, ...rest]: readonly string[]): Json => {
  if (token === undefined) return mask;
  if (Array.isArray(value))
    return value.map((item: Json, index) => (token === '*' || token === String(index) ? masked(item, rest) : item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      token === '*' || token === name ? masked(member, rest) : member,
    ]),
  );
};

const toTokens = (pointer: string): readonly string[] =>
  pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Checks whether these JSON Pointers name a top-level member of a body. */
export const namesMember = (pointers: readonly string[], name: string): boolean =>
  pointers.some((pointer) => ['*', name].includes(toTokens(pointer).join('/')));

const dataLine = /^data: ?(?=[{[])/;

/** Masks a line of an event stream. A line that is not JSON and might contain a text is omitted. */
const maskedLine = (line: string, mask: (value: Json) => Json): string | undefined => {
  if (!line.startsWith('data:')) return /^(?:event|id|retry): ?[\w-]*\r?$|^\r?$/.test(line) ? line : undefined;
  if (/^data: ?\[DONE\]\r?$/.test(line)) return line;
  const value = dataLine.test(line) ? parseJson(line.replace(dataLine, '')) : undefined;
  return value === undefined ? undefined : `data: ${JSON.stringify(mask(value))}`;
};

/**
 * Redacts what is at these JSON Pointers in a body. An event stream is redacted event by event, even if it is a single list of
 * events. Any other body that is not JSON is removed completely, because the pointers cannot be resolved in it.
 */
const redactedText = (text: string, pointers: readonly string[]): string => {
  if (pointers.length === 0) return text;
  const places = pointers.map(toTokens);
  const redact = (value: Json): Json => places.reduce(masked, value);
  const value = parseJson(text);
  if (value !== undefined) return JSON.stringify(redact(Array.isArray(value) ? value.map(redact) : value));
  return text
    .split('\n')
    .flatMap((line) => maskedLine(line, redact) ?? [])
    .join('\n');
};

/** Bodies as they are stored: texts, truncated if they are too long; absent for a body that is not text. */
export interface BodyTexts {
  readonly request?: string | undefined;
  readonly response?: string | undefined;
}

/** The maximum length of the incomplete character at the end of truncated bytes. */
const longestPart = 3;

/** Removes an incomplete character from the end of bytes; undefined if the bytes are not text. */
const textBytes = (bytes: Buffer): Buffer | undefined => {
  for (let cut = 0; cut <= longestPart; cut += 1) {
    const whole = bytes.subarray(0, Math.max(0, bytes.length - cut));
    if (isUtf8(whole)) return whole;
  }
  return undefined;
};

const bodyText = (
  bytes: Uint8Array | undefined,
  { bodyBytes, redact }: Pick<LogSettings, 'bodyBytes' | 'redact'>,
): string | undefined => {
  if (bytes === undefined || bytes.length === 0) return undefined;
  const whole = textBytes(toBuffer(bytes));
  if (whole === undefined) return undefined;
  const kept = redact.length === 0 ? whole : Buffer.from(redactedText(whole.toString(), redact));
  return textBytes(kept.subarray(0, bodyBytes))?.toString();
};

/** Returns the place at which the bodies of a record are sealed. */
const bodiesAt = ({ id, workspace_id: tenant }: Pick<RecordRow, 'id' | 'workspace_id'>): SealedAt => ({
  tenant,
  table: 'log_details',
  id,
  field: 'bodies',
});

/** Opens the bodies of a record, which the log itself has sealed. */
export const openedBodies = async (
  { bodies, ...row }: Pick<RecordRow, 'id' | 'workspace_id'> & { readonly bodies: string | null },
  sealer: Pick<Sealer, 'open'>,
): Promise<BodyTexts> =>
  bodies === null ? {} : (parseObject(await sealer.open(fromJson(bodies) as Sealed, bodiesAt(row))) ?? {});

const toBodyTexts = (bodies: LoggedBodies, settings: Pick<LogSettings, 'bodyBytes' | 'redact'>): BodyTexts => ({
  request: bodyText(bodies.request, settings),
  response: bodyText(bodies.response, settings),
});

/** The texts of bodies that will be sealed later, which are computed once. */
const known = new WeakMap<LoggedBodies, BodyTexts>();

/** Computes the texts of bodies before they are sealed. */
export const bodyTextsAhead = (
  bodies: LoggedBodies,
  settings: Pick<LogSettings, 'bodyBytes' | 'redact'>,
): BodyTexts => {
  const texts = toBodyTexts(bodies, settings);
  known.set(bodies, texts);
  return texts;
};

/** Seals bodies as JSON; null if nothing can be sealed now. */
export const sealedBodies = async (
  row: Pick<RecordRow, 'id' | 'workspace_id'>,
  bodies: LoggedBodies,
  { sealer, settings }: { readonly sealer: Pick<Sealer, 'seal'>; readonly settings: LogSettings },
): Promise<string | null> => {
  const texts = known.get(bodies) ?? toBodyTexts(bodies, settings);
  try {
    return JSON.stringify(await sealer.seal(JSON.stringify(texts), bodiesAt(row)));
  } catch {
    // Without a key or without the store, a record has no bodies.
    return null;
  }
};
