import type { Detector, Finding } from './finding.ts';

/** Each round finds what the previous one hid. More than two are rare. */
const maxRounds = 8;

const measureLength = ({ from, to }: Finding): number => to - from;

/** Merges overlapping findings into one, with the kind of the longest. */
const merged = (findings: readonly Finding[]): readonly Finding[] => {
  const apart: Finding[] = [];
  for (const next of [...findings].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = apart.at(-1);
    if (last === undefined || next.from >= last.to) apart.push(next);
    else {
      const { kind } = measureLength(next) > measureLength(last) ? next : last;
      apart[apart.length - 1] = { kind, from: last.from, to: Math.max(last.to, next.to) };
    }
  }
  return apart;
};

/** Returns the text with its findings as they look after replacement: in brackets, without anything to find. */
const masked = (text: string, findings: readonly Finding[]): string => {
  let done = 0;
  const pieces: string[] = [];
  for (const { from, to } of findings) {
    pieces.push(text.slice(done, from), '[', ']'.repeat(to - from - 1));
    done = to;
  }
  return pieces.join('') + text.slice(done);
};

/**
 * Finds what any of the detectors finds, in order and without overlaps. A finding may hide another next to it, so the text is
 * searched again without the findings until nothing more is found. After replacing them all, there is nothing left to find.
 */
export const findAll =
  (detectors: readonly Detector[]): Detector =>
  (text) => {
    let found: readonly Finding[] = [];
    let rest = text;
    for (let round = 0; round < maxRounds; round += 1) {
      const more = merged(detectors.flatMap((detect) => detect(rest)));
      if (more.length === 0) break;
      found = [...found, ...more];
      rest = masked(rest, more);
    }
    return [...found].sort((a, b) => a.from - b.from);
  };
