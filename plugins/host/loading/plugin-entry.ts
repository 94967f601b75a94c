import type { JsonObject } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer } from '../../../schema/json/pointer.ts';
import type { PluginProblem } from './plugin-problem.ts';

/** One item of `plugins` in the gateway file. */
export interface PluginEntry {
  /** The name of a package, or a path that starts with a dot. */
  readonly package: string;
  readonly options?: JsonObject;
  /** Whether its checks run in a separate process; false if absent. */
  readonly isolate?: boolean;
  /** The maximum memory of each of its processes, in mebibytes; 256 if absent. */
  readonly memory_mb?: number;
  /** The position of the item in the gateway file. */
  readonly pointer: JsonPointer;
}

/** A plugin that cannot be used. */
export interface Refused {
  readonly problems: readonly PluginProblem[];
}

/** A problem without its position. */
export type ProblemText = Pick<PluginProblem, 'code' | 'message' | 'hint'>;

/** Refuses an entry. The problem's position is where the package is named. */
export const refused = (text: ProblemText, { pointer }: Pick<PluginEntry, 'pointer'>): Refused => ({
  problems: [{ ...text, pointer: childPointer(pointer, 'package') }],
});

/** Returns why an entry is refused, in sentences. */
export const refusalText = ({ problems }: Refused): string => problems.map(({ message }) => message).join(' ');
