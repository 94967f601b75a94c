import { lookUp } from '../../schema/json/look-up.ts';

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  sec: 1000,
  second: 1000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
};

/** Parses a duration as people write it, in milliseconds: `30s`, `5 min`, `1h`; undefined for any other text. */
export const durationMs = (text: string): number | undefined => {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/.exec(text.trim().toLowerCase()) ?? [];
  const factor = lookUp(units, unit) ?? lookUp(units, unit.replace(/s$/, ''));
  return factor === undefined ? undefined : Math.round(Number(amount) * factor);
};
