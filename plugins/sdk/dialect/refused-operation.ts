import type { WireError } from '../../../schema/conversation/answer.ts';

/** An answer with a good status that says that the provider refused the request, as its filter of contents does. */
export class RefusedOperation extends Error {
  readonly wire: WireError & { readonly status: number };

  /** @param wire the error as an answer of that status has it */
  constructor(wire: WireError & { readonly status: number }) {
    super(wire.message);
    this.name = 'RefusedOperation';
    this.wire = wire;
  }
}
