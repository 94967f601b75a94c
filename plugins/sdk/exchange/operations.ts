import type { Operation } from './exchange.ts';

/** The facts of every request of an operation, in whichever dialect it is. */
export interface OperationFacts {
  /** Whether answers may be streams. */
  readonly mayStream: boolean;
  /** The content of answers: `figures` are vectors, scores and verdicts, which have neither texts nor tokens of their own. */
  readonly output: 'text' | 'media' | 'figures';
  /** Whether the usage of every answer is known: the provider reports it, or it can be estimated by its texts. */
  readonly isMeasured: boolean;
  /** Present where checks may not change requests: the vector or the verdict would be that of another text. */
  readonly isUnchangeable?: true;
}

/** The facts of each operation. */
export const operations: { readonly [Each in Operation]: OperationFacts } = {
  converse: { mayStream: true, output: 'text', isMeasured: true },
  complete: { mayStream: true, output: 'text', isMeasured: true },
  count: { mayStream: false, output: 'figures', isMeasured: true },
  embed: { mayStream: false, output: 'figures', isMeasured: true, isUnchangeable: true },
  rerank: { mayStream: false, output: 'figures', isMeasured: true },
  moderate: { mayStream: false, output: 'figures', isMeasured: true, isUnchangeable: true },
  image: { mayStream: true, output: 'media', isMeasured: false },
  speech: { mayStream: true, output: 'media', isMeasured: false },
  transcribe: { mayStream: true, output: 'text', isMeasured: false },
  ocr: { mayStream: false, output: 'text', isMeasured: true },
  opaque: { mayStream: false, output: 'text', isMeasured: false },
};
