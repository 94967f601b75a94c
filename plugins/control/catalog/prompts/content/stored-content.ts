import { fromJson } from '../../../../../schema/json/from-json.ts';
import type { PromptContent } from './prompt-content.ts';

/** What the store has of a version: its content, and the slugs of the partials that it includes itself. */
interface StoredVersion {
  readonly content: PromptContent;
  readonly partials: readonly string[];
}

export const toStoredVersion = (content: PromptContent, partials: readonly string[]): string => {
  const stored: StoredVersion = { content, partials: [...new Set(partials)] };
  return JSON.stringify(stored);
};

// The store has only what the rules let in.
const storedVersion = (text: string): StoredVersion => fromJson(text) as StoredVersion;

export const storedContent = (text: string): PromptContent => storedVersion(text).content;

export const storedPartials = (text: string): readonly string[] => storedVersion(text).partials;
