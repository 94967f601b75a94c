import { findPartials } from './find-partials.ts';
import type { Template } from './template.ts';

/** The template of a partial by its name as written, such as `slug@5`; undefined if there is none. */
export type LoadPartial = (name: string) => Template | undefined | Promise<Template | undefined>;

export interface PartialCycle {
  /** The partials in the order in which they include each other; the last is the first again. */
  readonly path: readonly string[];
  /** The path in words, as one sentence. */
  readonly message: string;
}

const quoted = (name: string): string => `"${name}"`;

const toCycle = (path: readonly string[]): PartialCycle => {
  const [first = '', ...others] = path.map(quoted);
  return { path, message: `The partial ${first} includes ${others.join(', which includes ')}.` };
};

/**
 * Looks for partials that include each other in a circle, from the partial that is about to be saved. `load` is asked once
 * for each name, and not for the name of `start`.
 */
export const partialCycle = async (
  start: { readonly name: string; readonly template: Template },
  load: LoadPartial,
): Promise<PartialCycle | undefined> => {
  const done = new Set<string>();
  const namesIn = (template: Template | undefined): string[] =>
    template === undefined ? [] : [...new Set(findPartials(template).map(({ name }) => name))].reverse();
  const path = [{ name: start.name, waiting: namesIn(start.template) }];
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const next = last.waiting.pop();
    if (next === undefined) {
      done.add(last.name);
      path.pop();
      continue;
    }
    const from = path.findIndex(({ name }) => name === next);
    if (from !== -1) return toCycle([...path.slice(from).map(({ name }) => name), next]);
    if (!done.has(next)) path.push({ name: next, waiting: namesIn(await load(next)) });
  }
  return undefined;
};
