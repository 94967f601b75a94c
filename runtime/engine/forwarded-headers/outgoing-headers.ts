import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { credentialHeaders } from '../../../schema/credentials/credential-headers.ts';
import { isForeignKeyHeader } from '../../../schema/http/foreign-key-headers.ts';
import { connectionNames, headerClass } from './header-class.ts';
import { headerText } from './header-text.ts';

/** Returns the lines of `headers` whose names, in lower case, are not in `names`. */
const without = (headers: RawHeaders, names: ReadonlySet<string>): string[] => {
  const kept: string[] = [];
  for (let at = 0; at < headers.length; at += 2) {
    const name = headerText(headers, at);
    if (!names.has(name.toLowerCase())) kept.push(name, headerText(headers, at + 1));
  }
  return kept;
};

/** Returns the lines of `own`, with `lines` in place of those with the same name. */
export const withLines = (own: RawHeaders, lines: RawHeaders): RawHeaders => {
  if (lines.length === 0) return own;
  const taken = new Set<string>();
  for (let at = 0; at < lines.length; at += 2) taken.add(headerText(lines, at).toLowerCase());
  return [...without(own, taken), ...lines];
};

/**
 * Returns the headers of a modelled operation: the target's own, and the client's lines that are forwarded, in the client's
 * spelling and in place of the target's with the same name. `forward` is in lower case.
 */
export const modelledHeaders = (own: RawHeaders, client: RawHeaders, forward: ReadonlySet<string>): RawHeaders => {
  if (forward.size === 0) return own;
  const lines: string[] = [];
  for (let at = 0; at < client.length; at += 2) {
    const name = headerText(client, at);
    if (!forward.has(name.toLowerCase()) || headerClass(name) !== 'end-to-end') continue;
    lines.push(name, headerText(client, at + 1));
  }
  return withLines(own, lines);
};

export interface PassThroughHeaders {
  readonly client: RawHeaders;
  /** The provider's headers, including the credential. */
  readonly own: RawHeaders;
  /** Names that the config forwards, in lower case. These override the provider's own. */
  readonly forward: ReadonlySet<string>;
  /** Whether the body is streamed with the length that the client declared. */
  readonly keepsLength: boolean;
  /** Decides by its name, in lower case, whether a client header passes at all. If absent, all do. */
  readonly passes?: ((name: string) => boolean) | undefined;
}

/** Returns the client's headers in their order and spelling. Its keys, and what the provider sets itself, are replaced. */
export const passThroughHeaders = ({ client, own, forward, keepsLength, passes }: PassThroughHeaders): RawHeaders => {
  const replaced = new Set(credentialHeaders);
  for (let at = 0; at < own.length; at += 2) replaced.add(headerText(own, at).toLowerCase());
  const lines: string[] = [];
  const forwarded = new Set<string>();
  const hops = new Set<string>();
  for (let at = 0; at < client.length; at += 2)
    if (headerText(client, at).toLowerCase() === 'connection')
      for (const name of connectionNames(headerText(client, at + 1))) hops.add(name);
  for (let at = 0; at < client.length; at += 2) {
    const name = headerText(client, at);
    const lower = name.toLowerCase();
    const kind = headerClass(name);
    if (hops.has(lower) || (kind !== 'end-to-end' && !(kind === 'framing' && keepsLength))) continue;
    if (passes?.(lower) === false) continue;
    if (forward.has(lower)) forwarded.add(lower);
    else if (replaced.has(lower) || isForeignKeyHeader(lower)) continue;
    lines.push(name, headerText(client, at + 1));
  }
  return [...lines, ...without(own, forwarded)];
};
