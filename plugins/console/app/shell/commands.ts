import { asApiError } from '../api/error.ts';
import { may, session } from '../api/session.ts';
import { signOut } from '../api/sign-in.ts';
import { showError } from '../components/toast.tsx';
import { pages } from '../pages/pages.ts';
import { navigate } from '../router/router.ts';
import { texts } from '../texts/shell.ts';
import { chooseWorkspace } from './choose-workspace.ts';
import { setTheme, themes } from './theme.ts';

export interface Command {
  readonly title: string;
  readonly run: () => void;
}

/** Lists the commands that the session may run from anywhere: pages first, then their actions, then commands of the shell. */
export const listCommands = (): readonly Command[] => {
  const offered = pages.filter(({ scopes }) => may(...scopes));
  return [
    ...offered
      .filter(({ navigation }) => navigation !== undefined)
      .map(({ title, path }) => ({ title: texts.palette.goTo(title), run: () => navigate(path) })),
    ...offered.flatMap(({ path, commands = [] }) =>
      commands
        .filter(({ scopes }) => may(...scopes))
        .map(({ title, query }) => ({ title, run: () => navigate(path, { query: new URLSearchParams(query) }) })),
    ),
    ...themes.map((theme) => ({ title: texts.palette.theme(texts.theme[theme]), run: () => setTheme(theme) })),
    ...(session.value?.workspaces ?? []).map(({ slug, name }) => ({
      title: texts.palette.workspace(name),
      run: () => chooseWorkspace(slug),
    })),
    {
      title: texts.signOut,
      run: () => void signOut().catch((thrown) => showError(asApiError(thrown))),
    },
  ];
};
