import { createHmac, randomBytes } from 'node:crypto';
import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';

/** Names values without revealing them: without the key, nobody can guess what a placeholder stands for. */
export class Placeholders {
  readonly #key: string | Uint8Array;

  /** Without a key, placeholders differ between processes. */
  constructor(key: string | undefined) {
    this.#key = key ?? randomBytes(32);
  }

  /** Returns a placeholder such as `[EMAIL_3f9a0c1b2d4e]`: the same for the same tenant, kind and text. */
  name(tenant: TenantId, { kind, text }: { readonly kind: string; readonly text: string }): string {
    const parts = [tenant, kind, text].map((part) => `${part.length}:${part}`).join('');
    return `[${kind}_${createHmac('sha256', this.#key).update(parts).digest('hex').slice(0, 12)}]`;
  }
}
