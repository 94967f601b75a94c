import type { JsonObject } from '../../../schema/json/json.ts';

/** An entry of `log.sinks` in the gateway file. */
export interface SinkEntry {
  /** Of this entry alone, for people and metrics. */
  readonly name: string;
  /** The id of its sink. */
  readonly sink: string;
  /** The file of the plugin that has the sink; absent for those that come with the gateway. */
  readonly file?: string;
  /** With their references. */
  readonly options: JsonObject;
  /** Ids and slugs of the workspaces whose records it gets; absent: of all. */
  readonly workspaces?: readonly string[];
  /** The share of traces whose records it gets, 0 to 1. */
  readonly sample: number;
}
