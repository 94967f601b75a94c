import { asApiError } from '../api/error.ts';
import { may, session, workspace } from '../api/session.ts';
import { signOut } from '../api/sign-in.ts';
import { Button } from '../components/button.tsx';
import { Icon, Logo } from '../components/icon.tsx';
import { SafeText } from '../components/safe-text.tsx';
import { showError } from '../components/toast.tsx';
import { pages } from '../pages/pages.ts';
import { groups } from '../router/page.ts';
import { toHref } from '../router/router.ts';
import { texts } from '../texts/shell.ts';
import { isPaletteOpen } from './palette-state.ts';
import { setTheme, theme, themes } from './theme.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

const Workspaces = () => {
  const all = session.value?.workspaces ?? [];
  if (all.length < 2) return null;
  return (
    <label class="navigation-setting">
      <span class="label">{texts.workspace}</span>
      <select
        class="input"
        value={workspace.value}
        onChange={(event) => {
          workspace.value = event.currentTarget.value;
        }}
      >
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
