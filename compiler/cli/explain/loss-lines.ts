import type { PossibleLosses } from './possible-losses.ts';

const titleOf = ({ of, id }: PossibleLosses): string =>
  of === 'provider' ? `what ${id} does not carry` : `what ${of} translated to ${id} may lose`;

/** What may be lost, a block of lines for each way. */
export const lossLines = (possible: readonly PossibleLosses[]): readonly string[] =>
  possible.flatMap((way) => {
    const width = Math.max(...way.losses.map(({ member }) => member.length));
    return ['', titleOf(way), ...way.losses.map(({ member, why }) => `  ${member.padEnd(width)}  ${why}`)];
  });
