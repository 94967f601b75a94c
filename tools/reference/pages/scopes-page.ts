import { toSlug } from '../../../docs/.vitepress/slug.ts';
import { type Scope, scopeTable } from '../../../plugins/control/kernel/requests/scopes.ts';
import { code, prose, type ReferencePage, table, toPage } from '../markdown.ts';
import { listOperations } from '../open-api-document.ts';

/** Scopes that no route of the control plane requires. */
const further: Partial<Record<Scope, string>> = {
  'completions.write': 'Requests to models, at every endpoint of a client library.',
  'metrics.read': 'The metrics of the gateway, at `/metrics`, for keys of the organisation.',
  'models.list': 'Lists of models, such as `GET /v1/models`, and single models.',
};

const noRoute = 'No route requires it. It can be granted because keys of other gateways may have it.';

const routesOf = (scope: string): readonly string[] =>
  listOperations()
    .filter(({ operation }) => operation['x-gw-scope'] === scope)
    .map(({ path, method, operation }) => {
      const tag = Array.isArray(operation.tags) ? String(operation.tags[0]) : '';
      const heading = `${method} /v1${path}`;
      return `[${code(heading)}](api/${tag}.md#${toSlug(heading)})`;
    });

const allows = (scope: Scope): string => {
  const routes = routesOf(scope);
  return [further[scope] === undefined ? [] : [prose(further[scope])], routes].flat().join(', ') || noRoute;
};

/** Creates the page of the scopes of service keys. */
export const scopesPage = (): ReferencePage =>
  toPage('scopes.md', {
    title: 'Scopes',
    from: 'plugins/control/kernel/requests/scopes.ts and the OpenAPI document',
    parts: [
      'Scopes define what a service key may do: `gw keys create --scopes completions.write,logs.view`. A key cannot grant a scope that it does not have itself. A request without the scope that its route requires gets a 403 [`missing-scope`](errors/access.md#missing-scope). Keys of the gateway file have no list of scopes: they can send requests to models and read lists of models, but not metrics.',
      ...Object.entries(scopeTable).flatMap(([name, verbs]) => [
        `## ${name}`,
        table(
          ['scope', 'allows'],
          verbs.map((verb) => [code(`${name}.${verb}`), allows(`${name}.${verb}` as Scope)]),
        ),
      ]),
    ],
  });
