import type { JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';

/** The parts of a prompt, in the order in which providers read them. */
export type PromptPart = 'tools' | 'system' | 'turns';

/** A text to insert into a JSON body: before or after a value, or at the end of an object or array. */
export interface TextInsertion {
  readonly at: JsonPointer;
  readonly where: 'before' | 'inside' | 'after';
  readonly text: string;
}

/** A place in a body where a hint can allow the provider to cache everything before it. */
export interface CacheHintPlace {
  readonly in: PromptPart;
  /** The length of the prompt up to this place in characters, without media. */
  readonly size: number;
  readonly insert: readonly TextInsertion[];
}

/** How requests of a dialect mark prefixes that the provider may cache. */
export interface CacheHints {
  /** A text that occurs in every body that already has hints. It starts with the quote of a JSON string. */
  readonly mark: string;
  /** Returns where hints can be added to a body without any, in the order of the prompt, at most one for each part. */
  places(body: JsonObject): readonly CacheHintPlace[];
}

/** The rules by which a provider caches prefixes that a request marks. */
export interface PromptCacheRules {
  /** The minimum length in tokens of a prefix that is cached. */
  readonly minTokens: number;
  /** The maximum number of hints in a request. */
  readonly most: number;
  /** The parts of a prompt that can have hints. */
  readonly in: readonly PromptPart[];
}
