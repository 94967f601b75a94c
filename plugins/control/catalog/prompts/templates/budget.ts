import { maxBytes, maxSteps } from './limits.ts';
import { TemplateError } from './template-error.ts';

/** What one rendering may still cost. Its methods throw a `TemplateError` where that is exceeded. */
export class Budget {
  #bytes = maxBytes;
  #steps = maxSteps;

  /** Takes the bytes of a piece of output. */
  output(text: string): void {
    this.#bytes -= text.length > this.#bytes ? text.length : Buffer.byteLength(text);
    if (this.#bytes < 0)
      throw new TemplateError('The rendered text would be larger than 1 MiB; give shorter values or shorter lists.');
  }

  step(): void {
    this.#steps -= 1;
    if (this.#steps < 0)
      throw new TemplateError(
        `Rendering takes more than ${maxSteps.toLocaleString('en')} steps; give shorter lists or nest fewer sections.`,
      );
  }
}
