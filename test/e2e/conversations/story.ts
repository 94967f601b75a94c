import type { JsonObject } from '../../../schema/json/json.ts';
import type { Call } from '../../matrix/scenario.ts';

/** The result of a call. */
export interface Result {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** The content of a client's request that is new in a turn. */
export interface Say {
  readonly results: readonly Result[];
  readonly user?: string;
}

/** The content of one answer of the model. */
export interface Reply {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly Call[];
}

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** A conversation as both sides should know it: the test's own record. */
export interface Story {
  readonly id: string;
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  /**
   * The name of a tool whose input is plain text. Formats without such tools have a function with one text parameter in its
   * place.
   */
  readonly customTool?: string;
  readonly says: Say[];
  readonly replies: Reply[];
}

export const toUsers = ({ says }: Story): readonly string[] => says.flatMap(({ user }) => user ?? []);

export const toResults = ({ says }: Story): readonly Result[] => says.flatMap(({ results }) => results);

export const toCalls = ({ replies }: Story): readonly Call[] => replies.flatMap(({ calls }) => calls);
