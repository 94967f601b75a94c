import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseRatio } from '../../../../../plugins/dialects/shared/images/choose-ratio.ts';

const side = fc.integer({ min: 1, max: 99_999 });
const ratio = fc
  .tuple(fc.integer({ min: 1, max: 21 }), fc.integer({ min: 1, max: 21 }))
  .map((sides) => sides.join(':'));
const ratios = fc.uniqueArray(ratio, { minLength: 1, maxLength: 10 });

const toNumber = (text: string): number => {
  const [width = 1, height = 1] = text.split(':').map(Number);
  return width / height;
};
const distance = (one: number, other: number): number => Math.abs(Math.log(one / other));

describe('the ratio of an image size', () => {
  it('is the nearest one of the format, and the size is reported as lost if it looks different', () => {
    const law = fc.property(side, side, ratios, (width, height, all) => {
      const { ratio: chosen = '', lost } = chooseRatio({ size: { width, height } }, all);
      const wanted = width / height;
      const nearest = Math.min(...all.map((each) => distance(toNumber(each), wanted)));
      expect(all).toContain(chosen);
      expect(distance(toNumber(chosen), wanted)).toBeCloseTo(nearest, 9);
      expect(lost).toEqual(nearest <= 0.02 ? [] : ['size']);
    });
    fc.assert(law);
  });

  it('is the one that the client specifies if the format has it', () => {
    const law = fc.property(ratios, fc.nat(), side, side, (all, at, width, height) => {
      const aspectRatio = all[at % all.length] ?? '';
      const { ratio: chosen = '', lost } = chooseRatio({ aspectRatio, size: { width, height } }, all);
      expect([toNumber(chosen), lost]).toEqual([toNumber(aspectRatio), []]);
    });
    fc.assert(law);
  });

  it.each([
    [{}, undefined, []],
    [{ size: { width: 1024, height: 1024 } }, '1:1', []],
    [{ size: { width: 1792, height: 1024 } }, '16:9', []],
    [{ size: { width: 1536, height: 1024 } }, '4:3', ['size']],
    [{ aspectRatio: '21:9' }, '16:9', ['aspectRatio']],
  ])('of %j among the ratios of Imagen is %s, with the losses %j', (asked, expected, lost) => {
    expect(chooseRatio(asked, ['1:1', '3:4', '4:3', '9:16', '16:9'])).toEqual({ ratio: expected, lost });
  });
});
