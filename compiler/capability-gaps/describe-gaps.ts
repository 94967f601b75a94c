import { formatCount, formatNumber } from '../../schema/text/format-count.ts';
import { formatList } from '../../schema/text/format-list.ts';
import { features } from './features.ts';
import type { Gap, Limit } from './find-gaps.ts';

const describeLimit = ({ of, max }: Limit): string =>
  `${of === 'context' ? 'requests' : 'answers'} of more than ${formatNumber(max)} tokens`;

/** Names what a gap is about: `tools`, `requests of more than 32,768 tokens`. */
export const nameGap = (gap: Gap): string => {
  switch (gap.kind) {
    case 'feature':
      return gap.feature.name;
    case 'limit':
      return describeLimit(gap.limit);
    case 'not-served':
      return 'all requests';
  }
};

/** Explains why a target does not serve it, in one or more sentences. */
export const explainGap = (gap: Gap): string => {
  if (gap.kind === 'not-served')
    return 'Its provider has no such endpoint, and the request cannot be translated (501).';
  if (gap.kind === 'limit') return 'That is the limit of its model.';
  const { shortage } = gap;
  if (shortage.kind === 'model') return `Its model ${JSON.stringify(shortage.model)} does not have it.`;
  return shortage.why ?? `Its format "${shortage.dialect}" cannot express it.`;
};

/** The media, of which requests can have several forms. */
const mediaNames: { readonly [formOf: string]: string } = {
  image: 'images',
  document: 'documents',
  audio: 'audio',
  video: 'video',
};

/** Drops the gaps of a form of something if another form of it is served. */
export const wholeGaps = (gaps: readonly Gap[]): readonly Gap[] => {
  const lacking = new Set(gaps.flatMap((gap) => (gap.kind === 'feature' ? [gap.feature] : [])));
  return gaps.filter((gap) => {
    const form = gap.kind === 'feature' ? gap.feature.formOf : undefined;
    return form === undefined || features.every((feature) => feature.formOf !== form || lacking.has(feature));
  });
};

const maxNamed = 4;

/** Names gaps in a few words: `tools, images and requests of more than 32,768 tokens`. */
export const summariseGaps = (gaps: readonly Gap[]): string => {
  const names = gaps.map((gap) => {
    const form = gap.kind === 'feature' ? gap.feature.formOf : undefined;
    return form === undefined ? nameGap(gap) : (mediaNames[form] ?? form);
  });
  const unique = [...new Set(names)];
  const shown = unique.slice(0, maxNamed);
  const left = unique.length - shown.length;
  const all = left === 0 ? shown : [...shown, `${formatCount(left, 'thing')} more`];
  return formatList(all);
};
