import { referenceForms } from './is-reference.ts';

/** Descriptions of values, by the beginnings of their patterns. */
const ofPatterns: readonly (readonly [begins: string, words: string])[] = [
  ['^\\$\\{', `a reference: ${referenceForms}`],
  ['^@.', 'the name of a saved provider, such as @openai'],
  ['^@[', 'a saved provider and a model, such as @openai/gpt-4o'],
  ['^s3:', 'the address of a bucket, such as s3://my-bucket/gateway'],
  ['^https?:', 'a URL without a path, such as https://storage.example.com'],
  ['^[a-z0-9-]+$', 'lower-case letters, digits and hyphens'],
  ['^(https?:', `a URL such as http://localhost:4318, or if it has a password, a reference: ${referenceForms}`],
  ['^(rediss?:', `a URL such as redis://127.0.0.1:6379/0, or if it has a password, a reference: ${referenceForms}`],
  [
    '^(\\$\\{(env:',
    `a path such as gateway.db, a URL such as postgres://127.0.0.1/name, or if it has a password, a reference: ${referenceForms}`,
  ],
  ['^\\d{4}-', 'a day such as 2027-01-31'],
  [
    '^(/(?!',
    'a path such as /models, without a query, dots as a segment, or other signs than letters, digits and . _ ~ -',
  ],
  ['^(/[^/]*)+$', 'a JSON Pointer such as /messages/*/content'],
  ['^[A-Za-z0-9_-]+$', 'the name of a header'],
  ['^auto$', 'a number from 1 to 256, or "auto" for one for each processor'],
  [
    '^(environment',
    `a URL such as http://proxy.internal:3128, or "environment", or if the URL has a password, a reference: ${referenceForms}`,
  ],
  ['^(user|prompt', '"user", "prompt-prefix" or a member of the metadata such as metadata.session'],
  ['^metadata\\.', 'a member of the metadata such as metadata.priority'],
  ['^[A-Za-z0-9_](', 'the name of a host such as models.internal'],
  ['^(postgres', `a URL such as postgres://127.0.0.1/name, or if it has a password, a reference: ${referenceForms}`],
];

/** Describes the values that a pattern allows, in users' words if there are any. */
export const describePattern = (pattern: string): string =>
  ofPatterns.find(([begins]) => pattern.startsWith(begins))?.[1] ?? `a string that matches /${pattern}/`;

/** Describes the values that a format of JSON Schema allows. */
export const describeFormat = (format: string): string =>
  format === 'uri' ? 'a whole URL, such as https://example.com/path' : `a valid ${format}`;
