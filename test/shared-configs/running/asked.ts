import type { JsonObject } from '../../../schema/json/json.ts';

/** A guardrail or a hook as its author wrote it. */
export interface AskedHook {
  /** The ids of its checks, as written. */
  readonly checks: readonly string[];
  /** Whether a text passes all of its checks. */
  readonly passes: (text: string) => boolean;
  /** A word with which no text passes. */
  readonly word?: string;
  readonly denies: boolean;
  /** Whether it runs in the background. */
  readonly async: boolean;
}

/** What a config specifies for one target, directly or by inheritance. */
export interface Asked {
  readonly cache?: string;
  readonly retry: { readonly attempts: number; readonly on: readonly number[] };
  readonly input: readonly AskedHook[];
  readonly output: readonly AskedHook[];
}

/** A target that a request tries. */
export interface Try {
  readonly asked: Asked;
  /** Whether the next target is tried after this one has answered with the status. */
  readonly goesOnAfter: (status: number) => boolean;
}

/** One path through a config: the targets that a request tries, one after another. */
export interface Way {
  /** What makes a request take this path, as readable text. Empty if there is only one path. */
  readonly title: string;
  /** The body members with which conditions choose this path. */
  readonly params: JsonObject;
  /** The branch that each load balance draws, by its place in the config. */
  readonly draws: ReadonlyMap<string, number>;
  readonly tries: readonly Try[];
}
