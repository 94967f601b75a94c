import { expect, it } from 'vitest';
import { requestBytes } from '../../../runtime/usage/request-bytes.ts';

const base64 = 'QUJD'.repeat(200);

it.each([
  `data:image/png;base64,${base64}`,
  'data:;base64,',
  `data:audio/wav;codecs=1;base64,${base64}=`,
  base64,
  `${base64}==`,
])('requestBytes does not count data', (text) => {
  expect(requestBytes({ image_url: { url: text } })).toBe(0);
});

it.each([
  'data: a table of all that was sold last year',
  'data:text/plain,A text that is written out',
  `data:image/png;base64,${base64} and what is to be done with it`,
  `data:;base64,${base64}\nand more`,
  `data:${'x'.repeat(300)};base64,${base64}`,
  `DATA:;base64,${base64}`,
  'QUJD',
])('requestBytes counts a text that only begins like data: %s', (text) => {
  expect(requestBytes({ input: [text] })).toBe(Buffer.byteLength(text));
});
