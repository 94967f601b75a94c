import path from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { type Kind, toKey } from '../../../plugins/control/cli/apply/kinds/kind.ts';
import { kinds } from '../../../plugins/control/cli/apply/kinds/kinds.ts';
import { apiResources } from '../../../plugins/control/cli/resources/api-resources.ts';
import type { Resource } from '../../../plugins/control/kernel/resource/api-command.ts';
import { resources } from '../../../plugins/control/resources.ts';
import { toNewBody } from '../../plugins/control/support/resource-bodies.ts';
import { temporaryFolder } from '../../support/commands/temporary-folder.ts';
import { sharedStore } from '../../support/gateways/stored-gateway.ts';
import { gwFor, readFiles, writeFiles } from './support.ts';

/** The paths of the records that commands list and create. */
const made = ({ commands: { list, create }, parts = {} }: Resource): readonly string[] => [
  ...(list === undefined || create === undefined ? [] : [list.route.replace('GET ', '')]),
  ...Object.values(parts).flatMap(made),
];

const limit = { conditions: [{ key: 'model', value: 'none' }], group_by: [{ key: 'model' }] };

/** Files for the kinds without a resource description. */
const samples: Readonly<Record<string, object>> = {
  partials: { string: 'Bye' },
  prompts: { string: 'Hello', parameters: {}, virtual_key: '@there' },
  configs: { config: { provider: '@there' } },
  keys: { name: 'App', scopes: ['completions.write'] },
  'usage-limits': { name: 'Usage', ...limit, type: 'tokens', credit_limit: 5 },
  'rate-limits': { name: 'Rate', ...limit, type: 'requests', unit: 'rpm', value: 5 },
};

const needed = { 'workspaces/default/providers/there.json': { provider: 'echo' } };

const toFile = (kind: Kind): object => {
  const resource = resources.find(({ path: own }) => own === kind.path);
  if (resource === undefined) return samples[kind.folder] ?? {};
  const { slug: _, ...body } = toNewBody(resource);
  return kind.folder === 'virtual-models' ? { ...body, target: '@there/m' } : body;
};

describe('every kind of record', () => {
  const gateway = sharedStore();
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => vi.unstubAllEnvs());

  it('that commands list and create is covered by apply', () => {
    const paths = apiResources.flatMap(made);
    const covered = kinds.map((kind) => kind.path);
    // Records of requests and of applies belong to a single store.
    const none = ['/logs', '/applies', '/feedback'];
    expect(paths.filter((each) => !covered.includes(each) && !none.includes(each))).toEqual([]);
    expect(covered.filter((each) => !paths.includes(each))).toEqual([]);
  });

  it.each(kinds.map((kind) => [kind.folder, kind] as const))(
    'in %s is created from a file, and is exported as that file',
    async (_, kind) => {
      const cwd = temporaryFolder();
      const key = toKey(kind, kind.owner === 'organisation' ? null : 'default', `sample-${kind.folder}`);
      writeFiles(
        { 'gatewright.json': { name: kind.folder }, ...needed, [`${key}.json`]: toFile(kind) },
        path.join(cwd, 'folder'),
      );
      const gw = (line: string) => gwFor(gateway(), cwd, line.split(' '));
      expect(await gw('apply folder --keys-file keys')).toMatchObject({
        code: 0,
        err: '',
        out: expect.stringContaining(`${key}: created`),
      });
      expect(await gw('apply folder')).toMatchObject({ code: 0, out: 'There is nothing to do.\n' });
      expect(await gw(`export copy --name ${kind.folder}`)).toMatchObject({ code: 0, err: '' });
      const exported = await gw('apply copy --dry-run');
      expect(exported).toMatchObject({ code: 0, err: '' });
      expect(exported.out).not.toContain(`${key}:`);
      if (!kind.byName) expect(Object.keys(readFiles(path.join(cwd, 'copy')))).toContain(`${key}.json`);
    },
  );
});
