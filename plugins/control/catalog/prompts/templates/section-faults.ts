import { maxLevels } from './limits.ts';
import { maxFaults } from './scan-tags.ts';
import type { FaultAt, Tag } from './tag.ts';

const neverClosed = ({ name, start }: Tag): FaultAt => ({
  offset: start,
  message: `The section "${name}" is not closed.`,
  hint: `Write {{/${name}}} where it ends; sections may not overlap.`,
});
const neverOpened = ({ name, start }: Tag): FaultAt => ({
  offset: start,
  message: `There is no open section "${name}" to close here.`,
  hint: `Write {{#${name}}} where it begins, or remove {{/${name}}}.`,
});
const tooDeep = ({ start }: Tag): FaultAt => ({
  offset: start,
  message: `The section is nested deeper than ${maxLevels} levels.`,
  hint: 'Use dotted names, or move a part of the template into a partial.',
});

/** What is wrong with how sections open and close. */
export const sectionFaults = (tags: readonly Tag[]): readonly FaultAt[] => {
  const faults: FaultAt[] = [];
  const open: Tag[] = [];
  for (const tag of tags) {
    if (faults.length >= maxFaults) return faults;
    if (tag.kind === 'section' || tag.kind === 'inverted') {
      if (open.push(tag) === maxLevels + 1) faults.push(tooDeep(tag));
    } else if (tag.kind === 'close') {
      const from = open.findLastIndex(({ name }) => name === tag.name);
      if (from === -1) faults.push(neverOpened(tag));
      else
        faults.push(
          ...open
            .splice(from)
            .slice(1, 1 + maxFaults)
            .map(neverClosed),
        );
    }
  }
  return [...faults, ...open.slice(0, maxFaults).map(neverClosed)];
};
