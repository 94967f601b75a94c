/** So many equal items of a list. */
export const listed = (count: number, item: string): string => Array.from({ length: count }, () => item).join(', ');

/** A group with so many targets. */
export const repeated = (mode: string, count: number, toTarget: (index: number) => string): readonly string[] => [
  ...['{', `  "strategy": { "mode": "${mode}" },`, '  "targets": ['],
  ...Array.from({ length: count }, (_, index) => `    ${toTarget(index)}${index + 1 < count ? ',' : ''}`),
  ...['  ]', '}'],
];

/** Groups within each other. */
export const nested = (levels: number): readonly string[] => [
  Array.from({ length: levels }).reduce<string>(
    (inner) => `{ "strategy": { "mode": "single" }, "targets": [${inner}] }`,
    '{ "provider": "@openai-prod" }',
  ),
];
