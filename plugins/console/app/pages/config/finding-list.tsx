import type { VNode } from 'preact';
import type { QuickFix } from '../../../../../compiler/editor/api.ts';
import { Button } from '../../components/button.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { Badge } from '../../components/small.tsx';
import { texts } from '../../texts/config.ts';
import type { Finding } from './findings.ts';
import { lineAt } from './places.ts';

export interface FindingListProps {
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly fixes: readonly (readonly QuickFix[])[];
  readonly isReadOnly: boolean;
  onShow(finding: Finding): void;
  onFix(fix: QuickFix): void;
}

const tones = { error: 'bad', warning: 'warning', note: 'neutral' } as const;

/** Nobody reads more fixes than this for one finding. */
const maxFixes = 3;

/** All findings of a text: where they are, what is wrong, what to do, and the quick fixes. */
export const FindingList = ({ text, findings, fixes, isReadOnly, onShow, onFix }: FindingListProps): VNode => (
  <ul class="findings" aria-label={texts.findings.label}>
    {findings.map((finding, index) => (
      <li key={`${finding.code} ${finding.from}`} class="finding">
        <div class="row">
          <Badge tone={tones[finding.severity]}>{texts.findings.severities[finding.severity]}</Badge>
          <code>{finding.code}</code>
          <Button size="small" kind="ghost" onClick={() => onShow(finding)}>
            {texts.findings.line(lineAt(text, finding.from))}
          </Button>
        </div>
        <p>
          <SafeText text={finding.message} />
        </p>
        {finding.hint !== '' && (
          <p class="hint">
            <SafeText text={finding.hint} />
          </p>
        )}
        {!isReadOnly && (fixes[index]?.length ?? 0) > 0 && (
          <div class="row">
            {fixes[index]?.slice(0, maxFixes).map((fix) => (
              <Button key={fix.title} size="small" onClick={() => onFix(fix)}>
                {fix.title}
              </Button>
            ))}
          </div>
        )}
      </li>
    ))}
  </ul>
);
