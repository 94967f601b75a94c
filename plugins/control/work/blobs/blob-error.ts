/** What is wrong with kept bytes: they cannot be reached now, or they are not what was written. */
export type BlobFault = 'unavailable' | 'damaged';

/** Bytes cannot be written or read. The message is a sentence for the operator: what is the case, and what to do. */
export class BlobError extends Error {
  override readonly name = 'BlobError';
  readonly fault: BlobFault;

  constructor(fault: BlobFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
