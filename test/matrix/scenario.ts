import type { JsonObject } from '../../schema/json/json.ts';

/** A tool's call, as the model made it. */
export interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** A call of a custom tool, whose only argument is a plain text. */
  readonly isCustom?: true;
}

/** What a client says in one request. */
export interface Ask {
  readonly system?: string;
  readonly user: string;
  readonly image?: { readonly mimeType: string; readonly base64: string };
  readonly document?: { readonly mimeType: string; readonly base64: string; readonly name: string };
  readonly tools?: readonly { readonly name: string; readonly description: string; readonly schema: JsonObject }[];
  /** An earlier step of the conversation: what the model called, and the results. */
  readonly earlier?: {
    readonly calls: readonly Call[];
    readonly results: readonly { readonly id: string; readonly name: string; readonly text: string }[];
  };
  /** The answer must be JSON of this schema. */
  readonly schema?: { readonly name: string; readonly schema: JsonObject };
  /** The model should reason before it answers. */
  readonly reasoning?: true;
  readonly maxTokens: number;
}

/** Tokens: `input` includes cached ones, and `output` those of reasoning. */
export interface Counts {
  readonly input: number;
  readonly output: number;
  /** Absent if they are not told, or none. */
  readonly cached?: number;
  readonly reasoning?: number;
}

/** What the provider answers. */
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
      /** After how many seconds the provider may be asked again, where its format can say so. */
      readonly waitS?: number;
    };

/** An answer that is an error. */
export type Refusal = Extract<Answer, { readonly kind: 'error' }>;

/** One feature, as a request and its answer. */
export interface Scenario {
  readonly id: string;
  readonly ask: Ask;
  /** What is answered first: the client's library then asks again by itself. */
  readonly refused?: Refusal;
  readonly answer: Answer;
  /** The answer was calls: the client's library sends back what it got, with what the tools gave, and is answered again. */
  readonly next?: NextStep;
}

export interface NextStep {
  /** In the order of the calls. */
  readonly results: readonly string[];
  readonly answer: Answer;
}

/** What a provider understood of a request, in the format that it speaks. */
export interface Heard {
  readonly stream: boolean;
  readonly model: string;
  readonly system: readonly string[];
  /** The texts of users, in order. */
  readonly user: readonly string[];
  /** Base64. */
  readonly images: readonly string[];
  readonly documents: readonly string[];
  readonly tools: readonly { readonly name: string; readonly schema: JsonObject }[];
  readonly calls: readonly Call[];
  /** The id is empty where the format pairs results by name or order. */
  readonly results: readonly { readonly id: string; readonly text: string }[];
  /** The proofs of the model's reasoning that came back to it. */
  readonly proofs: readonly string[];
  readonly schema?: JsonObject;
  readonly reasoning: boolean;
  readonly maxTokens?: number;
}

/** What a client was told, as its official library gives it. */
export interface Told {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly Call[];
  readonly refusal: string;
  /** In the client's own words. */
  readonly finish: string;
  readonly usage?: Counts;
  readonly error?: { readonly status: number; readonly message: string };
  /** The header `x-gw-dropped-params`. */
  readonly dropped: readonly string[];
  /** The header `retry-after` of each answer with status 429, empty where it had none. */
  readonly waits: readonly string[];
}
