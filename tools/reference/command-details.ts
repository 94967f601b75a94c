import { checks } from '../../gw/doctor/checks.ts';
import { kinds } from '../../plugins/control/cli/apply/kinds/kinds.ts';
import type { Ownership } from '../../plugins/control/kernel/resource/ownership.ts';
import { code, codes, fence, points, prose, table } from './markdown.ts';

const below: Readonly<Record<Ownership, readonly string[]>> = {
  workspace: ['workspaces/NAME/'],
  organisation: ['organisation/'],
  either: ['organisation/', 'workspaces/NAME/'],
};

const folderDetails = (): readonly string[] => [
  '## The folder',
  fence('text', [
    'gatewright.json                       { "name": "acme" }',
    'workspaces/shop.json                  a workspace',
    'workspaces/shop/configs/support.json  a config in it',
    'organisation/keys/ops.json            a key of the organisation',
  ]),
  prose(
    'Under the name in `gatewright.json` or `gatewright.yaml`, the store records what the folder has created. A file is the body of [the request](../api/README.md) that creates the record, without the slug, which is the file name, and without the workspace, which is the folder. Members that a file omits have the values of a new record.',
  ),
  table(
    ['folder', 'below', 'identified by', 'a file must have'],
    kinds.map(({ folder, owner, byName, required }) => [
      code(`${folder}/`),
      folder === 'workspaces' ? 'the folder itself' : codes(below[owner]),
      byName ? '`name`' : 'the name of the file',
      codes(required.filter((name) => name !== 'name')),
    ]),
  ),
  points([
    'If `name` is absent, it is the file name.',
    prose(
      'A record that a file created belongs to the file: if you change `name` in it, the record is renamed and keeps its id. A record that the folder did not create is found as in the table.',
    ),
    prose(
      'Other files refer to a record by its file name: `"config_id": "support"`, and `organisation/ops` for a key of the organisation.',
    ),
    prose(
      'Secrets are references, `"${env:NAME}"` and `"${file:PATH}"`, as the whole of a text. Secrets in plain text are refused.',
    ),
    'All errors are reported at once, with file, line and column, before anything is written.',
  ]),
  '## The plan',
  table(
    ['word', 'means'],
    [
      ['`create`, `change`', 'A record is created, or its members differ from its file.'],
      [
        '`replace`',
        'A policy with another `type` or `group_by`, or a rate limit with other `conditions`, is created anew, and the existing one is deleted: the new one has another id, and counts from zero. Every other change, including one of the `conditions` of a usage limit, is a `change`, which keeps the id and the counters.',
      ],
      ['`take over`', 'The record already exists, but the folder did not create it. The folder never deletes it.'],
      ['`delete`', 'With `--prune`: an earlier apply of this name created it, and it is no longer in the folder.'],
      ['`release`', 'It was taken over, and is no longer in the folder. It stays.'],
    ],
  ),
];

const doctorDetails = (): readonly string[] => [
  '## Checks',
  table(
    ['check', 'looks at'],
    checks.map(({ id, description }) => [code(id), prose(description)]),
  ),
];

/** Sections that the page of a command contains in addition to the output of `--help`, by the name of the command. */
export const commandDetails: Readonly<Record<string, () => readonly string[]>> = {
  apply: folderDetails,
  doctor: doctorDetails,
};
