import { createRequire } from 'node:module';

export type TsMorph = typeof import('ts-morph');

/** ts-morph is not installed. It is large, and only `gw compile` needs it. */
export class MissingTsMorphError extends Error {
  readonly fact = 'Writing TypeScript needs the package ts-morph, which is not installed here.';
  readonly hint =
    'Install it (npm install --save-dev ts-morph@28), or leave the typed modules out (gw compile --no-types).';

  constructor(options?: ErrorOptions) {
    super(undefined, options);
    this.name = 'MissingTsMorphError';
    this.message = `${this.fact} ${this.hint}`;
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'MODULE_NOT_FOUND' &&
  error.message.includes("'ts-morph'");

/** Loads ts-morph on first use. Throws `MissingTsMorphError` if it is missing; `require` is replaced in tests. */
export const loadTsMorph = (require: (name: string) => unknown = createRequire(import.meta.url)): TsMorph => {
  try {
    // A package's exports have no type at run time; this one is known by its name.
    return require('ts-morph') as TsMorph;
  } catch (error) {
    throw isMissing(error) ? new MissingTsMorphError({ cause: error }) : error;
  }
};
