import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { asApiError } from '../api/error.ts';
import { offerRecords } from '../api/name-choices.ts';
import { may, session, type Workspace, workspace } from '../api/session.ts';
import { signOut } from '../api/sign-in.ts';
import { Button } from '../components/button.tsx';
import { Icon, Logo } from '../components/icon.tsx';
import { NameField, type NameOption } from '../components/name-field.tsx';
import { SafeText } from '../components/safe-text.tsx';
import { showError } from '../components/toast.tsx';
import { pages } from '../pages/pages.ts';
import { groups } from '../router/page.ts';
import { toHref } from '../router/router.ts';
import { texts } from '../texts/shell.ts';
import { chooseWorkspace } from './choose-workspace.ts';
import { isPaletteOpen } from './palette-state.ts';
import { setTheme, theme, themes } from './theme.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** With more workspaces than this, the workspace is typed. */
const maxListed = 100;

const toOption = ({ slug, name }: Workspace): NameOption => ({ name: slug, text: name });

const searchWorkspaces = async (text: string, signal: AbortSignal): Promise<readonly NameOption[]> =>
  (await offerRecords<Workspace>('/workspaces', text, signal)).items.map(toOption);

/** A field for one of very many workspaces: its slug or its name, or nothing for the default one. */
const TypedWorkspace = ({ all }: { readonly all: readonly Workspace[] }) => {
  const error = useSignal<string | undefined>(undefined);
  const running = useRef<AbortController | undefined>(undefined);
  const options = useMemo(() => all.map(toOption), [all]);
  const search = session.value?.more_workspaces === true && may('workspaces.list') ? searchWorkspaces : undefined;
  const choose = async (text: string): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    const pick = (offered: readonly NameOption[]): string | undefined =>
      (offered.find(({ name }) => name === text) ?? offered.find((each) => each.text === text))?.name;
    try {
      const slug = text === '' ? '' : (pick(options) ?? pick((await search?.(text, controller.signal)) ?? []));
      if (controller.signal.aborted) return;
      error.value = slug === undefined ? texts.unknownWorkspace : undefined;
      if (slug !== undefined) chooseWorkspace(slug);
    } catch (thrown) {
      if (!controller.signal.aborted) error.value = asApiError(thrown).message;
    }
  };
  return (
    <div class="navigation-setting">
      <NameField
        label={texts.workspace}
        hint={texts.workspaceHint}
        error={error.value}
        options={options}
        search={search}
        value={workspace.value}
        onChange={(text) => void choose(text)}
      />
    </div>
  );
};

const Workspaces = () => {
  const all = session.value?.workspaces ?? [];
  if (all.length < 2) return null;
  if (all.length > maxListed) return <TypedWorkspace all={all} />;
  return (
    <label class="navigation-setting">
      <span class="label">{texts.workspace}</span>
      <select class="input" value={workspace.value} onChange={(event) => chooseWorkspace(event.currentTarget.value)}>
        <option value="">{texts.allWorkspaces}</option>
        {all.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
};

const Themes = () => (
  <fieldset class="segments">
    <legend class="visually-hidden">{texts.theme.label}</legend>
    {themes.map((each) => (
      <label key={each} class="segment">
        <input type="radio" name="theme" checked={theme.value === each} onChange={() => setTheme(each)} />
        <span>{texts.theme[each]}</span>
      </label>
    ))}
  </fieldset>
);

/** The pages that the session's key may view, by group. Below them: the workspace, the theme and signing out. */
export const Navigation = ({ isOpen, current }: { readonly isOpen: boolean; readonly current: string | undefined }) => {
  const offered = pages.filter(({ scopes, navigation }) => navigation !== undefined && may(...scopes));
  return (
    <nav id="navigation" class={isOpen ? 'navigation open' : 'navigation'} aria-label={texts.navigation}>
      <div class="navigation-head">
        <Logo />
        <span>{texts.product}</span>
      </div>
      <button
        type="button"
        class="palette-opener"
        onClick={() => {
          isPaletteOpen.value = true;
        }}
      >
        <Icon name="search" />
        {texts.palette.open}
        <kbd>{isMac ? texts.palette.keysOfMac : texts.palette.keys}</kbd>
      </button>
      <div class="navigation-pages">
        {groups.map((group) => {
          const inside = offered.filter(({ navigation }) => navigation?.group === group);
          if (inside.length === 0) return null;
          return (
            <section key={group} aria-labelledby={`group-${group}`}>
              <h2 id={`group-${group}`} class="navigation-group">
                {texts.groups[group]}
              </h2>
              <ul>
                {inside.map(({ path, title, navigation }) => (
                  <li key={path}>
                    <a href={toHref(path)} aria-current={path === current ? 'page' : undefined}>
                      {navigation !== undefined && <Icon name={navigation.icon} />}
                      {title}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      <div class="navigation-foot">
        <Workspaces />
        <Themes />
        <p class="navigation-who">
          <SafeText text={session.value?.principal.name ?? texts.anonymous} />
        </p>
        <Button kind="ghost" onClick={() => signOut().catch((thrown) => showError(asApiError(thrown)))}>
          {texts.signOut}
        </Button>
      </div>
    </nav>
  );
};
