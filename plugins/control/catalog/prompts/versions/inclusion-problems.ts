import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import type { JsonPointer } from '../../../../../schema/json/pointer.ts';
import type { Reading } from '../../../kernel/records/records.ts';
import type { PromptTemplate } from '../content/parse-prompt.ts';
import type { FindIncludedPartials, IncludedPartials } from '../store/included-partials.ts';
import { findPartials, type Template, TemplateError } from '../templates/template.ts';
import { stringPointer, templateProblem } from './validate-prompt.ts';

/** Finds the partials that templates name and that do not exist. */
const missingPartials = (
  templates: readonly PromptTemplate[],
  included: IncludedPartials,
  pointer: JsonPointer,
): readonly InputProblem[] =>
  templates.flatMap(({ place, template }) =>
    findPartials(template)
      .filter(({ name }) => !included.has(name))
      .map(({ name, line, column }) =>
        templateProblem({
          pointer,
          message: `There is no partial "${name}".`,
          hint: 'GET /v1/prompts/partials lists the partials, and GET /v1/prompts/partials/{id}/versions their versions.',
          ...{ line, column },
          ...(place === undefined ? {} : { place }),
        }),
      ),
  );

/**
 * Looks for partials that include each other in a circle, from the one that is about to be saved; the circle as a
 * sentence. `load` is called once for each name.
 */
export const partialCycle = (start: string, load: (name: string) => Template | undefined): string | undefined => {
  const done = new Set<string>();
  const search = (name: string, outer: readonly string[]): string | undefined => {
    if (outer.includes(name)) {
      const [first, ...others] = [...outer.slice(outer.indexOf(name)), name].map((each) => `"${each}"`);
      return `The partial ${first} includes ${others.join(', which includes ')}.`;
    }
    if (done.has(name)) return undefined;
    for (const inner of findPartials(load(name) ?? { nodes: [] })) {
      const cycle = search(inner.name, [...outer, name]);
      if (cycle !== undefined) return cycle;
    }
    done.add(name);
    return undefined;
  };
  return search(start, []);
};

/** Templates that are to be saved or published. */
interface Inclusion {
  readonly templates: readonly PromptTemplate[];
  readonly included: FindIncludedPartials;
  /** The place of problems in the body; that of "string" if absent. */
  readonly pointer?: JsonPointer;
  /** The references that name the first template, if it is that of a partial. */
  readonly names?: readonly string[];
}

/**
 * Finds what is wrong with what templates include: partials that do not exist, too many of them, or a circle of them.
 */
export const inclusionProblems = async (
  db: Reading,
  tenant: string,
  { templates, included, pointer = stringPointer, names = [] }: Inclusion,
): Promise<readonly InputProblem[]> => {
  const texts = templates.map(({ template }) => template);
  const others = new Map(names.flatMap((name) => texts.slice(0, 1).map((template) => [name, template])));
  try {
    const known = await included(db, tenant, { templates: texts, others });
    const message = names[0] && partialCycle(names[0], (name) => others.get(name) ?? known.get(name));
    return [
      ...missingPartials(templates, known, pointer),
      ...(message ? [{ pointer, message, hint: 'Take one of these tags out.' }] : []),
    ];
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return [{ pointer, message: error.message, hint: 'Write some of the texts where they are needed.' }];
  }
};
