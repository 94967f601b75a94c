import { useSignal } from '@preact/signals';
import { get, post } from '../../api/client.ts';
import { useLoaded } from '../../api/load.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { toDuration, toMoney } from '../../components/formats.ts';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge, type Tone } from '../../components/small.tsx';
import { Loaded } from '../../components/states.tsx';
import { Table } from '../../components/table.tsx';
import { toHref } from '../../router/router.ts';
import { texts } from '../../texts/providers.ts';
import { perMillion, type TokenPrices } from './prices.ts';
import type { SavedProvider } from './provider-form.ts';

interface Trial {
  readonly outcome: keyof typeof texts.outcomes;
  readonly message: string;
  readonly hint: string | null;
  readonly duration_ms: number;
  readonly models: readonly string[];
}

interface Pricing {
  readonly pay_as_you_go: TokenPrices;
}

interface PricedModel {
  readonly model: string;
  readonly input: number | undefined;
  readonly output: number | undefined;
}

const tones: Readonly<Record<Trial['outcome'], Tone>> = {
  accepted: 'good',
  refused: 'bad',
  failed: 'bad',
  untested: 'warning',
};

/** The most models shown. The prices of each one are a separate request. */
const shownModels = 20;

const priced = async (provider: string, model: string, signal: AbortSignal): Promise<PricedModel> => {
  try {
    const path = `/model-configs/pricing/${encodeURIComponent(provider)}/${encodeURIComponent(model)}`;
    const { pay_as_you_go } = await get<Pricing>(path, { signal });
    return { model, input: perMillion(pay_as_you_go.request_token), output: perMillion(pay_as_you_go.response_token) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { model, input: undefined, output: undefined };
  }
};

const toText = (price: number | undefined): string => (price === undefined ? texts.noPrice : toMoney(price));

const columns = [
  { title: texts.modelColumns.model, cell: ({ model }: PricedModel) => <SafeText text={model} /> },
  { title: texts.modelColumns.input, cell: ({ input }: PricedModel) => toText(input), isNumber: true },
  { title: texts.modelColumns.output, cell: ({ output }: PricedModel) => toText(output), isNumber: true },
];

const Models = ({ provider, models }: { readonly provider: string; readonly models: readonly string[] }) => {
  const search = useSignal('');
  const found = models.filter((model) => model.toLowerCase().includes(search.value.trim().toLowerCase()));
  const shown = found.slice(0, shownModels);
  const list = useLoaded(
    (signal) => Promise.all(shown.map((model) => priced(provider, model, signal))),
    [provider, shown.join('\n')],
  );
  return (
    <div class="stack">
      {models.length > shownModels && (
        <Field label={texts.findModel}>
          {(control) => (
            <input
              {...control}
              class="input"
              value={search.value}
              onInput={({ currentTarget }) => {
                search.value = currentTarget.value;
              }}
            />
          )}
        </Field>
      )}
      <Loaded state={list.state} retry={list.reload}>
        {(rows) => <Table caption={texts.models} columns={columns} rows={rows} rowKey={({ model }) => model} />}
      </Loaded>
      {found.length > shown.length && <p class="muted">{texts.moreModels(found.length - shown.length)}</p>}
    </div>
  );
};

/** A dialog that tests the credential of a provider and lists its models with their public prices. */
export const TryCredential = ({
  provider,
  onClose,
}: {
  readonly provider: SavedProvider;
  readonly onClose: () => void;
}) => {
  const trial = useLoaded(
    (signal) => post<Trial>(`/providers/${provider.slug}/test`, undefined, { signal }),
    [provider.slug],
  );
  return (
    <Dialog
      title={texts.testTitle(provider.name)}
      onClose={onClose}
      size="wide"
      actions={<Button onClick={onClose}>{texts.close}</Button>}
    >
      <Loaded state={trial.state} retry={trial.reload}>
        {({ outcome, message, hint, duration_ms, models }) => (
          <div class="stack">
            <p role="status">
              <Badge tone={tones[outcome]}>{texts.outcomes[outcome]}</Badge> <SafeText text={message} />
            </p>
            {hint !== null && (
              <p>
                <SafeText text={hint} />
              </p>
            )}
            <p class="muted">{texts.took(toDuration(duration_ms))}</p>
            {models.length > 0 && <Models provider={provider.provider} models={models} />}
            <p>
              <a href={toHref('/play', new URLSearchParams({ provider: `@${provider.slug}` }))}>{texts.play}</a>
            </p>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
};
