import { useState } from 'preact/hooks';
import { useLoaded } from '../../api/load.ts';
import { loadNames } from '../../api/name-choices.ts';
import { may, workspace } from '../../api/session.ts';
import { ChoiceField } from '../../components/choice-field.tsx';
import { NameField } from '../../components/name-field.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge, Card } from '../../components/small.tsx';
import { ErrorText, Loaded, Notice } from '../../components/states.tsx';
import { PlanPicture } from '../../plan-picture/plan-picture.tsx';
import { visitedPaths } from '../../plan-picture/visited-paths.ts';
import { texts } from '../../texts/request.ts';
import { loadConfig, loadVersionText, toConfigOption, toText } from '../config/api.ts';
import type { Compiler } from '../config/compiler.ts';
import { useCompiler } from '../config/use-compiler.ts';
import { type ChosenVersion, replay, replaySentence } from './replay-api.ts';
import { RequestRoute } from './way.tsx';

const { elsewhere } = texts;

const tones = { unchanged: 'good', elsewhere: 'neutral', refused: 'bad', undecided: 'warning' } as const;

/** The most versions to choose from. Use `gw logs replay` for older ones. */
const maxVersions = 100;

const Replayed = ({
  id,
  compiler,
  chosen: { slug, version },
  newest,
}: {
  readonly id: string;
  readonly compiler: Compiler;
  readonly chosen: ChosenVersion;
  /** The text of the version in service. */
  readonly newest: ChosenVersion & { readonly text: string };
}) => {
  const { state, reload } = useLoaded(
    async (signal) => {
      const [found, text] = await Promise.all([
        replay(id, { slug, version }, signal),
        version === newest.version ? newest.text : loadVersionText(slug, version, signal),
      ]);
      const { plan } = await compiler.ask(text, { about: 'findings' });
      return { found, plan: plan && { ...plan, name: slug } };
    },
    [id, compiler, slug, version],
  );
  return (
    <Loaded state={state} retry={reload}>
      {({ found, plan }) => (
        <div class="stack">
          <p aria-live="polite">
            <Badge tone={tones[found.outcome]}>{elsewhere.outcomes[found.outcome]}</Badge>{' '}
            <SafeText text={replaySentence(found)} />
          </p>
          {plan !== undefined && (
            <PlanPicture key={`${slug} ${version}`} plan={plan} overlay={{ visits: visitedPaths(found.after.trail) }} />
          )}
          <RequestRoute trail={found.after.trail} />
        </div>
      )}
    </Loaded>
  );
};

const ChosenConfig = ({ id, slug }: { readonly id: string; readonly slug: string }) => {
  const [version, setVersion] = useState<number>();
  const { compiler, error } = useCompiler();
  const { state, reload } = useLoaded(async (signal) => (await loadConfig(slug, signal)).config, [slug]);
  return (
    <Loaded state={state} retry={reload}>
      {({ version: inService, config }) => {
        const shown = version ?? inService;
        const numbers = Array.from({ length: Math.min(inService, maxVersions) }, (_, at) => inService - at);
        // An object orders members with numeric names by number, so the names get a letter.
        const options = Object.fromEntries(
          numbers.map((number) => [`v${number}`, elsewhere.versionName(number, number === inService)]),
        );
        return (
          <div class="stack">
            <ChoiceField
              label={elsewhere.version}
              options={options}
              value={`v${shown}`}
              onChange={(name) => setVersion(Number(name.slice(1)))}
            />
            {error !== undefined && <ErrorText error={error} />}
            {compiler !== undefined && (
              <Replayed
                id={id}
                compiler={compiler}
                chosen={{ slug, version: shown }}
                newest={{ slug, version: inService, text: toText(config) }}
              />
            )}
          </div>
        );
      }}
    </Loaded>
  );
};

const Choice = ({ id }: { readonly id: string }) => {
  const [slug, setSlug] = useState('');
  const { state, reload } = useLoaded((signal) => loadNames('/configs', toConfigOption, signal), [workspace.value]);
  return (
    <Loaded state={state} retry={reload}>
      {({ options, search }) =>
        options.length === 0 ? (
          <p class="muted">{elsewhere.none}</p>
        ) : (
          <div class="stack">
            <NameField
              label={elsewhere.config}
              hint={elsewhere.configHint}
              options={[{ name: '', text: elsewhere.choose }, ...options]}
              search={search}
              value={slug}
              onChange={setSlug}
            />
            {slug !== '' && <ChosenConfig key={slug} id={id} slug={slug} />}
          </div>
        )
      }
    </Loaded>
  );
};

/** Replays a request on a saved config that the user chooses, and draws where it would have gone. */
export const ReplayCard = ({ id }: { readonly id: string }) => (
  <Card title={elsewhere.title}>
    <div class="stack">
      <p class="muted">{elsewhere.hint}</p>
      {may('configs.list', 'configs.read') ? <Choice id={id} /> : <Notice>{elsewhere.noScope}</Notice>}
    </div>
  </Card>
);
