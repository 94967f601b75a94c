import type { Answer, Scenario, Told } from '../scenario.ts';

export interface AskOptions {
  /** `http://127.0.0.1:port`, without `/v1`. */
  readonly origin: string;
  /** The gateway's headers: `x-gw-config` and others. */
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: boolean;
  /** How often the library may ask again by itself. */
  readonly retries: number;
  /** The driver's own if absent. */
  readonly model?: string;
}

/** How an answer may end. */
export type Finish = Extract<Answer, { kind: 'answer' }>['finish'];

/** What a library cannot do, and why: a cell that works in spite of it fails. */
export interface Inability {
  /** The scenarios' ids; all if absent. */
  readonly scenarios?: readonly string[];
  /** The families' ids; all if absent. */
  readonly families?: readonly string[];
  /** Only streamed, or only whole. */
  readonly stream?: boolean;
  /** The only things of an answer that are not as they should be; the library is of no use there if absent. */
  readonly facets?: readonly [string, ...string[]];
  /** A whole sentence. */
  readonly reason: string;
}

/** Asks through the official library of a dialect, as an application would. */
export interface ClientDriver {
  /** The dialect's id. */
  readonly dialect: string;
  /** The npm packages that it asks with, for its tests' names. */
  readonly library: string;
  /** The model that it asks for where none is given: libraries decide by its name what they send. */
  readonly model: string;
  /** What the library may say of an answer that ended so. */
  readonly finishes: Readonly<Record<Finish, readonly string[]>>;
  readonly cannot?: readonly Inability[];
  /** What the library does not show of an answer, with the reason. */
  readonly hides?: Readonly<Partial<Record<'reasoning' | 'refusal' | 'cached' | 'reasoning tokens', string>>>;
  /** What the library adds to the limit of tokens that it is given. */
  readonly addsToLimit?: string;
  /** What the library sends as a tool's result, where it adds to the text. */
  result?(name: string, text: string): string;
  ask(scenario: Scenario, options: AskOptions): Promise<Told>;
}
