import type { Cancellation } from '../../../../plugins/sdk/http/http.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { AttemptScope } from '../../call/attempt-scope.ts';
import type { SendScope } from '../send/send.ts';

/**
 * The scope of one of several requests that form one attempt. It ends with the attempt, but records by itself whether its request
 * was written.
 */
export class PartScope implements SendScope {
  isWritten = false;
  readonly attempt: number;
  readonly tenant: string | undefined;
  readonly #scope: AttemptScope;

  constructor(scope: AttemptScope) {
    this.#scope = scope;
    this.attempt = scope.attempt;
    this.tenant = scope.tenant;
  }

  get cancellation(): Cancellation {
    return this.#scope;
  }

  get cancelled(): boolean {
    return this.#scope.cancelled;
  }

  get cause(): ErrorReport | undefined {
    return this.#scope.cause;
  }

  onCancel(listener: () => void): () => void {
    return this.#scope.onCancel(listener);
  }

  written(): void {
    this.isWritten = true;
    this.#scope.written();
  }
}
