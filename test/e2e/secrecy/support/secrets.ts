import { randomBytes } from 'node:crypto';
import { type SecretForm, toForms } from './secret-forms.ts';

/** The secrets of a run, by what they are. */
export class Secrets {
  readonly #forms = new Map<string, readonly SecretForm[]>();

  /** Makes the text of a credential, in which there are the characters that other notations escape. */
  make(name: string): string {
    return this.add(name, `sk-${randomBytes(9).toString('hex')}"/+=%&'<\\${randomBytes(9).toString('base64url')}`);
  }

  /** Notes what others have made. */
  add<Secret extends string | Buffer>(name: string, secret: Secret): Secret {
    this.#forms.set(name, toForms(secret));
    return secret;
  }

  /** Which secrets are in some bytes, and how they are written there: `the key of a provider, hex`. */
  in(bytes: Buffer, { except = [] }: { readonly except?: readonly string[] } = {}): readonly string[] {
    return [...this.#forms].flatMap(([name, forms]) =>
      except.includes(name)
        ? []
        : forms.filter((form) => bytes.includes(form.bytes)).map(({ form }) => `${name}, ${form}`),
    );
  }

  get names(): readonly string[] {
    return [...this.#forms.keys()];
  }
}
