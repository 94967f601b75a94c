import type { JsonObject } from '../../../schema/json/json.ts';
import type { Call } from '../../matrix/scenario.ts';

/** The result of a call. */
export interface Result {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** What a client says in one request, after all that was said before. */
export interface Say {
  readonly results: readonly Result[];
  readonly user?: string;
}

/** What the model says in one answer. */
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

/** A conversation as both of its sides know it: the test's own record of it. */
export interface Story {
  readonly id: string;
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  /** The name of a tool whose input is plain text, which is a function of one text where a format has no such tools. */
  readonly customTool?: string;
  readonly says: Say[];
  readonly replies: Reply[];
}

export const toUsers = ({ says }: Story): readonly string[] => says.flatMap(({ user }) => user ?? []);

export const toResults = ({ says }: Story): readonly Result[] => says.flatMap(({ results }) => results);

export const toCalls = ({ replies }: Story): readonly Call[] => replies.flatMap(({ calls }) => calls);
