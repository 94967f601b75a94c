import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, asApiError } from '../../api/error.ts';
import { useKeyNames } from '../../api/key-names.ts';
import { useLoaded } from '../../api/load.ts';
import { nameKeys } from '../../api/name-keys.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { type Column, Pager, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { showToast } from '../../components/toast.tsx';
import { texts } from '../../texts/config.ts';
import { type ConfigVersion, type LoadedConfig, listVersions, saveChange, tryChange } from './api.ts';
import { CompareVersions } from './compare-versions.tsx';
import { SaveDialog } from './save-dialog.tsx';
import type { DryRun } from './use-checked-text.ts';

export interface HistoryProps {
  readonly loaded: LoadedConfig;
  onRestored(): void;
}

const pageSize = 20;

interface Restore {
  readonly version: number;
  readonly dryRun?: DryRun;
  readonly error?: ApiError;
}

/** The versions of a config: who saved each one and when, what it changed, and a button to restore it. */
export const History = ({ loaded: { config, etag }, onRestored }: HistoryProps): VNode => {
  const { slug, version: inService } = config;
  const [page, setPage] = useState(0);
  const [compared, setCompared] = useState<{ readonly before: number; readonly after: number }>();
  const [restore, setRestore] = useState<Restore>();
  const { state, reload } = useLoaded((signal) => listVersions(slug, { page, pageSize }, signal), [slug, etag, page]);
  const now = state.value;
  // Versions contain only the id of the key that saved them.
  const names = useKeyNames(now.status === 'ready' ? now.value.data.map(({ created_by }) => created_by) : []);
  const nameOf = (id: string | null): string => (id === null ? texts.history.nobody : nameKeys(id, names));
  const begin = async (version: number): Promise<void> => {
    const begun: Restore = { version };
    setRestore(begun);
    // The dialog may have been closed meanwhile, or opened for another version.
    const go = (next: Restore): void => setRestore((now) => (now === begun ? next : now));
    try {
      go({ version, dryRun: await tryChange(slug, { version }) });
    } catch (thrown) {
      go({ version, error: asApiError(thrown) });
    }
  };
  const put = async (version: number): Promise<void> => {
    const close = (): void => setRestore((now) => (now?.version === version ? undefined : now));
    try {
      await saveChange(slug, { version }, etag);
    } catch (thrown) {
      if (thrown instanceof ApiError && thrown.status === 412) {
        onRestored();
        close();
        showToast(texts.history.changedMeanwhile, 'error');
        return;
      }
      throw thrown;
    }
    close();
    showToast(texts.history.restored(version));
    onRestored();
  };
  const columns: readonly Column<ConfigVersion>[] = [
    {
      title: texts.history.columns.version,
      cell: ({ version }) => (
        <>
          {version} {version === inService && <Badge tone="good">{texts.history.inService}</Badge>}
        </>
      ),
    },
    { title: texts.history.columns.when, cell: ({ created_at }) => <Time seconds={created_at} /> },
    { title: texts.history.columns.who, cell: ({ created_by }) => <SafeText text={nameOf(created_by)} /> },
    {
      title: texts.history.columns.actions,
      isTitleHidden: true,
      cell: ({ version }) => (
        <div class="row">
          {version > 1 && (
            <Button
              size="small"
              label={texts.history.changesOf(version)}
              onClick={() => setCompared({ before: version - 1, after: version })}
            >
              {texts.history.changes}
            </Button>
          )}
          {version !== inService && (
            <Button
              size="small"
              label={texts.history.compareOf(version)}
              onClick={() => setCompared({ before: version, after: inService })}
            >
              {texts.history.compare}
            </Button>
          )}
          {version !== inService && may('configs.update') && (
            <Button size="small" onClick={() => begin(version)}>
              {texts.history.backTo(version)}
            </Button>
          )}
        </div>
      ),
    },
  ];
  return (
    <Loaded state={state} retry={reload}>
      {({ data, total, page: shown }) => (
        <div class="stack">
          <Table caption={texts.history.caption(slug)} columns={columns} rows={data} rowKey={({ id }) => id} />
          <Pager {...{ page, shown, pageSize, total, setPage }} />
          {compared !== undefined && (
            <CompareVersions slug={slug} latest={inService} compared={compared} onChange={setCompared} />
          )}
          {restore !== undefined && (
            <SaveDialog
              title={texts.history.restoreTitle(restore.version)}
              action={texts.history.backTo(restore.version)}
              dryRun={restore.dryRun}
              error={restore.error}
              save={() => put(restore.version)}
              onClose={() => setRestore(undefined)}
            />
          )}
        </div>
      )}
    </Loaded>
  );
};
