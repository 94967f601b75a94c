import './audit.css';
import { useSignal } from '@preact/signals';
import { useKeyNames } from '../../api/key-names.ts';
import { usePagedList } from '../../api/pages.ts';
import { session } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { ChoiceField } from '../../components/choice-field.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge, type Tone } from '../../components/small.tsx';
import { EmptyState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { listPage, setFilters } from '../../router/list-page.ts';
import type { PageProps } from '../../router/page.ts';
import { texts } from '../../texts/audit.ts';

interface AuditLog {
  readonly id: string;
  readonly created_at: number;
  readonly method: string;
  readonly uri: string;
  readonly actor: string;
  readonly resource_type: string;
  readonly action: string;
  readonly status: number;
  readonly client_ip: string | null;
  readonly detail: object;
}

const tones: Readonly<Record<string, Tone>> = {
  create: 'good',
  delete: 'bad',
  refused: 'warning',
  limit_reached: 'warning',
};

const columns = (names: ReadonlyMap<string, string>, open: (log: AuditLog) => void) => [
  { title: texts.columns.time, cell: ({ created_at }: AuditLog) => <Time seconds={created_at} /> },
  {
    title: texts.columns.actor,
    cell: ({ actor }: AuditLog) => (
      <span title={actor}>
        <SafeText text={names.get(actor) ?? actor} />
      </span>
    ),
  },
  {
    title: texts.columns.action,
    cell: ({ action }: AuditLog) => <Badge tone={tones[action] ?? 'neutral'}>{action.replaceAll('_', ' ')}</Badge>,
  },
  {
    title: texts.columns.resource,
    cell: ({ resource_type, uri }: AuditLog) => (
      <span class="audit-resource">
        <SafeText text={resource_type.replaceAll('_', ' ')} />
        {uri !== '' && (
          <code class="muted">
            <SafeText text={uri} />
          </code>
        )}
      </span>
    ),
  },
  {
    title: texts.columns.status,
    cell: ({ status }: AuditLog) =>
      status === 0 ? '' : <Badge tone={status < 400 ? 'neutral' : 'bad'}>{status}</Badge>,
  },
  { title: texts.columns.address, cell: ({ client_ip }: AuditLog) => client_ip ?? '' },
  {
    title: texts.columns.detail,
    isTitleHidden: true,
    cell: (log: AuditLog) => (
      <Button size="small" label={texts.detailsOf(`${log.action} ${log.resource_type}`)} onClick={() => open(log)}>
        {texts.columns.detail}
      </Button>
    ),
  },
];

const Filters = ({ query }: { readonly query: URLSearchParams }) => {
  const named = [...new Set((session.value?.scopes ?? []).map((scope) => scope.split('.')[0] ?? ''))].sort();
  // Sessions have no scopes of their own.
  const resources = {
    ...Object.fromEntries(named.map((name) => [name, name.replaceAll('_', ' ')])),
    sessions: texts.sessions,
  };
  const filters = [
    { name: 'resource', label: texts.filters.resource, options: resources },
    { name: 'action', label: texts.filters.action, options: texts.actions },
  ] as const;
  return (
    <div class="toolbar">
      {filters.map(({ name, label, options }) => (
        <ChoiceField
          key={name}
          label={label}
          options={{ '': texts.filters.all, ...options }}
          value={query.get(name) ?? ''}
          onChange={(value) => setFilters({ [name]: value })}
        />
      ))}
    </div>
  );
};

const AuditPage = ({ query }: PageProps) => {
  const resource = query.get('resource') ?? '';
  const action = query.get('action') ?? '';
  const list = usePagedList<AuditLog>('/audit-logs', listPage(), { query: { resource_type: resource, action } });
  const loaded = list.state.value;
  const names = useKeyNames(loaded.status === 'ready' ? loaded.value.data.map(({ actor }) => actor) : []);
  const opened = useSignal<AuditLog | undefined>(undefined);
  const isFiltered = resource !== '' || action !== '';
  const log = opened.value;
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <Filters query={query} />
      <PagedTable
        list={list}
        caption={texts.title}
        columns={columns(names, (each) => {
          opened.value = each;
        })}
        empty={
          isFiltered ? (
            <EmptyState title={texts.emptyFiltered}>
              <Button onClick={() => setFilters({ resource: undefined, action: undefined })}>
                {texts.filters.clear}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState title={texts.empty} hint={texts.emptyHint} command={texts.emptyCommand} />
          )
        }
      />
      {log !== undefined && (
        <Dialog
          title={texts.detailsOf(`${log.action} ${log.resource_type}`.replaceAll('_', ' '))}
          size="wide"
          onClose={() => {
            opened.value = undefined;
          }}
        >
          <CodeBlock text={JSON.stringify(log, null, 2)} />
        </Dialog>
      )}
    </>
  );
};

export default AuditPage;
