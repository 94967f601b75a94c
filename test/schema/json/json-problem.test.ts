import { describe, expect, it } from 'vitest';
import { jsonProblem } from '../../../schema/json/json-problem.ts';

const toProblem = (text: string): string => {
  try {
    return `valid: ${JSON.stringify(JSON.parse(text))}`;
  } catch (error) {
    return jsonProblem(text, error);
  }
};

describe('jsonProblem', () => {
  it.each([
    ['', 'it is empty.'],
    [' \n', 'it is empty.'],
    ['hello', "unexpected token 'h'."],
    ['\ufeff{"a":1}', 'it begins with a byte order mark.'],
    [
      '{"key":"my \n secret"} and a lot of text behind it',
      'bad control character in string literal in JSON at position 11',
    ],
    ['{"a":1', "expected ',' or '}' after property value in JSON at position 6"],
    ['undefined', 'it is no value of JSON.'],
  ])('explains why %j is not JSON', (text, problem) => expect(toProblem(text)).toContain(problem));

  it.each(['secret', '"secret', '{"a": secret}', '[1, 2, 3, 4, 5, 6, 7, 8, 9, secret, 1, 2, 3, 4, 5]'])(
    'does not repeat %j',
    (text) => expect(toProblem(text)).not.toContain('secret'),
  );
});
