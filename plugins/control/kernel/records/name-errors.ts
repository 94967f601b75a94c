import type { Json } from '../../../../schema/json/json.ts';
import type { PointerToken } from '../../../../schema/json/pointer.ts';
import { type Problem, problem } from '../requests/problem.ts';

const longestName = 255;
const hasControls = /\p{Cc}/u;

/** Lists the errors of a text that names something to people, or of the id of a user. */
export const nameErrors = (place: readonly PointerToken[], text: string): readonly Problem[] => {
  const hint = `Write 1 to ${longestName} characters.`;
  if (text.trim() === '') return [problem(place, 'This text is empty.', hint)];
  const length = text.length > longestName ? [...text].length : text.length;
  if (length > longestName) return [problem(place, `This text has ${length} characters.`, hint)];
  return hasControls.test(text) ? [problem(place, 'This text has control characters.', 'Leave them out.')] : [];
};

/**
 * Lists the errors of the name in a body that creates or changes a record. A name that the record already has is kept, because
 * earlier versions accepted others.
 */
export const newNameErrors = (
  { name }: { readonly name?: Json | undefined },
  before?: { readonly id: string; readonly name?: unknown },
): readonly Problem[] => (typeof name !== 'string' || name === before?.name ? [] : nameErrors(['name'], name));
