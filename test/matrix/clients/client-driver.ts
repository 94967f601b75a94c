import type { Answer, Received, Scenario } from '../scenario.ts';

export interface AskOptions {
  /** `http://127.0.0.1:port`, without `/v1`. */
  readonly origin: string;
  /** The gateway's headers: `x-gw-config` and others. */
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: boolean;
  /** How often the library may retry by itself. */
  readonly retries: number;
  /** Defaults to the driver's own model. */
  readonly model?: string;
}

/** The ways in which an answer can end. */
export type Finish = Extract<Answer, { kind: 'answer' }>['finish'];

/** What a library cannot do, and why. A cell that works nevertheless fails. */
export interface Inability {
  /** The ids of the scenarios. All if absent. */
  readonly scenarios?: readonly string[];
  /** The ids of the families. All if absent. */
  readonly families?: readonly string[];
  /** Whether it concerns only streams or only whole answers. */
  readonly stream?: boolean;
  /** The only facets of an answer that are wrong. If absent, the library is unusable there. */
  readonly facets?: readonly [string, ...string[]];
  /** A complete sentence. */
  readonly reason: string;
}

/** Sends requests through the official library of a dialect, as an application would. */
export interface ClientDriver {
  /** The dialect's id. */
  readonly dialect: string;
  /** The npm packages that it uses, for the names of its tests. */
  readonly library: string;
  /** The default model. Libraries decide by its name what they send. */
  readonly model: string;
  /** The values that the library may report for an answer that ended in this way. */
  readonly finishes: Readonly<Record<Finish, readonly string[]>>;
  readonly cannot?: readonly Inability[];
  /** What the library does not show of an answer, with the reason. */
  readonly hides?: Readonly<Partial<Record<'reasoning' | 'refusal' | 'cached' | 'reasoning tokens', string>>>;
  /** What the library adds to the given token limit. */
  readonly addsToLimit?: string;
  /** The tool result that the library sends, if it adds something to the text. */
  result?(name: string, text: string): string;
  ask(scenario: Scenario, options: AskOptions): Promise<Received>;
}
