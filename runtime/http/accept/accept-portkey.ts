import { LRUCache } from 'lru-cache';
import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { type GatewayError, gatewayError } from '../../../schema/errors/errors.ts';
import { portkeyHeaders, portkeyPrefix } from '../../../schema/portkey/headers.ts';
import { closestName } from '../../../schema/text/closest-name.ts';
import { gatewayPrefix } from '../../engine/forwarded-headers/header-class.ts';
import type { AcceptedHeaders } from '../headers/caller-headers.ts';
import type { AcceptHeaders } from '../headers/read-caller-headers.ts';
import type { Acceptance } from './acceptance.ts';
import { type ReadConfig, readPortkeyConfig } from './read-portkey-config.ts';
import { chooseWithClientNames, withClientNames } from './their-names.ts';

const apiKey = `${portkeyPrefix}api-key`;
const configHeader = `${portkeyPrefix}config`;
const maxShown = 64;

/** Maps the gateway's names of headers to Portkey's. */
const theirs: ReadonlyMap<string, string> = new Map(
  [...portkeyHeaders].flatMap(([name, header]): readonly (readonly [string, string])[] =>
    'as' in header && header.as.startsWith(gatewayPrefix) ? [[header.as, portkeyPrefix + name]] : [],
  ),
);

/** https://portkey.ai/docs/api-reference/inference-api/response-schema */
const answered: ReadonlyMap<string, string> = new Map(
  ['trace-id', 'provider', 'last-used-option-index', 'retry-attempt-count', 'cache-status'].map((name) => [
    gatewayPrefix + name,
    portkeyPrefix + name,
  ]),
);

const answer = (lines: string[]): void => {
  const own = lines.length;
  for (let at = 0; at < own; at += 2) {
    const theirName = answered.get(lines[at] ?? '');
    if (theirName !== undefined) lines.push(theirName, lines[at + 1] ?? '');
  }
};

const invalid = (header: string, reason: string): GatewayError =>
  gatewayError('invalid-header', { header: header.slice(0, maxShown), reason });

const unknown = (header: string): GatewayError => {
  const rest = header.slice(portkeyPrefix.length);
  const near = rest.length > maxShown ? undefined : closestName(rest, [...portkeyHeaders.keys()]);
  const hint = near === undefined ? 'Omit it.' : `Did you mean ${portkeyPrefix}${near}?`;
  return invalid(header, `there is no such header. ${hint}`);
};

/** Returns the last config of Portkey's among the lines of a request. */
const findConfig = (raw: RawHeaders): string | undefined => {
  const at = raw.findLastIndex((name, index) => index % 2 === 0 && name.toLowerCase() === configHeader);
  return at < 0 ? undefined : raw[at + 1];
};

/** The lines that one line translates to, or why it cannot be read. */
type Read = RawHeaders | GatewayError;

const none: RawHeaders = [];

/** The names of the lines that a client sent, in lower case. */
class SentNames {
  readonly #raw: RawHeaders;
  #names: ReadonlySet<string> | undefined;

  constructor(raw: RawHeaders) {
    this.#raw = raw;
  }

  has(name: string): boolean {
    this.#names ??= new Set(this.#raw.filter((_, at) => at % 2 === 0).map((each) => each.toLowerCase()));
    return this.#names.has(name);
  }
}

/** Replaces names of headers in a text with Portkey's. Names that the client itself sent in the gateway's form stay. */
const toTheirs = (text: string, sent: SentNames): string =>
  text.replaceAll(/\bx-gw-[a-z0-9-]+/g, (name) => (sent.has(name) ? name : (theirs.get(name) ?? name)));

/**
 * Returns why it is unclear what a request is for: a header is present with its name here and with Portkey's, and the values
 * differ.
 */
const clash = (sent: SentNames): GatewayError | undefined => {
  const found = [...theirs].find(([ours, theirName]) => sent.has(ours) && sent.has(theirName));
  return found && invalid(found[1], `${found[0]} was also sent, with a different value. Send one of them.`);
};

/** Whether a header belongs to Portkey's clients. */
const isTheirs = (name: string): boolean =>
  name.length > portkeyPrefix.length && name.slice(0, portkeyPrefix.length).toLowerCase() === portkeyPrefix;

interface Reader {
  readonly readConfig: ReadConfig;
  readonly refusesUnknown: boolean;
}

const readLine = (name: string, text: string, sent: SentNames, { readConfig, refusesUnknown }: Reader): Read => {
  const header = portkeyHeaders.get(name.slice(portkeyPrefix.length));
  if (header === undefined) return refusesUnknown ? unknown(name) : none;
  // Clients send an empty line for what they do not set.
  if (text === '' || 'unread' in header) return none;
  if ('instead' in header) return invalid(name, `it has no counterpart here. ${header.instead}`);
  const { as } = header;
  if (as === 'x-gw-config') {
    const read = readConfig(text);
    return 'reason' in read ? invalid(name, read.reason) : [as, read.text];
  }
  // If a client also sends the header with the provider's own name, that line counts.
  return as.startsWith(gatewayPrefix) || !sent.has(as) ? [as, text] : none;
};

/** How many translated configs of callers are remembered, and how many characters. */
const remembered = { max: 100, maxSize: 4_000_000 };

const createReader = (): AcceptHeaders => {
  const configs = new LRUCache<string, ReturnType<ReadConfig>>({
    ...remembered,
    sizeCalculation: (value, text) => text.length + ('text' in value ? value.text.length : 1),
  });
  const readConfig: ReadConfig = (text) => {
    const known = configs.get(text);
    if (known !== undefined) return known;
    const made = readPortkeyConfig(text);
    configs.set(text, made);
    return made;
  };
  return (read, refusesUnknown) => (raw) => {
    let lines: string[] | undefined;
    let problem: GatewayError | undefined;
    let hasKey = false;
    const sent = new SentNames(raw);
    for (let at = 0; at < raw.length; at += 2) {
      const written = raw[at] ?? '';
      if (!isTheirs(written)) continue;
      const name = written.toLowerCase();
      lines ??= [...raw];
      hasKey ||= name === apiKey;
      const made = readLine(name, raw[at + 1] ?? '', sent, { readConfig, refusesUnknown });
      if (made instanceof Error) problem ??= made;
      else lines.push(...made);
    }
    if (lines === undefined) return read(raw);
    const caller = read(lines);
    const accepted: AcceptedHeaders = {
      lines,
      config: () => findConfig(raw),
      toTheirs: (text) => toTheirs(text, sent),
      answer,
    };
    caller.accepted = accepted;
    if (problem !== undefined) caller.problem = problem;
    if (caller.ambiguity !== undefined) caller.ambiguity = clash(sent) ?? caller.ambiguity;
    if (hasKey) caller.removed = [...(caller.removed ?? []), apiKey];
    return caller;
  };
};

/**
 * Translates the headers of Portkey's clients to the gateway's (`schema/portkey/headers.ts`), and configs among them to its
 * names. The original lines stay, and a config may forward them by name, except for the key of this gateway.
 */
export const acceptPortkey = (): Acceptance => ({
  readHeaders: createReader(),
  named: withClientNames,
  choose: chooseWithClientNames,
});
