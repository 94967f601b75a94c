import type { JsonObject } from '../../../schema/json/json.ts';
import type { JsonPointer } from '../../../schema/json/pointer.ts';

/** The parts of a prompt, in the order in which providers read them. */
export type PromptPart = 'tools' | 'system' | 'turns';

/** A text that is put into a JSON body: before or after a value, or at the end inside an object or array. */
export interface TextInsertion {
  readonly at: JsonPointer;
  readonly where: 'before' | 'inside' | 'after';
  readonly text: string;
}

/** A place of a body at which a hint can say that the provider may keep what comes before it. */
export interface CacheHintPlace {
  readonly in: PromptPart;
  /** The characters of the prompt up to here, without media. */
  readonly size: number;
  readonly insert: readonly TextInsertion[];
}

/** How a dialect hints at prefixes that its provider may cache. */
export interface CacheHints {
  /** Occurs in every body that has hints of its own. It begins with the quote of a JSON string. */
  readonly mark: string;
  /** Where a body without hints can have them, in the order of the prompt, at most one in each part. */
  places(body: JsonObject): readonly CacheHintPlace[];
}

/** The rules by which a provider caches where a request hints at it. */
export interface PromptCacheRules {
  /** The tokens of the shortest prefix that is kept. */
  readonly minTokens: number;
  /** The most hints of a request. */
  readonly most: number;
  /** The parts of a prompt that accept hints. */
  readonly in: readonly PromptPart[];
}
