/**
 * The alternating names and values of an answer's header lines, as found by undici's parser. undici creates an object from an
 * array of them for every answer, which takes nearly a microsecond, and accepts anything else as it is.
 */
export class HeaderParts {
  readonly parts: readonly Buffer[];
  /** undici checks only whether it is even. */
  readonly length = 0;

  constructor(parts: readonly Buffer[]) {
    this.parts = parts;
  }
}
