import { usePagedList } from '../../api/pages.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { SafeText } from '../../parts/safe-text.tsx';
import { Badge } from '../../parts/small.tsx';
import { EmptyState, Loaded } from '../../parts/states.tsx';
import { Pager, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
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

const columns = [
  { title: texts.columns.time, cell: ({ created_at }: AuditLog) => <Time seconds={created_at} /> },
  { title: texts.columns.actor, cell: ({ actor }: AuditLog) => <SafeText text={actor} /> },
  { title: texts.columns.action, cell: ({ action }: AuditLog) => <Badge>{action}</Badge> },
  { title: texts.columns.resource, cell: ({ uri }: AuditLog) => <SafeText text={uri} /> },
  { title: texts.columns.status, cell: ({ status }: AuditLog) => status, isNumber: true },
];

const AuditPage = () => {
  const list = usePagedList<AuditLog>('/audit-logs');
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead} />
      <Loaded state={list.state} retry={list.reload}>
        {({ data, total }) =>
          total === 0 ? (
            <EmptyState title={texts.empty} hint={texts.emptyHint} command={texts.emptyCommand} />
          ) : (
            <>
              <Table caption={texts.title} columns={columns} rows={data} rowKey={({ id }) => id} />
              <Pager {...list} total={total} />
            </>
          )
        }
      </Loaded>
    </>
  );
};

export default AuditPage;
