import { gatewayError } from '../../../schema/errors/errors.ts';
import { type BodyHolder, MemoryBudget } from '../body/memory-budget.ts';
import { SpooledFile } from './spooled-file.ts';

export interface SpoolOptions {
  /** An existing folder. */
  readonly folder: string;
  /** The maximum number of bytes of one form. */
  readonly formBytes: number;
  /** The maximum number of bytes of all forms together. A tenant has no more than its share while others could need theirs. */
  readonly formsBytes: number;
}

/** A form that is being written to a file. */
export interface SpooledForm {
  readonly file: SpooledFile;
  /** Rejects with the `GatewayError`s `form-too-large`, `overloaded` and `spool-failed`. */
  write(chunk: Uint8Array): Promise<void>;
  /** Ends the file, and releases its bytes for others. */
  close(): void;
}

const failed = (error: unknown): Error => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return gatewayError('spool-failed', { code });
};

/** Stores forms that are too large for memory in files. */
export class Spool {
  readonly formBytes: number;
  readonly #folder: string;
  readonly #budget: MemoryBudget;

  constructor({ folder, formBytes, formsBytes }: SpoolOptions) {
    this.formBytes = formBytes;
    this.#folder = folder;
    this.#budget = new MemoryBudget(formsBytes);
  }

  /** Returns the number of bytes of all open files. */
  get held(): number {
    return this.#budget.held;
  }

  /** Opens a file and ends it. Rejects with the error of the file system if the folder cannot be used. */
  async check(): Promise<void> {
    (await SpooledFile.open(this.#folder)).close();
  }

  /** Opens a file for a form of a tenant. Rejects with the `GatewayError` `spool-failed`. */
  async open(principal: BodyHolder['principal']): Promise<SpooledForm> {
    const holder = this.#budget.newHolder(principal);
    const file = await SpooledFile.open(this.#folder).catch((error: unknown) => {
      throw failed(error);
    });
    let isClosed = false;
    return {
      file,
      write: async (chunk) => {
        // The client has disconnected, so what is reserved now would never be released.
        if (isClosed) throw gatewayError('spool-failed', { code: 'closed' });
        if (file.length + chunk.length > this.formBytes)
          throw gatewayError('form-too-large', { limit: this.formBytes });
        if (!this.#budget.take(chunk.length, holder)) throw gatewayError('overloaded', {});
        await file.write(chunk).catch((error: unknown) => {
          throw failed(error);
        });
      },
      close: () => {
        isClosed = true;
        file.close();
        this.#budget.release(holder);
      },
    };
  }
}
