import type { ApiCommand, Columns, MemberFlags, Resource } from '../../kernel/resource/api-command.ts';
import { listFlags, nameFlag } from '../../kernel/resource/flags.ts';

const fileNotes =
  'FILE is the request as JSON: "conditions", a list of { "key", "value" }, "group_by", a list of { "key" }, and further\nmembers; - is standard input. Flags replace members of the file.';

const changeNotes = 'FILE has the changes as JSON; - is standard input. Flags replace members of the file.';

const statusFlag: MemberFlags = {
  status: {
    in: 'query',
    choices: ['active', 'archived'],
    describe: 'Active or archived policies; active by default.',
  },
};

const shared: MemberFlags = {
  name: { ...nameFlag, none: 'none' },
  'if-unknown': {
    member: 'if_unknown',
    choices: ['allow', 'refuse'],
    describe: 'Whether requests are allowed while they cannot be counted; allow by default.',
  },
};

const usageFlags: MemberFlags = {
  ...shared,
  limit: { form: 'decimal', member: 'credit_limit', value: 'N', describe: 'US dollars, or tokens: 12.50.' },
  alert: {
    form: 'decimal',
    member: 'alert_threshold',
    value: 'N',
    none: 'none',
    describe: 'The usage, below the limit, at which the operator is notified; or none.',
  },
  reset: {
    member: 'periodic_reset',
    value: 'PERIOD',
    none: 'none',
    describe: 'When counters are reset: monthly, weekly or none.',
  },
  'reset-days': {
    form: 'number',
    member: 'periodic_reset_days',
    value: 'N',
    none: 'none',
    describe: 'The days between resets, 1 to 365, instead of --reset; or none.',
  },
};

const rateFlags: MemberFlags = {
  ...shared,
  limit: { form: 'number', member: 'value', value: 'N', describe: 'How many are allowed in each period.' },
  unit: { choices: ['rpm', 'rph', 'rpd'], describe: 'The period: a minute, an hour or a day.' },
};

interface PolicyTexts {
  readonly path: 'usage-limits' | 'rate-limits';
  /** The name of a policy in sentences, with its article. */
  readonly what: string;
  readonly example: string;
  readonly flags: MemberFlags;
  readonly types: MemberFlags;
  readonly columns: Columns;
}

const toCommands = ({
  path,
  what,
  example,
  flags,
  types,
  columns,
}: PolicyTexts): Readonly<Record<string, ApiCommand>> => ({
  list: {
    summary: 'Lists the policies that your key reaches.',
    route: `GET /policies/${path}`,
    flags: {
      ...listFlags,
      ...statusFlag,
      of: {
        in: 'query',
        known: { saved: '/workspaces' },
        member: 'workspace_id',
        value: 'WORKSPACE',
        describe: 'Only policies of the workspace with this id or slug.',
      },
    },
    shows: { as: 'table', columns: { ID: 'id', NAME: 'name', TYPE: 'type', ...columns } },
  },
  get: {
    summary: 'Shows a policy.',
    route: `GET /policies/${path}/{id}`,
    flags: statusFlag,
    shows: { as: 'record' },
  },
  create: {
    summary: `Creates ${what}, which applies immediately.`,
    route: `POST /policies/${path}`,
    file: { name: 'FILE', example },
    flags: { ...flags, ...types },
    shows: { as: 'said', text: 'The policy {id} was created and applies.' },
    notes: fileNotes,
  },
  update: {
    summary:
      'Updates a policy; omitted flags leave their values unchanged. What it counts, and how it groups, is fixed.',
    route: `PUT /policies/${path}/{id}`,
    file: { name: 'FILE', optional: true },
    flags,
    shows: { as: 'said', text: 'The policy {id} was updated. Gateways apply it within a second.' },
    notes: changeNotes,
  },
  delete: {
    summary: 'Archives a policy, which then no longer applies.',
    route: `DELETE /policies/${path}/{id}`,
    shows: { as: 'said', text: 'The policy {id} was archived and no longer applies.' },
  },
  entities: {
    summary: 'Lists the usage of each combination of the values that a policy groups by.',
    route: `GET /policies/${path}/{id}/entities`,
    flags: {
      ...listFlags,
      'page-size': {
        form: 'number',
        in: 'query',
        member: 'page_size',
        value: 'N',
        describe: 'The maximum number of listed entities: 1 to 100, 100 by default.',
      },
      ...statusFlag,
      search: { in: 'query', value: 'TEXT', describe: 'Only entities whose values contain this text.' },
    },
    shows: {
      as: 'table',
      columns: { ID: 'id', VALUES: 'value_key', USED: 'current_usage', LIMIT: 'limit', UNIT: 'unit' },
    },
  },
  reset: {
    summary: 'Sets the counter of one entity to 0.',
    route: `PUT /policies/${path}/{id}/entities/{entity}/reset`,
    shows: { as: 'said', text: 'The counter of {entity} was set to 0.' },
  },
});

const usage: Resource = {
  name: 'policies usage',
  summary: 'Limit what requests may cost, or how many tokens they may use.',
  commands: toCommands({
    path: 'usage-limits',
    what: 'a usage limit policy',
    example:
      '{"conditions":[{"key":"workspace_id","value":"*"}],"group_by":[{"key":"api_key"}],"type":"cost","credit_limit":50}',
    flags: usageFlags,
    types: { type: { choices: ['cost', 'tokens'], describe: 'What is counted.' } },
    columns: { LIMIT: 'credit_limit', ALERT: 'alert_threshold', RESETS: 'next_usage_reset_at' },
  }),
};

const rate: Resource = {
  name: 'policies rate',
  summary: 'Limit how many requests or tokens are allowed in a minute, an hour or a day.',
  commands: toCommands({
    path: 'rate-limits',
    what: 'a rate limit policy',
    example:
      '{"conditions":[{"key":"workspace_id","value":"*"}],"group_by":[{"key":"api_key"}],"type":"requests","unit":"rpm","value":60}',
    flags: rateFlags,
    types: { type: { choices: ['requests', 'tokens'], describe: 'What is counted.' } },
    columns: { LIMIT: 'value', UNIT: 'unit' },
  }),
};

/** `gw policies`: limits of what requests may use. */
export const policies: Resource = {
  name: 'policies',
  headline: 'Limit what requests may use, and show what they have used.',
  summary: 'Limit what requests may use, and show what they have used.',
  commands: {},
  parts: { usage, rate },
};
