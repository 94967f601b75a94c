import type { JsonObject } from '../../schema/json/json.ts';

/** A call of a tool, as the model made it. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** Set for a call of a custom tool, whose only argument is plain text. */
  readonly isCustom?: true;
}

/** The content of one client request. */
export interface Ask {
  readonly system?: string;
  readonly user: string;
  readonly image?: { readonly mimeType: string; readonly base64: string };
  readonly document?: { readonly mimeType: string; readonly base64: string; readonly name: string };
  readonly tools?: readonly { readonly name: string; readonly description: string; readonly schema: JsonObject }[];
  /** An earlier step of the conversation: the model's calls and their results. */
  readonly earlier?: {
    readonly calls: readonly Call[];
    readonly results: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  };
  /** The schema of the JSON that the answer must be. */
  readonly schema?: { readonly name: string; readonly schema: JsonObject };
  /** Whether the model should reason before it answers. */
  readonly reasoning?: true;
  readonly maxTokens: number;
}

/** Token counts: `input` includes cached tokens, and `output` includes reasoning. */
export interface Counts {
  readonly input: number;
  readonly output: number;
  /** Absent if it is zero or not reported. */
  readonly cached?: number;
  readonly reasoning?: number;
}

/** The provider's answer. */
export type Answer =
  | {
      readonly kind: 'answer';
      readonly reasoning?: string;
      /** The provider's own proof of its reasoning, if its format has one. */
      readonly signature?: string;
      readonly text?: string;
      readonly calls?: readonly Call[];
      readonly finish: 'stop' | 'length' | 'tool-calls' | 'refusal';
      readonly usage: Counts;
    }
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly message: string;
      /** The number of seconds after which to retry, if the provider's format can express it. */
      readonly waitS?: number;
    };

/** An answer that is an error. */
export type Refusal = Extract<Answer, { readonly kind: 'error' }>;

/** One feature, as a request and its answer. */
export interface Scenario {
  readonly id: string;
  readonly ask: Ask;
  /** The first answer, after which the client's library retries by itself. */
  readonly refused?: Refusal;
  readonly answer: Answer;
  /** Set if the answer consists of calls: the client's library sends them back with the results and receives another answer. */
  readonly next?: NextStep;
}

export interface NextStep {
  /** In the order of the calls. */
  readonly results: readonly string[];
  readonly answer: Answer;
}

/** What a provider understood of a request in its own format. */
export interface Heard {
  readonly stream: boolean;
  readonly model: string;
  readonly system: readonly string[];
  /** The users' texts, in order. */
  readonly user: readonly string[];
  /** Base64. */
  readonly images: readonly string[];
  readonly documents: readonly string[];
  readonly tools: readonly { readonly name: string; readonly schema: JsonObject }[];
  readonly calls: readonly Call[];
  /** The id is empty if the format pairs results by name or order. */
  readonly results: readonly { readonly id: string; readonly text: string }[];
  /** The proofs of the model's reasoning that came back to it. */
  readonly proofs: readonly string[];
  readonly schema?: JsonObject;
  readonly reasoning: boolean;
  readonly maxTokens?: number;
}

/** What a client received, as its official library returns it. */
export interface Received {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Call[];
  readonly refusal: string;
  /** In the format of the client. */
  readonly finish: string;
  readonly usage?: Counts;
  readonly error?: { readonly status: number; readonly message: string };
  /** The header `x-gw-dropped-params`. */
  readonly dropped: readonly string[];
  /** The header `retry-after` of each answer with status 429. Empty if there was none. */
  readonly waits: readonly string[];
}
