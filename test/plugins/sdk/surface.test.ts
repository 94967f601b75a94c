import { describe, expect, it } from 'vitest';
import * as sdk from '../../../plugins/sdk/sdk.ts';
import { declaredSurface } from '../../support/declared/declared-surface.ts';

describe('the surface of gatewright/sdk', () => {
  /** A change here is a change for every plugin. `vitest run test/plugins/sdk -u` updates the file. */
  it('matches surface.txt', async () => {
    const surface = await declaredSurface('plugins/sdk/sdk.ts');
    for (const name of Object.keys(sdk)) expect(surface).toMatch(new RegExp(`export declare (const|class) ${name}\\b`));
    await expect(surface).toMatchFileSnapshot('../../../plugins/sdk/surface.txt');
  });

  it('exports these values', () => {
    expect(Object.keys(sdk).sort()).toEqual([
      'GatewayError',
      'compileRegex',
      'defineCache',
      'defineChooser',
      'defineDialect',
      'defineGuardrail',
      'defineLazyGuardrail',
      'defineLogSink',
      'definePlugin',
      'defineProvider',
      'defineRoute',
      'errorReport',
      'fail',
      'gatewayError',
      'headerValue',
      'invalidInput',
      'isJsonObject',
      'pass',
      'pluginApi',
      'readBound',
      'scriptedBody',
      'sdkVersion',
      'tagBound',
      'toPointer',
      'wait',
      'wholeBody',
    ]);
  });
});
