/** A config, line by line. */
type Lines = readonly string[];

const indented = (parts: Lines, indent: string): Lines =>
  parts.map((part, index) => `${indent}${part}${index + 1 < parts.length ? ',' : ''}`);

/** A config with these members. */
export const config = (...members: Lines): Lines => ['{', ...indented(members, '  '), '}'];

/** A config with these members, and with targets. */
export const withTargets = (members: Lines, ...targets: Lines): Lines => [
  ...['{', ...members.map((member) => `  ${member},`), '  "targets": ['],
  ...indented(targets, '    '),
  ...['  ]', '}'],
];

/** A group of targets. */
export const group = (mode: string, ...targets: Lines): Lines =>
  withTargets([`"strategy": { "mode": "${mode}" }`], ...targets);

const fastAndCareful: Lines = [
  '{ "name": "fast", "provider": "@openai-prod" }',
  '{ "name": "careful", "provider": "@azure-prod" }',
];

/** A conditional with these settings of its strategy. It routes between "fast" and "careful" if no targets are given. */
export const routed = (settings: Lines, ...targets: Lines): Lines => [
  ...['{', '  "strategy": {'],
  ...indented(['"mode": "conditional"', ...settings], '    '),
  ...['  },', ...withTargets([], ...(targets.length === 0 ? fastAndCareful : targets)).slice(1)],
];

/** A list with `count` equal items. */
export const listed = (count: number, item: string): string => Array.from({ length: count }, () => item).join(', ');

/** A group with `count` targets. */
export const repeated = (mode: string, count: number, toTarget: (index: number) => string): Lines =>
  group(mode, ...Array.from({ length: count }, (_, index) => toTarget(index)));

/** Nested groups. */
export const nested = (levels: number): Lines => [
  Array.from({ length: levels }).reduce<string>(
    (inner) => `{ "strategy": { "mode": "single" }, "targets": [${inner}] }`,
    '{ "provider": "@openai-prod" }',
  ),
];
