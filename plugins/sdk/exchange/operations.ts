import type { Operation } from './exchange.ts';

/** The facts that hold for every request of an operation, in whichever dialect it is. */
export interface OperationFacts {
  /** Whether answers may be streams. */
  readonly mayStream: boolean;
  /** The content of answers: `figures` are vectors, scores and verdicts, which have neither texts nor tokens of their own. */
  readonly output: 'text' | 'media' | 'figures';
}

/** The facts of each operation. */
export const operations: { readonly [Each in Operation]: OperationFacts } = {
  converse: { mayStream: true, output: 'text' },
  complete: { mayStream: true, output: 'text' },
  embed: { mayStream: false, output: 'figures' },
  rerank: { mayStream: false, output: 'figures' },
  moderate: { mayStream: false, output: 'figures' },
  image: { mayStream: true, output: 'media' },
  speech: { mayStream: true, output: 'media' },
  transcribe: { mayStream: true, output: 'text' },
  ocr: { mayStream: false, output: 'text' },
  opaque: { mayStream: false, output: 'text' },
};
