import { expect } from 'vitest';
import { runGw } from '../../support/commands/run-gw.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';

/** The JSON output of an import. */
export interface Made {
  readonly files: Readonly<Record<string, string>>;
  readonly losses: readonly {
    readonly place: string;
    readonly why: string;
    readonly instead: string;
    readonly unchecked?: true;
  }[];
}

/** Expects that an import created something. If it left out models or configs, it must exit with 1 and name them. */
export const expectMade = ({ code, err }: { readonly code: number; readonly err: string }): void =>
  expect([code, err]).toEqual(err === '' ? [0, ''] : [1, expect.stringMatching(/^gw: .* left out\b.*: ".+"/)]);

/** Imports a file of another gateway. Outside tests, pass `whenFinished` to remove the folder. */
export const imported = async (
  kind: string,
  source: object,
  whenFinished?: (remove: () => void) => void,
): Promise<Made> => {
  const folder = temporaryFolder({ 'source.json': source }, whenFinished);
  const { code, out, err } = await runGw(folder, ['import', kind, 'source.json', '--format', 'json']);
  expectMade({ code, err });
  return JSON.parse(out);
};

/** Parses one of the created files. */
export const parsed = ({ files }: Made, name: string): object => JSON.parse(files[name] ?? '{}');

/** Creates a LiteLLM deployment. */
export const deployment = (name: string, params: object, more: object = {}): object => ({
  model_name: name,
  litellm_params: { api_key: 'os.environ/KEY', ...params },
  ...more,
});
