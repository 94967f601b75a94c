import type { Operation } from './exchange.ts';

/** The facts that apply to every request of an operation, in any dialect. */
export interface OperationFacts {
  /** Whether answers may be streams. */
  readonly mayStream: boolean;
  /** The content of answers. `figures` are vectors, scores and verdicts, which contain neither texts nor tokens. */
  readonly output: 'text' | 'media' | 'figures';
  /** Whether the usage of every answer is known, because the provider reports it or it can be estimated from the texts. */
  readonly isMeasured: boolean;
  /** Whether checks must not change requests, because the vector or the verdict would be that of another text. */
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
