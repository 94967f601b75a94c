/**
 * The names and values of an answer's header lines, by turns, as undici's parser found them. undici makes an object of an
 * array of them for every answer, in nearly a microsecond, and takes anything else as it is.
 */
export class HeaderParts {
  readonly parts: readonly Buffer[];
  /** undici examines only whether it is even. */
  readonly length = 0;

  constructor(parts: readonly Buffer[]) {
    this.parts = parts;
  }
}
