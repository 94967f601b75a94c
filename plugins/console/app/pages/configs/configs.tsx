import type { VNode } from 'preact';
import { usePagedList } from '../../api/pages.ts';
import { may } from '../../api/session.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge } from '../../components/small.tsx';
import { EmptyState } from '../../components/states.tsx';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { listPage } from '../../router/list-page.ts';
import { toHref } from '../../router/router.ts';
import { texts } from '../../texts/configs.ts';
import { hasDraft } from '../config/use-draft.ts';

interface ConfigHead {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly is_default: boolean;
  readonly last_updated_at: number;
}

const columns: readonly Column<ConfigHead>[] = [
  {
    title: texts.columns.name,
    cell: ({ name, slug }) => (
      <a href={toHref(`/configs/${encodeURIComponent(slug)}`)}>
        <SafeText text={name} />
      </a>
    ),
  },
  { title: texts.columns.slug, cell: ({ slug }) => <code>{slug}</code> },
  { title: texts.columns.changed, cell: ({ last_updated_at }) => <Time seconds={last_updated_at} /> },
  {
    title: texts.columns.state,
    cell: ({ slug, is_default }) => (
      <>
        {is_default && <Badge tone="accent">{texts.isDefault}</Badge>}{' '}
        {hasDraft(slug) && <Badge tone="warning">{texts.unsaved}</Badge>}
      </>
    ),
  },
];

const NewLink = (): VNode => (
  <a class="button primary" href={toHref('/new-config')}>
    {texts.create}
  </a>
);

const ConfigsPage = (): VNode => {
  const list = usePagedList<ConfigHead>('/configs', listPage());
  const mayCreate = may('configs.create');
  return (
    <>
      <PageHeader title={texts.title} lead={texts.lead}>
        {mayCreate ? <NewLink /> : undefined}
      </PageHeader>
      <PagedTable
        list={list}
        caption={texts.title}
        columns={columns}
        empty={
          <EmptyState title={texts.empty} hint={texts.emptyHint} command={texts.emptyCommand}>
            {mayCreate && <NewLink />}
          </EmptyState>
        }
      />
    </>
  );
};

export default ConfigsPage;
