import { isNonEmpty, type NonEmptyArray } from '../../../../../schema/json/json.ts';
import { maxBytes } from './limits.ts';
import { positionFinder } from './position-finder.ts';
import { maxFaults, scanTags } from './scan-tags.ts';
import { sectionFaults } from './section-faults.ts';
import type { FaultAt } from './tag.ts';
import type { Template, TemplateProblem } from './template.ts';
import { toNodes } from './to-nodes.ts';

export type ParsedTemplate =
  | { readonly template: Template; readonly problems?: undefined }
  | { readonly problems: NonEmptyArray<TemplateProblem>; readonly template?: undefined };

const tooLong: TemplateProblem = {
  line: 1,
  column: 1,
  message: 'The template is larger than 1 MiB.',
  hint: 'Give long texts as the values of variables.',
};

const toProblems = (text: string, faults: readonly FaultAt[]): readonly TemplateProblem[] => {
  const toPosition = positionFinder(text);
  return [...faults]
    .sort((a, b) => a.offset - b.offset)
    .slice(0, maxFaults)
    .map(({ offset, message, hint }) => ({ ...toPosition(offset), message, hint }));
};

/** Parses a template; its problems, at most 20 and in the order of the text, if it has any. Takes linear time. */
export const parseTemplate = (text: string): ParsedTemplate => {
  if (Buffer.byteLength(text) > maxBytes) return { problems: [tooLong] };
  const { tags, faults } = scanTags(text);
  const problems = toProblems(text, faults.length > 0 ? faults : sectionFaults(tags));
  return isNonEmpty(problems) ? { problems } : { template: { nodes: toNodes(text, tags) } };
};
