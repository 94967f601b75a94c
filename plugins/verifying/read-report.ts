import { isJsonObject, type Json } from '../../schema/json.ts';
import { objectsOf, textsOf } from '../../schema/loose.ts';

/** What a process says of a plugin. */
export interface ChildReport {
  readonly name?: string;
  readonly permissions?: Json;
  readonly providers: readonly { readonly id: string; readonly aliases: readonly string[] }[];
  readonly dialects: readonly string[];
  readonly checks: readonly string[];
  readonly caches: readonly string[];
  /** Absent where it is not known which hooks it taps. */
  readonly hooks?: readonly string[];
  readonly faults: readonly string[];
}

const providersOf = (value: Json | undefined): ChildReport['providers'] =>
  objectsOf(value).map(({ id, aliases }) => ({ id: String(id), aliases: textsOf(aliases) }));

/** The report of a plugin of which nothing else is known. */
export const faultReport = (fault: string): ChildReport => ({
  providers: [],
  dialects: [],
  checks: [],
  caches: [],
  faults: [fault],
});

/** Reads a report. The plugin ran in the process that wrote it, so nothing of it is trusted. */
export const readReport = (value: unknown): ChildReport => {
  if (!isJsonObject(value)) return faultReport('Its process sent no report.');
  return {
    ...(typeof value.name === 'string' && { name: value.name }),
    ...(value.permissions !== undefined && { permissions: value.permissions }),
    providers: providersOf(value.providers),
    dialects: textsOf(value.dialects),
    checks: textsOf(value.checks),
    caches: textsOf(value.caches),
    ...(value.hooks !== undefined && { hooks: textsOf(value.hooks) }),
    faults: textsOf(value.faults),
  };
};
