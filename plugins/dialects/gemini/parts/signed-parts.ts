import type { JsonObject } from '../../../../schema/json/json.ts';

/**
 * Writes the parts of one content. A signature goes on the part that follows it. If nothing follows, it goes on an empty text, as
 * in the vendor's own streams: https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export class SignedParts {
  #waiting: string | undefined;

  /** Whether a signature is waiting for its part. */
  get isWaiting(): boolean {
    return this.#waiting !== undefined;
  }

  sign(signature: string): readonly JsonObject[] {
    const before = this.end();
    this.#waiting = signature;
    return before;
  }

  /** Returns the part with the signature that was waiting for it. */
  write(part: JsonObject): JsonObject {
    const signature = this.take();
    return signature === undefined ? part : { ...part, thoughtSignature: signature };
  }

  /** Returns the waiting signature, for a part that is written later. */
  take(): string | undefined {
    const signature = this.#waiting;
    this.#waiting = undefined;
    return signature;
  }

  end(): readonly JsonObject[] {
    return this.isWaiting ? [this.write({ text: '' })] : [];
  }
}
