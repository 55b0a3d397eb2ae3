import { NativeSelect, Switch } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { ElectionShare } from '../../../shared/elections/election-types';
import { ShareField } from '../../../shared/terms/share-field';
import { errorsUnder, hasErrorsAt } from '../../../shared/terms/terms-errors';
import section from '../decision/decision-section.module.css';
import { type ElectionFields, type ElectionShareFields, requirementOf } from './election-form';
import { SettingField } from './setting-field';
import { settingsOf } from './settings';

interface MoreSettingsProps {
  election: ElectionFields;
  /** Messages by field of the election. */
  errors: Record<string, ReactNode>;
  onChange: (election: ElectionFields) => void;
}

/** The settings with usual values, folded until the organizer opens them or one is refused. */
export function MoreSettings({ election, errors, onChange }: MoreSettingsProps) {
  const [isOpened, setIsOpened] = useState(false);
  const id = useId();
  const settings = settingsOf(election);
  const isWrong = ['requirement', 'leastSupport', ...settings.map(({ name }) => name)].some((path) =>
    hasErrorsAt(errors, path),
  );
  if (isWrong && !isOpened) {
    // Errors must be visible, and the section stays open while they are corrected.
    setIsOpened(true);
  }
  const isOpen = isOpened || isWrong;
  return (
    <section className={section.root} aria-labelledby={`${id}-head`}>
      <h3 className={section.head} id={`${id}-head`}>
        <button
          type="button"
          className={section.toggle}
          aria-expanded={isOpen}
          aria-controls={`${id}-fields`}
          onClick={() => setIsOpened(!isOpen)}
        >
          <span className={section.title}>More settings</span>
          <IconChevronDown className={section.chevron} size={18} stroke={1.75} aria-hidden="true" />
        </button>
      </h3>
      <div className={section.fields} id={`${id}-fields`} hidden={!isOpen}>
        {isOpen ? (
          <>
            <Shares election={election} errors={errors} onChange={onChange} />
            {settings.map((setting) => (
              <SettingField
                key={setting.name}
                setting={setting}
                value={election.settings[setting.name]}
                error={errors[setting.name]}
                onChange={(value) =>
                  onChange({ ...election, settings: { ...election.settings, [setting.name]: value } })
                }
              />
            ))}
          </>
        ) : null}
      </div>
    </section>
  );
}

/** The share that a candidate needs, and the minimum support. */
function Shares({ election, errors, onChange }: MoreSettingsProps) {
  const { method, requirement, leastSupport } = election;
  const isRequired = requirementOf(method);
  return (
    <>
      {isRequired === 'none' ? null : (
        <OptionalShare
          label="A candidate needs a share of the votes"
          legend="Share that a candidate needs"
          isAlwaysOn={isRequired === 'needed'}
          hasYesAndNo={method === 'per_candidate'}
          share={requirement}
          errors={errorsUnder(errors, 'requirement')}
          onChange={(changed) => onChange({ ...election, requirement: changed })}
        />
      )}
      <OptionalShare
        label="A candidate needs minimum support"
        legend="Minimum support"
        isAlwaysOn={false}
        hasYesAndNo={false}
        share={leastSupport}
        errors={errorsUnder(errors, 'leastSupport')}
        onChange={(changed) => onChange({ ...election, leastSupport: changed })}
      />
    </>
  );
}

const BASES: { value: ElectionShare['base']; label: string }[] = [
  { value: 'yes_and_no', label: 'Yes and no for the candidate' },
  { value: 'valid_ballots', label: 'Valid ballots' },
  { value: 'votes_cast', label: 'Valid ballots and abstentions' },
  { value: 'register', label: 'The whole register' },
  { value: 'present', label: 'Those present' },
];

interface OptionalShareProps {
  label: string;
  legend: string;
  isAlwaysOn: boolean;
  hasYesAndNo: boolean;
  share: ElectionShareFields;
  /** Messages by field of the share. */
  errors: Record<string, ReactNode>;
  onChange: (share: ElectionShareFields) => void;
}

function OptionalShare(props: OptionalShareProps) {
  const { label, legend, isAlwaysOn, hasYesAndNo, share, errors, onChange } = props;
  return (
    <>
      {isAlwaysOn ? null : (
        <Switch
          label={label}
          checked={share.isOn}
          onChange={(event) => onChange({ ...share, isOn: event.currentTarget.checked })}
        />
      )}
      {isAlwaysOn || share.isOn ? (
        <ShareField
          legend={legend}
          share={share}
          errors={errors}
          onChange={(changes) => onChange({ ...share, ...changes })}
        >
          <NativeSelect
            label="Of"
            data={hasYesAndNo ? BASES : BASES.slice(1)}
            value={share.base}
            error={errors.base}
            onChange={(event) =>
              onChange({ ...share, base: event.currentTarget.value as ElectionShare['base'] })
            }
          />
        </ShareField>
      ) : null}
    </>
  );
}
