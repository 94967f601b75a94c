import type { RawHeaders } from '../../plugins/sdk/http.ts';
import { credentialHeaders } from '../../schema/credential-headers.ts';
import { GatewayError } from '../../schema/errors.ts';
import { CallerHeaders } from './caller-headers.ts';
import { credentialRow, type HeaderRow, headerTable } from './header-table.ts';

/** Reads a request's headers in one pass. Never throws for what a client sent: `problem` says which header could not be read. */
export type ReadCallerHeaders = (raw: RawHeaders) => CallerHeaders;

const take = (row: HeaderRow, caller: CallerHeaders, text: string): void => {
  try {
    row.take(caller, text);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    caller.problem ??= error;
  }
};

/** A header that only a plugin's dialect has for keys is removed: no config can mean to forward it. */
const rowsOf = (names: readonly string[]): readonly HeaderRow[] => {
  const known = new Set(headerTable.map(({ name }) => name));
  const others = new Set(names.map((name) => name.toLowerCase()).filter((name) => !known.has(name)));
  return [...others].map((name) => credentialRow(name, { isRemoved: !credentialHeaders.has(name) }));
};

/** `names` are the headers in which the clients of dialects present their credential. */
export const callerHeaderReader = (names: readonly string[]): ReadCallerHeaders => {
  // By length first: most headers are not the gateway's, and their length shows it.
  const rowsByLength: (Map<string, HeaderRow> | undefined)[] = [];
  for (const row of [...headerTable, ...rowsOf(names)]) {
    const rows = rowsByLength[row.name.length] ?? new Map<string, HeaderRow>();
    rowsByLength[row.name.length] = rows.set(row.name, row);
  }
  return (raw) => {
    const caller = new CallerHeaders();
    for (let at = 0; at < raw.length; at += 2) {
      const name = raw[at];
      if (name === undefined) continue;
      const row = rowsByLength[name.length]?.get(name.toLowerCase());
      if (row !== undefined) take(row, caller, raw[at + 1] ?? '');
    }
    if (caller.settings !== undefined) caller.overrides.settings = caller.settings;
    return caller;
  };
};
