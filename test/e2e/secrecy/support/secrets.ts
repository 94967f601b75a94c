import { randomBytes } from 'node:crypto';
import { type SecretForm, toForms } from './secret-forms.ts';

interface NamedForm extends SecretForm {
  readonly name: string;
}

const hashBits = 20;

/** Returns the hash of four bytes. Other bytes can have the same hash. */
const toHash = (word: number): number => Math.imul(word, 0x9e37_79b1) >>> (32 - hashBits);

/** The secrets of a run, by name. */
export class Secrets {
  readonly #forms = new Map<string, readonly SecretForm[]>();
  /** The hashes of the beginnings of forms, and the forms with each hash. */
  readonly #begun = new Uint8Array(2 ** hashBits);
  readonly #byHash = new Map<number, readonly NamedForm[]>();

  /** Creates a credential with the characters that other notations escape. */
  make(name: string): string {
    return this.add(name, `sk-${randomBytes(9).toString('hex')}"/+=%&'<\\${randomBytes(9).toString('base64url')}`);
  }

  /** Registers a secret that was created elsewhere. */
  add<Secret extends string | Buffer>(name: string, secret: Secret): Secret {
    const forms = toForms(secret);
    this.#forms.set(name, forms);
    for (const form of forms) {
      const hash = toHash(form.bytes.readInt32LE(0));
      this.#begun[hash] = 1;
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), { name, ...form }]);
    }
    return secret;
  }

  /** Returns the secrets in some bytes, and how they are written there: `the key of a provider, hex`. */
  in(bytes: Buffer, { except = [] }: { readonly except?: readonly string[] } = {}): readonly string[] {
    const found = new Set<NamedForm>();
    // Reads each byte once. A search for each form would read it hundreds of times.
    let word = 0;
    for (let end = 0; end < bytes.length; end += 1) {
      word = (word >>> 8) | ((bytes[end] ?? 0) << 24);
      const hash = toHash(word);
      if (this.#begun[hash] !== 1 || end < 3) continue;
      for (const form of this.#byHash.get(hash) ?? []) {
        const start = end - 3;
        if (form.bytes.equals(bytes.subarray(start, start + form.bytes.length))) found.add(form);
      }
    }
    return [...found].filter(({ name }) => !except.includes(name)).map(({ name, form }) => `${name}, ${form}`);
  }

  get names(): readonly string[] {
    return [...this.#forms.keys()];
  }
}
