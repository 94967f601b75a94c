import type { CallerOverrides } from '../../plugins/sdk/exchange.ts';
import type { RawHeaders } from '../../plugins/sdk/http.ts';
import { GatewayError } from '../../schema/errors.ts';
import type { Json } from '../../schema/json.ts';
import { type HeaderRow, headerTable } from './header-table.ts';

type Mutable<Thing> = { -readonly [Key in keyof Thing]: Thing[Key] };

/** What a request's headers say to the gateway, read in one pass. */
export class CallerHeaders {
  readonly overrides: Mutable<CallerOverrides> = {};
  /** Provider settings from the cloud headers. */
  settings: { [field: string]: Json } | undefined;
  traceId: string | undefined;
  traceParent: string | undefined;
  /** JSON text: parsed when somebody looks. */
  metadata: string | undefined;
  /** A config as JSON text, or the name of a saved one. */
  config: string | undefined;
  virtualKey: string | undefined;
  serviceKey: string | undefined;
  cacheForceRefresh: boolean | undefined;
  cacheNamespace: string | undefined;
  /** Which header carried `overrides.credential`, in lower case. */
  credentialHeader: string | undefined;
  host: string | undefined;
  origin: string | undefined;
  contentType: string | undefined;
  contentLength: number | undefined;
  contentEncoding: string | undefined;
  chunked = false;
  expectsContinue = false;
  /** The first header that could not be read. */
  problem: GatewayError | undefined;
}

// By length first: most headers of a request are nobody's business here, and their length tells.
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

/** Never throws for what a client sent: `problem` says which header could not be read. */
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
