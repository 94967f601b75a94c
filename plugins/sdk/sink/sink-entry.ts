import type { JsonObject } from '../../../schema/json/json.ts';

/** An entry of `log.sinks` in the gateway file. */
export interface SinkEntry {
  /** The unique name of this entry, for people and metrics. */
  readonly name: string;
  /** The id of its sink. */
  readonly sink: string;
  /** The file of the plugin that provides the sink. Absent for the built-in sinks. */
  readonly file?: string;
  /** The options of the sink, with references not yet resolved. */
  readonly options: JsonObject;
  /** The ids and slugs of the workspaces whose records are sent. If absent, the records of all. */
  readonly workspaces?: readonly string[];
  /** The share of traces whose records are sent, from 0 to 1. */
  readonly sample: number;
}
