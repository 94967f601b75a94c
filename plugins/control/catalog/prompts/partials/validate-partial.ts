import type { InputProblem } from '../../../../../schema/errors/input-problem.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../../../schema/json/pointer.ts';
import type { Reading } from '../../../kernel/records/records.ts';
import { refuse } from '../../../kernel/requests/refusals.ts';
import type { FindIncludedPartials } from '../store/included-partials.ts';
import { parseTemplate } from '../templates/parse-template.ts';
import { partialCycle } from '../templates/partial-cycle.ts';
import type { Template } from '../templates/template.ts';
import { missingPartials, sizeProblems, templateProblem } from '../versions/prompt-problems.ts';
import { tooMuchIncluded } from '../versions/validate-prompt.ts';

export const stringPointer: JsonPointer = childPointer(rootPointer, 'string');

/** The template of a partial. Throws the `GatewayError` `invalid-input`. */
export const parsedPartial = (text: string): Template => {
  const { template = { nodes: [] }, problems = [] } = parseTemplate(text);
  refuse([
    ...problems.map((each) => templateProblem({ ...each, pointer: stringPointer })),
    ...sizeProblems(text, stringPointer),
  ]);
  return template;
};

/** A template, and the references that name it. Partials that include each other are a problem at `pointer`. */
export interface ValidatedInclusion {
  readonly template: Template;
  readonly names: readonly string[];
  readonly pointer: JsonPointer;
}

/** Rejects with the `GatewayError` `invalid-input` where something is wrong with what a template includes. */
export type RefuseInclusion = (db: Reading, tenant: string, about: ValidatedInclusion) => Promise<void>;

export const inclusionRefuser = (included: FindIncludedPartials): RefuseInclusion => {
  const problems: (...about: Parameters<RefuseInclusion>) => Promise<readonly InputProblem[]> = async (
    db,
    tenant,
    { template, names, pointer },
  ) => {
    const [start = ''] = names;
    const others = new Map(names.map((name) => [name, template]));
    try {
      const known = await included(db, tenant, { templates: [template], others });
      const cycle = await partialCycle({ name: start, template }, (name) => known.get(name));
      const hint = 'Take one of these tags out.';
      return [
        ...missingPartials([{ template }], known, pointer),
        ...(cycle === undefined ? [] : [{ pointer, message: cycle.message, hint }]),
      ];
    } catch (error) {
      return [tooMuchIncluded(error, pointer)];
    }
  };
  return async (db, tenant, about) => refuse(await problems(db, tenant, about));
};
