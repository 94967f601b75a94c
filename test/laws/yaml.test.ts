import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../compiler/compile.ts';
import { parseConfig } from '../../compiler/parse/parse-config.ts';
import type { Json } from '../../schema/json/json.ts';
import { config } from '../support/arbitraries/config.ts';
import { scriptedCatalogue } from '../support/arbitraries/scripted-catalogue.ts';
import { writeYaml } from '../support/plans/write-yaml.ts';
import { dearLawRuns, slowLawMs } from '../support/run/law-runs.ts';

const options = { trust: 'operator', catalogue: scriptedCatalogue } as const;

const name = fc.oneof(
  fc.constantFrom(
    'provider',
    'targets',
    'retry',
    'attempts',
    'weight',
    'strategy',
    'mode',
    'name',
    'cache',
    'on',
    'no',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
);

/** Objects in which nearly everything is wrong. */
const { wrong } = fc.letrec<{ readonly wrong: Json }>((tie) => ({
  wrong: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(
      null,
      true,
      0,
      -1.5,
      1e21,
      '',
      'yes',
      'null',
      '0x1F',
      '~',
      '1e3',
      '# no',
      'a: b',
      '- a',
      '*x',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.array(tie('wrong'), { maxLength: 3 }),
    fc.dictionary(name, tie('wrong'), { maxKeys: 4 }),
  ),
}));

const wrongConfig = fc
  .tuple(config, fc.dictionary(name, wrong, { minKeys: 1, maxKeys: 4 }))
  .map(([right, mistakes]): Json => ({ ...right, ...mistakes }));

const isText = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

describe('a config in YAML', () => {
  it(
    'compiles to the same plan as the same config in JSON',
    () => {
      fc.assert(
        fc.property(config, fc.integer(), (source, seed) => {
          const asJson = compile(JSON.stringify(source), { ...options, file: 'a.json' });
          const { text } = writeYaml(source, seed);
          const asYaml = compile(text, { ...options, file: 'a.yaml' });
          expect(asYaml.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
          expect(asYaml.plan?.root).toEqual(asJson.plan?.root);
          expect(asYaml.plan?.targets).toEqual(asJson.plan?.targets);
          expect(asYaml.plan?.hash).toEqual(asJson.plan?.hash);
        }),
        dearLawRuns,
      );
    },
    slowLawMs,
  );

  it(
    'has the same diagnostics as in JSON, located at the members that they concern',
    () => {
      fc.assert(
        fc.property(wrongConfig, fc.integer(), (source, seed) => {
          fc.pre(isText(JSON.stringify(source)));
          const { text, places } = writeYaml(source, seed);
          const found = parseConfig(text, { file: 'a.yaml', isFile: true });
          expect(found.reporter.diagnostics()).toEqual([]);
          expect(found.document?.value).toEqual(source);
          const toPlaces = (diagnostics: ReturnType<typeof compile>['diagnostics']) =>
            diagnostics.map(({ code, pointer, message }) => `${pointer} ${code} ${message}`).toSorted();
          const asJson = compile(JSON.stringify(source), { ...options, file: 'a.json' });
          const asYaml = compile(text, { ...options, file: 'a.yaml' });
          // A part that is repeated by an alias is written once, so mistakes in it are found once.
          expect(toPlaces(asJson.diagnostics)).toEqual(expect.arrayContaining(toPlaces(asYaml.diagnostics)));
          if (!text.includes('*a')) expect(toPlaces(asYaml.diagnostics)).toEqual(toPlaces(asJson.diagnostics));
          for (const { pointer, span } of asYaml.diagnostics) {
            const place = places.get(pointer);
            if (place === undefined) continue;
            expect([place.key, place.value]).toContain(`${span.line}:${span.column}`);
          }
        }),
        dearLawRuns,
      );
    },
    slowLawMs,
  );
});
