import type { RawHeaders } from '../../../plugins/sdk/http/http.ts';
import { credentialHeaders } from '../../../schema/credentials/credential-headers.ts';
import { GatewayError, gatewayError } from '../../../schema/errors/errors.ts';
import { isGatewayHeader } from '../../engine/forwarded-headers/header-class.ts';
import { CallerHeaders } from './caller-headers.ts';
import { credentialRow, type HeaderRow, headerTable, unreadCredentialRow, unservedRows } from './header-table.ts';
import type { KnownHeaders } from './known-headers.ts';

/** Reads a request's headers in one pass. Never throws for a client's input: `problem` says which header could not be read. */
export type ReadCallerHeaders = (raw: RawHeaders) => CallerHeaders;

/** Also reads the headers of another gateway's clients. `refusesUnknown`: whether unknown ones of them are a problem. */
export type AcceptHeaders = (read: ReadCallerHeaders, refusesUnknown: boolean) => ReadCallerHeaders;

/** Reads what another reader reads, and may find a problem in it. */
export type CheckHeaders = (read: ReadCallerHeaders) => ReadCallerHeaders;

const take = (row: HeaderRow, caller: CallerHeaders, text: string): void => {
  try {
    row.take(caller, text);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    caller.problem ??= error;
  }
};

/**
 * Returns the rows of dialects' headers. A header in which only a plugin's dialect has keys is removed, because no config can
 * intend to forward it.
 */
const toRows = (names: readonly string[]): readonly HeaderRow[] => {
  const known = new Set(headerTable.map(({ name }) => name));
  const others = new Set(names.map((name) => name.toLowerCase()).filter((name) => !known.has(name)));
  return [
    ...[...others].map((name) => credentialRow(name, { isRemoved: !credentialHeaders.has(name) })),
    ...[...credentialHeaders].filter((name) => !known.has(name) && !others.has(name)).map(unreadCredentialRow),
  ];
};

/** Why a header with several values is refused. */
export const differingValues = 'it occurs more than once, with different values. Send it once.';

/** The headers of one request that may have only one value. */
class SingleHeaders {
  readonly #rows: HeaderRow[] = [];
  readonly #texts: string[] = [];
  #count = 0;

  /** Whether a line of a header has another text than an earlier one. */
  differs(row: HeaderRow, text: string): boolean {
    for (let at = 0; at < this.#count; at += 1) if (this.#rows[at] === row) return this.#texts[at] !== text;
    this.#rows[this.#count] = row;
    this.#texts[this.#count] = text;
    this.#count += 1;
    return false;
  }

  /** Forgets the texts too, because some are credentials. */
  clear(): void {
    for (; this.#count > 0; this.#count -= 1) this.#texts[this.#count - 1] = '';
  }
}

const maxShown = 64;

const unknownHeader = (written: string, known: KnownHeaders): GatewayError => {
  const near = known.closest(written);
  return gatewayError('invalid-header', {
    header: written.slice(0, maxShown),
    reason: `there is no such header. ${near === undefined ? 'Omit it.' : `Did you mean ${near}?`}`,
  });
};

/**
 * `names` are the headers in which the clients of dialects send their credential. With `known`, a header with the gateway's
 * prefix that is not among them is a problem. Otherwise it is ignored.
 */
export const callerHeaderReader = (names: readonly string[], known?: KnownHeaders): ReadCallerHeaders => {
  // By length first, because most headers are not the gateway's, and their length shows that.
  const rowsByLength: (Map<string, HeaderRow> | undefined)[] = [];
  for (const row of [...headerTable, ...unservedRows, ...toRows(names)]) {
    const rows = rowsByLength[row.name.length] ?? new Map<string, HeaderRow>();
    rowsByLength[row.name.length] = rows.set(row.name, row);
  }
  // Shared by all requests, because each is read synchronously.
  const single = new SingleHeaders();
  return (raw) => {
    const caller = new CallerHeaders();
    single.clear();
    for (let at = 0; at < raw.length; at += 2) {
      const name = raw[at];
      if (name === undefined) continue;
      const rows = rowsByLength[name.length];
      // Most clients write it in lower case.
      const row = rows?.get(name) ?? rows?.get(name.toLowerCase());
      if (row === undefined) {
        if (known !== undefined && isGatewayHeader(name) && !known.has(name.toLowerCase()))
          caller.problem ??= unknownHeader(name.toLowerCase(), known);
        continue;
      }
      const text = raw[at + 1] ?? '';
      if (row.repeated === 'refused' && single.differs(row, text))
        caller.ambiguity ??= gatewayError('invalid-header', { header: row.name, reason: differingValues });
      take(row, caller, text);
    }
    single.clear();
    if (caller.settings !== undefined) caller.overrides.settings = caller.settings;
    return caller;
  };
};
