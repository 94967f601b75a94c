import { processorMs } from '../../../support/gateways/processor-time.ts';

/** Returns texts of about `size` characters on which a careless search takes quadratic time. */
const hostileTexts = (size: number): ReadonlyMap<string, string> => {
  const pieces = [
    ...[
      '1',
      '@',
      'a.',
      'a@',
      'a@b.',
      '1 ',
      '1-',
      '(1)',
      '+1',
      '+',
      ':',
      'a:',
      '1.',
      '1234 ',
      '4111-',
      'DE89',
      'DE89 ',
      'A',
      'é',
    ],
    ...[
      '-----BEGIN ',
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----\n',
      '-----',
      'eyJ',
      'eyJabcdefgh.',
      '.eyJaaaaaa',
    ],
    ...[
      '://',
      '://a:',
      '://a:b',
      'a://b:c@',
      'password',
      'password ',
      'password is ',
      'password: ',
      'token=',
      'sk-',
      'sk-ant-',
      'ghp_',
      'AKIA',
      'SK',
    ],
    ...[
      'phone ',
      'phone 1',
      'tel:',
      'ssn ',
      '[',
      ']',
      '\n',
      ' ',
      '"',
      '\\n',
      '123-45-',
      '000-',
      'authorization: bearer ',
    ],
    ...[
      'ignore ',
      'ignore previous ',
      'ignore all previous ',
      'system ',
      '<|',
      '[INST]',
      '\u{e0041}',
      '\u202e',
      '\u200b',
      'a\u200b',
      'QUFB',
      'x',
    ],
  ];
  return new Map(pieces.map((piece) => [JSON.stringify(piece), piece.repeat(Math.ceil(size / piece.length))]));
};

const prose =
  'The quick brown fox jumps over the lazy dog, and 12 birds in 2024 sing: "do, re, mi" at 10:30 near the river. ';

/** Returns the names of the hostile texts that take more than 60 times as long as prose of the same size. */
export const slowTexts = (judge: (text: string) => void, size: number): readonly string[] => {
  const calm = prose.repeat(Math.ceil(size / prose.length));
  judge(calm);
  const allowed =
    60 *
    Math.max(
      20,
      processorMs(() => judge(calm)),
    );
  return [...hostileTexts(size)].flatMap(([name, text]) => (processorMs(() => judge(text)) > allowed ? [name] : []));
};
