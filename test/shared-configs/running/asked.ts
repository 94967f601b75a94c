import type { JsonObject } from '../../../schema/json/json.ts';

/** A guardrail or a hook as its author wrote it. */
export interface AskedHook {
  /** Its checks' ids, as written. */
  readonly checks: readonly string[];
  /** Whether all of its checks pass a text. */
  readonly passes: (text: string) => boolean;
  /** A word that it does not pass, in any text. */
  readonly word?: string;
  readonly denies: boolean;
  /** It runs in the background. */
  readonly async: boolean;
}

/** What a config asks for at one target, its own or inherited. */
export interface Asked {
  readonly cache?: string;
  readonly retry: { readonly attempts: number; readonly on: readonly number[] };
  readonly input: readonly AskedHook[];
  readonly output: readonly AskedHook[];
}

/** A target that a request tries. */
export interface Try {
  readonly asked: Asked;
  /** Whether the next target is tried after an answer of this one. */
  readonly goesOnAfter: (status: number) => boolean;
}

/** One way through a config: the targets that a request tries, one after the other. */
export interface Way {
  /** What makes a request go this way, for people; empty where there is only one. */
  readonly title: string;
  /** What a body has for conditions to choose this way. */
  readonly params: JsonObject;
  /** The branch that each load balance draws, by its place in the config. */
  readonly draws: ReadonlyMap<string, number>;
  readonly tries: readonly Try[];
}
