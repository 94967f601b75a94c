import type { Call, Heard } from '../../scenario.ts';

/** What was heard so far of a request. */
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
