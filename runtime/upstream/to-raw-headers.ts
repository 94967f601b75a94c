import type { Dispatcher } from 'undici';
import type { RawHeaders } from '../../plugins/sdk/http/http.ts';
import { HeaderParts } from './header-parts.ts';

/** Holds the parts of one answer's lines while they are decoded. */
const joined = Buffer.allocUnsafeSlow(8 * 1024);

/** Decodes all parts together, which takes less than half the time of decoding each. */
const decode = (parts: readonly Buffer[]): RawHeaders => {
  let size = 0;
  for (const part of parts) {
    if (size + part.length > joined.length) return parts.map((each) => each.toString('latin1'));
    joined.set(part, size);
    size += part.length;
  }
  const text = joined.toString('latin1', 0, size);
  const lines: string[] = new Array(parts.length);
  let from = 0;
  for (let at = 0; at < parts.length; at += 1) {
    const to = from + (parts[at]?.length ?? 0);
    lines[at] = text.slice(from, to);
    from = to;
  }
  return lines;
};

/** Returns an answer's headers in their original order and spelling. */
export const toRawHeaders = (raw: Dispatcher.DispatchController['rawHeaders'] | HeaderParts): RawHeaders => {
  if (raw instanceof HeaderParts) return decode(raw.parts);
  if (Array.isArray(raw)) return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
  return Object.entries(raw ?? {}).flatMap(([name, value]) => [value ?? []].flat().flatMap((one) => [name, one]));
};
