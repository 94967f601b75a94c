/**
 * Checks the document against the recommended rules of Redocly and of Spectral, which are installed in a temporary folder:
 * `node test/api/clients/lint.ts`. Exits with 1 if one of them finds anything.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { withDocument } from './documented-gateway.ts';

// Together they need about 230 packages that nothing else in this project needs.
const packages = ['@redocly/cli@2', '@stoplight/spectral-cli@6'];

/**
 * For paths such as `/prompts/partials/{id}` next to `/prompts/{id}/versions`: both belong to the API that this gateway serves,
 * so no document could avoid the finding. The rule compares only the templates, so neither a pattern for the parameter nor a
 * description helps. It ignores that a literal segment takes precedence over a parameter, as OpenAPI specifies:
 * https://spec.openapis.org/oas/v3.1.1.html#path-templating-matching. The gateway matches paths in the same way.
 */
const ignored = `openapi.json:
  no-ambiguous-paths:
    - '#/paths/~1prompts~1partials~1{id}'
`;

interface Findings {
  readonly problems: readonly { readonly ruleId: string; readonly message: string }[];
}

await withDocument(async ({ folder, run }) => {
  writeFileSync(path.join(folder, '.redocly.lint-ignore.yaml'), ignored);
  writeFileSync(path.join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  await run('npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages);
  const { problems }: Findings = JSON.parse(await run('npx', 'redocly', 'lint', 'openapi.json', '--format=json'));
  const found = problems.filter((each) => !('ignored' in each && each.ignored === true));
  process.stdout.write(`Redocly: ${found.length} findings.\n`);
  if (found.length > 0) throw new Error(JSON.stringify(found, null, 2));
  const spectral = await run('npx', 'spectral', 'lint', '-r', 'spectral.yaml', '--fail-severity=hint', 'openapi.json');
  process.stdout.write(`Spectral: ${spectral}`);
});
