import { describe, expect, it } from 'vitest';
import { replacedTexts } from '../../../../plugins/sdk/texts/replaced-texts.ts';

const spans = [{ text: 'call 555 now' }, { text: 'bye' }];

describe('replaced texts', () => {
  it('contain each replacement in its piece, in any order', () => {
    const replaced = replacedTexts(spans, [
      { span: 0, from: 9, to: 12, with: 'later' },
      { span: 0, from: 5, to: 8, with: '[PHONE]' },
      { span: 1, from: 0, to: 0, with: 'good' },
    ]);
    expect(replaced).toEqual(['call [PHONE] later', 'goodbye']);
  });

  it('cannot have overlapping replacements or replacements outside the text', () => {
    const overlapping = [
      { span: 0, from: 0, to: 4, with: '' },
      { span: 0, from: 3, to: 5, with: '' },
    ];
    expect(() => replacedTexts(spans, overlapping)).toThrow(RangeError);
    for (const wrong of [
      { span: 0, from: 0, to: 99, with: '' },
      { span: 0, from: -1, to: 1, with: '' },
      { span: 0, from: 2, to: 1, with: '' },
      { span: 2, from: 0, to: 1, with: '' },
    ])
      expect(() => replacedTexts(spans, [wrong])).toThrow(RangeError);
  });
});
