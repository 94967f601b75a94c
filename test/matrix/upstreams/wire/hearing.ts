import type { Call, Heard } from '../../scenario.ts';

/** What has been parsed of a request so far. */
export interface Hearing {
  readonly system: string[];
  readonly user: string[];
  readonly images: string[];
  readonly documents: string[];
  readonly tools: Heard['tools'][number][];
  readonly calls: Call[];
  readonly results: Heard['results'][number][];
  readonly proofs: string[];
}

export const createHearing = (): Hearing => ({
  system: [],
  user: [],
  images: [],
  documents: [],
  tools: [],
  calls: [],
  results: [],
  proofs: [],
});
