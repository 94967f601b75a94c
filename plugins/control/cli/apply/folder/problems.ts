import type { JsonPointer } from '../../../../../schema/json/pointer.ts';
import type { ApiProblem } from '../../client/ask-gateway.ts';
import type { ControlServices } from '../../command-line/services.ts';
import { type FileOfBody, formatProblems, noOrigin } from '../../resources/format-problems.ts';
import { printable } from '../../resources/texts.ts';

/** The maximum number of printed problems. */
const maxShown = 100;

/** Collects the problems of a folder's files, so that all of them are reported at once. */
export class Problems {
  readonly #places: string[] = [];
  readonly #files = new Map<FileOfBody, ApiProblem[]>();

  get count(): number {
    return this.#places.length + [...this.#files.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Adds a problem with a path, or with the whole folder. */
  note(place: string, message: string, hint: string): void {
    this.#places.push(
      `gw: ${place === '' ? '' : `${printable(place)}: `}${printable(message)} ${printable(hint)}`.trimEnd(),
    );
  }

  /** Adds a problem with a member of a file. */
  at(
    file: FileOfBody,
    pointer: string,
    problem: { readonly message: string; readonly hint: string; readonly code?: string },
  ): void {
    this.add(file, [{ in: 'body', severity: 'error', code: '', ...problem, pointer: pointer as JsonPointer }]);
  }

  add(file: FileOfBody, problems: readonly ApiProblem[]): void {
    if (problems.length > 0) this.#files.set(file, [...(this.#files.get(file) ?? []), ...problems]);
  }

  /** Formats all problems, those of files with their lines. */
  format(services: Pick<ControlServices, 'render' | 'err'>): string {
    let left = maxShown;
    const take = <Item>(items: readonly Item[]): readonly Item[] => {
      const taken = items.slice(0, left);
      left -= taken.length;
      return taken;
    };
    const texts = take(this.#places).map((text) => `${text}\n`);
    for (const [file, found] of this.#files) {
      const { diagnostics } = file;
      const problems = take(found);
      if (diagnostics !== undefined)
        texts.push(
          ...problems.map((_, at) => {
            const diagnostic = diagnostics[at];
            return diagnostic === undefined
              ? ''
              : `${services.render(diagnostic, { text: file.text, colour: services.err.colour })}\n\n`;
          }),
        );
      else if (problems.length > 0) texts.push(formatProblems(problems, { ...noOrigin, file }, services));
    }
    const more = this.count - maxShown;
    return `${texts.join('')}${more > 0 ? `gw: There are ${more} more problems.\n` : ''}`;
  }
}
