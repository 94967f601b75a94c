import type { VNode } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/error.ts';
import { useLoaded } from '../../api/load.ts';
import { may, workspace } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Badge } from '../../components/small.tsx';
import { ErrorText, Loaded, Notice } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { showToast } from '../../components/toast.tsx';
import type { PageProps } from '../../router/page.ts';
import { setQuery, toHref } from '../../router/router.ts';
import { texts } from '../../texts/config.ts';
import { type LoadedConfig, loadConfig, saveChange, toText, tryChange } from './api.ts';
import type { EditorHandle } from './code-editor.tsx';
import { EditConfig, isSaveable, useLeaveWarning } from './edit-config.tsx';
import { EditConflict } from './edit-conflict.tsx';
import { History } from './history.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { type CheckedText, type DryRun, parseConfig } from './use-checked-text.ts';
import type { OpenedCompiler } from './use-compiler.ts';
import { useCompiler } from './use-compiler.ts';
import { useDraft } from './use-draft.ts';

interface EditingProps {
  readonly loaded: LoadedConfig;
  readonly opened: OpenedCompiler;
  onSaved(): void;
}

/** An editor for the text of the version in service, whose changes can be saved as the next version. */
const Editing = ({ loaded, opened, onSaved }: EditingProps): VNode => {
  const { config, etag } = loaded;
  const draft = useDraft(config.slug, { text: toText(config.config), etag });
  const [isSaving, setSaving] = useState(false);
  const [theirs, setTheirs] = useState<LoadedConfig | undefined>(
    draft.isChanged && draft.etag !== etag ? loaded : undefined,
  );
  const handle = useRef<EditorHandle>(null);
  useLeaveWarning(draft.isChanged);
  const mayChange = may('configs.update');
  const ask = useCallback(
    (value: unknown, signal: AbortSignal): Promise<DryRun> => tryChange(config.slug, { config: value }, signal),
    [config.slug, theirs],
  );
  const latest = useRef(draft);
  latest.current = draft;
  const save = async (): Promise<void> => {
    const { text } = draft;
    let saved: string;
    try {
      saved = await saveChange(config.slug, { config: parseConfig(text) }, draft.etag);
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.status !== 412) throw thrown;
      setTheirs(await loadConfig(config.slug));
      setSaving(false);
      return;
    }
    // Changes typed in the meantime are kept and continue from the saved version.
    if (latest.current.text === text) latest.current.discard();
    else latest.current.rebase(saved);
    showToast(texts.save.done);
    onSaved();
  };
  const discard = (): void => {
    draft.discard();
    handle.current?.replace(toText(config.config));
  };
  const actions = (checked: CheckedText): VNode => (
    <>
      {opened.error !== undefined && <ErrorText error={opened.error} />}
      {!mayChange && <Notice>{texts.readOnly}</Notice>}
      {draft.wasRestored && draft.isChanged && <Notice>{texts.kept}</Notice>}
      {mayChange && (
        <div class="row">
          <Button
            kind="primary"
            isDisabled={!draft.isChanged || !isSaveable(draft.text, checked)}
            onClick={() => setSaving(true)}
          >
            {texts.save.open}
          </Button>
          <Button isDisabled={!draft.isChanged} onClick={discard}>
            {texts.discard}
          </Button>
          {draft.isChanged && <Badge tone="warning">{texts.unsaved}</Badge>}
        </div>
      )}
      {isSaving && (
        <SaveDialog
          title={texts.save.title(config.version)}
          action={texts.save.action}
          dryRun={checked.dryRun}
          error={checked.refused}
          save={save}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
  return (
    <>
      <EditConfig
        label={texts.editor(config.slug)}
        name={config.slug}
        text={draft.text}
        isReadOnly={!mayChange}
        compiler={opened.compiler}
        hasNoCompiler={opened.error !== undefined}
        dryRun={mayChange ? ask : undefined}
        handle={handle}
        onChange={draft.change}
      >
        {actions}
      </EditConfig>
      {theirs !== undefined && (
        <EditConflict
          theirs={theirs}
          mine={draft.text}
          onTakeTheirs={() => {
            draft.discard();
            onSaved();
          }}
          onKeepMine={() => {
            draft.rebase(theirs.etag);
            setTheirs(undefined);
          }}
        />
      )}
    </>
  );
};

type View = 'edit' | 'history';

const ConfigPage = ({ params: { slug = '' }, query }: PageProps): VNode => {
  const { state, reload } = useLoaded((signal) => loadConfig(slug, signal), [slug, workspace.value]);
  const opened = useCompiler();
  const view: View = query.get('view') === 'history' ? 'history' : 'edit';
  return (
    <Loaded state={state} retry={reload}>
      {(loaded) => (
        <>
          <PageHeader title={loaded.config.name} lead={texts.lead(loaded.config.slug, loaded.config.version)}>
            <a class="button" href={toHref('/plan', new URLSearchParams({ config: loaded.config.slug }))}>
              {texts.toPlan}
            </a>
          </PageHeader>
          <Tabs<View>
            label={texts.views.label}
            current={view}
            onChange={(name) => setQuery({ view: name === 'edit' ? undefined : name })}
            tabs={[
              {
                name: 'edit',
                title: texts.views.edit,
                content: () => (
                  <Editing key={`${loaded.config.slug} ${loaded.etag}`} {...{ loaded, opened }} onSaved={reload} />
                ),
              },
              {
                name: 'history',
                title: texts.views.history,
                content: () => <History loaded={loaded} onRestored={reload} />,
              },
            ]}
          />
        </>
      )}
    </Loaded>
  );
};

export default ConfigPage;
