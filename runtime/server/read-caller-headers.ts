import type { RawHeaders } from '../../plugins/sdk/http.ts';
import { GatewayError } from '../../schema/errors.ts';
import { CallerHeaders } from './caller-headers.ts';
import { type HeaderRow, headerTable } from './header-table.ts';

// By length first: most headers are not the gateway's, and their length shows it.
const rowsByLength: (Map<string, HeaderRow> | undefined)[] = [];
for (const row of headerTable) {
  const rows = rowsByLength[row.name.length] ?? new Map<string, HeaderRow>();
  rowsByLength[row.name.length] = rows.set(row.name, row);
}

const take = (row: HeaderRow, caller: CallerHeaders, text: string): void => {
  try {
    row.take(caller, text);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    caller.problem ??= error;
  }
};

/** Reads a request's headers in one pass. Never throws for what a client sent: `problem` says which header could not be read. */
export const readCallerHeaders = (raw: RawHeaders): CallerHeaders => {
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
