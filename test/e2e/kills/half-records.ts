import { DatabaseSync } from 'node:sqlite';

/** Queries for rows with missing parts. */
const halves: Readonly<Record<string, string>> = {
  'configs without their version':
    'select id from configs c where not exists (select 1 from config_versions v where v.id = c.version_id and v.config_id = c.id)',
  'configs that lack one of their versions':
    'select config_id from config_versions group by config_id having count(*) <> max(number)',
  'versions without a config': 'select id from config_versions where config_id not in (select id from configs)',
  'prompts without their published version':
    'select id from prompts p where not exists (select 1 from prompt_versions v where v.prompt_id = p.id and v.number = p.published)',
  'prompts that lack one of their versions':
    'select prompt_id from prompt_versions group by prompt_id having count(*) <> max(number)',
  'versions without content': "select id from prompt_versions where not json_valid(content) or content = '{}'",
  'providers with an incomplete credential':
    'select id from providers where credential is not null and not json_valid(credential)',
  'keys without a hash': 'select id from keys where length(hash) <> 64 or scopes is null',
  'references to missing rows': 'pragma foreign_key_check',
  damage: "select * from pragma_integrity_check where integrity_check <> 'ok'",
};

/** Finds incomplete records and damage in a store file, whether it is being served or not. */
export const halfRecords = (file: string): readonly string[] => {
  const store = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    return Object.entries(halves).flatMap(([what, query]) => {
      const rows = store.prepare(query).all();
      return rows.length === 0 ? [] : [`${what}: ${JSON.stringify(rows)}`];
    });
  } finally {
    store.close();
  }
};
