import type { WireError } from '../../../schema/conversation/answer.ts';

/**
 * Thrown for an answer with a success status which says that the provider refused the request, for example because of a content
 * filter.
 */
export class RefusedOperation extends Error {
  readonly wire: WireError & { readonly status: number };

  /** @param wire the error in the form of an error answer */
  constructor(wire: WireError & { readonly status: number }) {
    super(wire.message);
    this.name = 'RefusedOperation';
    this.wire = wire;
  }
}
