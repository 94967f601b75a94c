import type { JsonPointer } from '../../../schema/json/pointer.ts';
import type { FactPath } from '../../../schema/plan/condition.ts';
import { nearParameter } from '../../validate/near-parameter.ts';
import type { CompileContext } from '../context/compile-context.ts';
import { reportLabelName } from './report-label.ts';

const hasBlank = (key: string): boolean => key !== key.trim();

/** Reports a path that is probably meant to be another one: it is read as it is written. */
export const reportPath = (
  path: FactPath,
  pointer: JsonPointer,
  context: Pick<CompileContext, 'reporter' | 'saved'>,
): void => {
  const { reporter } = context;
  const [root, name = '', ...rest] = path;
  const place = { pointer, part: 'key' } as const;
  if (path.some(hasBlank)) {
    const plain = JSON.stringify(path.map((key) => key.trim()).join('.'));
    reporter.report('stray-blank', place, { what: 'A name in this path', plain });
    return;
  }
  if (root === 'metadata' && rest.length > 0)
    reporter.report('nested-label', place, { path: path.join('.'), name: rest.at(-1) ?? name });
  else reportLabelName(path, pointer, context);
  const near = root === 'params' && rest.length === 0 ? nearParameter(name) : undefined;
  if (near !== undefined)
    reporter.report('unknown-parameter', place, { parameter: name, suggestion: `Did you mean "params.${near}"?` });
};
